"""What a file is, by its content."""

import io
import zipfile
from pathlib import Path

import pytest

from corpora.parsers.detect import kind_detect
from corpora.parsers.limits import Limits
from corpora.parsers.reasons import REASONS, RETRYABLE, WARNINGS, FileRefused, warning_text
from legalqa.common.errors import ApplicationError
from tests.corpora.parsers.builders import PDFS, Words, make_pdf

DOCX_PARTS = {"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w/>"}


def make_zip(parts: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (make_pdf([[Words(72, 700, "Law")]]), "law.PDF", "pdf"),
        (b"\n" * 1000 + b"%PDF-1.4\n", "late.pdf", "pdf"),
        (make_zip(DOCX_PARTS), "deed.docx", "docx"),
        (b"<!DOCTYPE html><html><body>Law</body></html>", "page.htm", "html"),
        (b"# Heading\n\nText", "policy.md", "markdown"),
        (b"Plain words", "notes.txt", "text"),
        (b"Plain words", "README", "text"),
        (b"[" * 30_000, "README", "text"),
        (b"MZ is how this sentence starts.", "notes.txt", "text"),
        (b'{"id": "1", "text": "Words"}\n', "p.jsonl", "passages"),
        ("Größe".encode("utf-16"), "german.txt", "text"),
        ("Größe".encode("cp1252"), "german.txt", "text"),
    ],
)
def test_the_kind_of_a_file_is_decided_by_its_content(data: bytes, name: str, kind: str) -> None:
    assert kind_detect(data, name=name) == kind


@pytest.mark.parametrize(
    ("data", "name", "code"),
    [
        (b"", "empty.pdf", "empty_file"),
        ((PDFS / "html_named_pdf.pdf").read_bytes(), "page.pdf", "not_a_pdf"),
        (b"just words", "words.pdf", "not_a_pdf"),
        (make_pdf([[]]), "law.docx", "wrong_extension"),
        (make_pdf([[]]), "law.txt", "wrong_extension"),
        (make_zip(DOCX_PARTS), "deed.pdf", "not_a_pdf"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest", "old.doc", "old_word"),
        (b"MZ\x90\x00\x03\x00", "law.pdf", "executable"),
        (b"\x7fELF\x02\x01", "law.txt", "executable"),
        (b"#!/bin/sh\nrm -rf /", "law.txt", "executable"),
        (b"\x89PNG\r\n\x1a\n0000", "scan.png", "image"),
        (b"\xff\xd8\xff\xe0", "scan.pdf", "image"),
        (make_zip({"a.txt": b"a"}), "all.docx", "wrong_extension"),
        (b"Rar!\x1a\x07\x00", "all.rar", "archive"),
        (b"PK\x03\x04 broken", "deed.docx", "damaged"),
        (make_zip(DOCX_PARTS | {"word/vbaProject.bin": b"x"}), "deed.docx", "macro"),
        (make_zip(DOCX_PARTS | {"word/embeddings/more.zip": b"x"}), "deed.docx", "nested_archive"),
        (make_zip(DOCX_PARTS | {"word/big.xml": b"0" * 20_000_000}), "deed.docx", "bomb"),
        (bytes(range(256)) * 10, "data.txt", "binary"),
        (b"{\\rtf1 words}", "law.rtf", "unsupported_type"),
        (b"words", "law.xyz", "unsupported_type"),
        (b'{"text": "no id"}\n', "p.jsonl", "bad_line"),
        (b"[" * 30_000, "p.jsonl", "bad_line"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(data: bytes, name: str, code: str) -> None:
    with pytest.raises(FileRefused) as caught:
        kind_detect(data, name=name)
    assert caught.value.code == code
    assert isinstance(caught.value, ApplicationError)


def test_many_small_members_are_a_bomb_too() -> None:
    parts = DOCX_PARTS | {f"word/{number}.xml": b"0" * 1_000_000 for number in range(5)}
    with pytest.raises(FileRefused, match="unpacks"):
        kind_detect(make_zip(parts), name="deed.docx", limits=Limits(unzipped_bytes=4_000_000))


@pytest.mark.parametrize(("n_members", "code"), [(10_000, "wrong_extension"), (10_001, "bomb")])
def test_a_zip_of_very_many_members_is_a_bomb_whatever_its_end_record_says(n_members: int, code: str) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(n_members):
            archive.writestr(str(number), b"")
    data = bytearray(out.getvalue())
    data[-14:-10] = b"\x01\x00\x01\x00"  # "one entry on this disk, one in all"
    with pytest.raises(FileRefused) as caught:
        kind_detect(bytes(data), name="deed.docx")
    assert caught.value.code == code


def test_every_reason_is_one_sentence_that_says_what_to_do() -> None:
    for code, sentence in (REASONS | WARNINGS).items():
        assert sentence.endswith("."), code
        assert len(sentence) < 200, code
    assert set(REASONS) >= RETRYABLE


@pytest.mark.parametrize(
    ("warning", "ends"),
    [
        ("pages_without_text:1", "cannot be found or cited (1 page)."),
        ("recognised:29", "may contain errors (29 pages)."),
        ("pages_to_check:29", "unsure about their words (page 29)."),
        ("pages_to_check:2, 5-9", "unsure about their words (pages 2, 5-9)."),
        ("pages_to_check:" + ", ".join(str(n) for n in range(1, 80, 2)), "37, 39, …)."),
        ("pages_missing:4-5", "could not be read (pages 4-5)."),
        ("tracked_changes:2", "with all changes accepted (2 changes)."),
        ("comments:1", "were not read (1 comment)."),
        ("formulas_to_check:1", "compare the original (1 formula)."),
        ("partial", "could be recovered."),
    ],
)
def test_a_warning_says_what_its_number_counts(warning: str, ends: str) -> None:
    assert warning_text(warning).endswith(ends)


def test_a_limit_is_named_where_a_file_is_over_it() -> None:
    limits = Limits()
    assert f"{limits.characters // 1_000_000} million characters" in REASONS["too_many_characters"]
    assert f"{limits.pages:,}" in REASONS["too_many_pages"]
    assert f"{limits.file_bytes // 2**20} MB" in REASONS["too_large"]
    assert f"{limits.page_characters // 1_000_000} million characters" in WARNINGS["truncated_page"]


def test_every_reason_used_in_the_code_is_explained() -> None:
    used = set()
    for path in Path(kind_detect.__code__.co_filename).parent.glob("*.py"):
        for part in path.read_text(encoding="utf-8").split('FileRefused("')[1:]:
            used.add(part.split('"')[0])
    assert used <= set(REASONS)
