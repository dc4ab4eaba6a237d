"""What every command shares: the file that it reads or writes."""

from pathlib import Path

import pytest

from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError


def test_a_file_that_cannot_be_written_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere" / "cases.jsonl"):
        with pytest.raises(ApplicationError, match="No file can be written at"):
            LegalQACommand().file_named({"file": place}, is_read=False)
    assert LegalQACommand().file_named({"file": tmp_path / "new.jsonl"}, is_read=False) == tmp_path / "new.jsonl"
