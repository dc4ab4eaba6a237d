"""Files of queries that commands take: what is read, and what is refused rather than read as something else."""

from pathlib import Path

import pytest

from legalqa.common.errors import ApplicationError
from legalqa.common.queries import rows_read

NEEDED = ("id", "text")


def written(tmp_path: Path, content: bytes) -> str:
    file = tmp_path / "queries.jsonl"
    file.write_bytes(content)
    return str(file)


def test_a_file_with_a_byte_order_mark_is_read_as_one_without(tmp_path: Path) -> None:
    line = '{"id": 1, "text": "What does § 5 say?"}\r\n'
    assert rows_read(written(tmp_path, line.encode("utf-8-sig")), needed=NEEDED) == [
        {"id": 1, "text": "What does § 5 say?"}
    ]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{"id": 1, "text": "What does § 5 say?"}'.encode("cp1252"), "is not UTF-8 text. Save it as UTF-8."),
        (b'{"id": 1, "text": "Who?"}\n\n{"id": 2}\n', "Line 3 of queries.jsonl is not a JSON object with id and text."),
        (b"\n", "queries.jsonl is empty."),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    with pytest.raises(ApplicationError, match=sentence):
        rows_read(written(tmp_path, content), needed=NEEDED)
