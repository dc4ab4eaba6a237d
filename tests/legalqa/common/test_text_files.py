"""Files of text that somebody brings: what is not UTF-8 is refused, and no sign is replaced by another."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.forms import ValidationError

from judging.gold.formats import READERS, gold_brought
from judging.gold.passages import Passages
from legalqa.common.errors import ApplicationError
from legalqa.common.forms import uploaded_text
from legalqa.common.text_files import file_read, text_read
from retrieval.questions.files import file_lines

WINDOWS = 'question\n"Wie hoch ist die Kündigungsfrist?"\n'.encode("cp1252")
REFUSED = "Line 2 of the file is not UTF-8 text. Save it as UTF-8."
ZIPPED = ("beir", "trec", "irled")


def test_text_comes_without_its_byte_order_mark() -> None:
    assert text_read("\ufeffRent is due".encode()) == "Rent is due"


def test_the_line_that_is_not_utf_8_is_named() -> None:
    with pytest.raises(ApplicationError, match=REFUSED):
        text_read(WINDOWS)


@pytest.mark.parametrize("shape", sorted(set(READERS) - set(ZIPPED)))
def test_a_gold_set_saved_by_a_spreadsheet_in_another_encoding_is_refused(shape: str) -> None:
    nothing: Passages = object()  # type: ignore[assignment]  # no passage is looked for before the file is read
    with pytest.raises(ApplicationError, match=REFUSED):
        gold_brought(WINDOWS, shape=shape, passages=nothing)


def test_questions_for_the_index_in_another_encoding_are_refused() -> None:
    with pytest.raises(ApplicationError, match=REFUSED):
        list(file_lines(WINDOWS))


def test_an_upload_in_another_encoding_is_refused_at_its_field() -> None:
    with pytest.raises(ValidationError, match=REFUSED):
        uploaded_text(SimpleUploadedFile("ratings.csv", WINDOWS))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ApplicationError, match=r"There is no file .*rents\.csv.*Check the path\."):
        file_read(tmp_path / "rents.csv")
