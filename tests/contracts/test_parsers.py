"""What the reader of every kind of file promises: paragraphs that tile the text, and a reason where it cannot read."""

from collections.abc import Callable
from io import BytesIO

import docx
import pytest

from corpora.parsers import dispatch
from corpora.parsers.reasons import REASONS, FileRefused
from tests.corpora.parsers.builders import make_pdf, paragraph_lines, parse

WORDS = "The tenant pays a rent of 900 euros."


def word_file() -> bytes:
    stored, document = BytesIO(), docx.Document()
    document.add_paragraph(WORDS)
    document.save(stored)
    return stored.getvalue()


FILES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "pdf": ("a.pdf", lambda: make_pdf([paragraph_lines(WORDS, x=72, top=700, characters=80)])),
    "docx": ("a.docx", word_file),
    "email": ("a.eml", f"From: a@example.org\nSubject: Rent\n\n{WORDS}\n".encode),
    "html": ("a.html", f"<html><body><p>{WORDS}</p></body></html>".encode),
    "markdown": ("a.md", f"# Rent\n\n{WORDS}\n".encode),
    "passages": ("a.jsonl", f'{{"id": "1", "text": "{WORDS}"}}\n'.encode),
    "text": ("a.txt", WORDS.encode),
}


@pytest.mark.parametrize("kind", dispatch.MODULES)
def test_paragraphs_tile_the_text_and_hold_the_words(kind: str) -> None:
    name, make = FILES[kind]
    document = parse(make(), name)
    spans = document.paragraphs

    assert [span.start for span in spans] == [0, *(span.end for span in spans[:-1])]
    assert spans[-1].end == len(document.text)
    assert any(WORDS in document.text[span.start : span.end] for span in spans)


@pytest.mark.parametrize("kind", dispatch.MODULES)
def test_what_is_no_such_file_is_refused_with_a_reason(kind: str) -> None:
    with pytest.raises(FileRefused) as refused:
        parse(b"\x00\x01\x02\x03" * 100, FILES[kind][0])

    assert refused.value.code in REASONS
