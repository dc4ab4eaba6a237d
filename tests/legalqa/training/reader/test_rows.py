"""Rows of a reader from their files: what a line may say, and how a wrong one is named."""

import gzip
import json
from pathlib import Path

import pytest

from legalqa.common.errors import ApplicationError
from legalqa.training.reader.rows import AnswerRow, ClaimRow, rows_read

QUESTION = {"question": "Who pays?", "passage": "The tenant pays.", "answerable": True}
CLAIM = {"claim": "The tenant pays.", "evidence": ["One.", "Two."], "label": "contradicted"}


def written(folder: Path, *lines: object, name: str = "rows.jsonl") -> Path:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    file = folder / name
    file.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return file


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_questions_and_claims_are_in_one_file_packed_or_not(tmp_path: Path, name: str) -> None:
    spans = {"answers": [{"start": 0, "end": 10}], "plausible_answers": [{"start": 4, "end": 10}]}
    file = written(tmp_path, QUESTION | spans | {"id": "q", "title": "Lease", "source": "own"}, "", CLAIM, name=name)

    assert rows_read(file) == [
        AnswerRow("q", "Who pays?", "The tenant pays.", True, ((0, 10),), ((4, 10),), "own", "", "Lease"),
        ClaimRow("3", "The tenant pays.", "One. Two.", 1),
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "is not a row of a reader"),
        ({"question": "Who?", "answerable": True}, "lacks 'passage'"),
        (CLAIM | {"label": "maybe"}, "is not a row of a reader"),
        (QUESTION | {"answers": [{"start": 4, "end": 99}]}, "an answer is outside its passage"),
        (QUESTION | {"answers": [{"start": 4}]}, "lacks 'end'"),
        ("[1]", "is not a row of a reader"),
    ],
)
def test_a_line_that_is_no_row_is_named_with_what_it_lacks(tmp_path: Path, line: object, words: str) -> None:
    with pytest.raises(ApplicationError, match=f"Line 2 .*{words}"):
        rows_read(written(tmp_path, QUESTION, line))


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_a_file_that_is_empty_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ApplicationError, match="has no rows"):
        rows_read(written(tmp_path, "", name=name))


def test_a_file_that_is_not_there_or_is_packed_by_its_name_alone_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "plain.jsonl.gz").write_text(json.dumps(QUESTION))

    for file in (tmp_path / "nowhere.jsonl", tmp_path / "plain.jsonl.gz"):
        with pytest.raises(ApplicationError, match="cannot be read"):
            rows_read(file)
