"""What the rules say of 100 paragraphs and pieces, against what a person read (tests/data/provisions)."""

import json
from typing import Any

import pytest

from corpora.provisions.grouping import provision_at
from tests.corpora.provisions.documents import DATA, parts_of

MARKS = [json.loads(line) for line in (DATA / "marks.jsonl").read_text("utf-8").splitlines()]


def mark_of(row: dict[str, Any]) -> str:
    """The mark that the rules give; "" for a piece that they cut elsewhere."""
    parts = parts_of(row["source"])
    if row["mark"] == "role":
        return str(parts[row["ordinal"]].role)
    pieces = provision_at(parts, row["ordinal"]).pieces
    place = (row["ordinal"], row["start"], row["end"])
    return next((one.part for one in pieces if (one.ordinal, one.start, one.end) == place), "")


@pytest.mark.parametrize("mark", ["role", "part"])
def test_nine_marks_in_ten_are_what_a_person_reads(mark: str) -> None:
    rows = [row for row in MARKS if row["mark"] == mark]
    right = [mark_of(row) == row["label"] for row in rows]

    assert sum(right) / len(rows) >= 0.9, [row for row, ok in zip(rows, right, strict=True) if not ok]


def test_the_sample_has_a_hundred_marks_of_five_documents_at_their_places() -> None:
    assert len(MARKS) == 100
    assert len({row["source"] for row in MARKS}) == 5
    for row in MARKS:
        text = parts_of(row["source"])[row["ordinal"]].text
        assert row["text"] in (text[row["start"] :] if row["mark"] == "part" else text)
