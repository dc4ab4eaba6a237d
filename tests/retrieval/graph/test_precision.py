"""What the rules read in 100 sentences of law, against what a person says of it (tests/data/graph)."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from corpora.provisions.types import Part
from retrieval.graph.rules.reading import Unit, triplets_of

FILE = Path(__file__).parents[2] / "data" / "graph" / "triplets.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def read_again(row: dict[str, Any]) -> set[tuple[str, str, str, str]]:
    parts = [Part(**paragraph) for paragraph in row["paragraphs"]]
    unit = Unit(tuple(range(len(parts))), **row["unit"])
    return {(one.kind.value, one.subject, one.predicate, one.object) for one in triplets_of(parts, unit)}


def test_at_least_85_of_100_sampled_statements_are_right() -> None:
    assert len(ROWS) == 100
    assert sum(row["is_right"] for row in ROWS) / len(ROWS) == 0.89
    assert {row["source"].split("_")[0] for row in ROWS} == {"eu", "admin", "int"}
    assert Counter(row["kind"] for row in ROWS)["duty"] == 15


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['kind']}-{row['unit']['section']}")
def test_the_labelled_statements_still_come_out(row: dict[str, Any]) -> None:
    assert (row["kind"], row["subject"], row["predicate"], row["object"]) in read_again(row)
