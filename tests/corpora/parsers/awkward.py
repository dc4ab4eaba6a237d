"""The collection of awkward PDF files, read as the product reads them, and each judged by what its manifest expects."""

import json
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from corpora.parsers.limits import Limits
from corpora.parsers.ocr import ocr_engine, page_recognise
from corpora.parsers.reasons import FileRefused
from corpora.parsers.sandbox import parse_file
from corpora.parsers.unlock import decrypt_pdf
from corpora.types import ParsedDocument

_MIN_CONFIDENCE = 0.85
_COLUMN_WORDS = "Pellentesque habitant morbi tristique senectus et netus et malesuada fames ac turpis egestas."
_WORDS_SHARE = 0.85  # of the words that the manifest counts, headers and footers of every page among them


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of a file: the code of a first refusal, what was read at last, and with which confidence."""

    first_code: str
    code: str
    document: ParsedDocument | None
    confidence: tuple[float, ...]

    @property
    def n_words(self) -> int:
        return len(self.document.text.split()) if self.document else 0

    @property
    def n_pages(self) -> int:
        return len(self.document.pages) if self.document else 0

    def warned(self, *codes: str) -> bool:
        return self.document is not None and set(codes) <= {w.partition(":")[0] for w in self.document.warnings}


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """One file of the collection: what its manifest expects, what happened in a line, and whether the two agree."""

    file: str
    expect: str
    happened: str
    is_as_expected: bool


def collection_judged(folder: Path) -> list[FileOutcome]:
    """Read every file of the manifest in `folder`, with its password where it has one, scans by text recognition.

    Args:
        folder: With manifest.jsonl: an object a line with file, expect, password, pages, extractable_words.

    Returns:
        The files in the manifest's order; one that no rule of ours knows is not as expected.
    """
    rows = [json.loads(line) for line in (folder / "manifest.jsonl").read_text("utf-8").splitlines() if line.strip()]
    return [_judged(folder / row["file"], row) for row in rows]


def _judged(path: Path, row: dict[str, str | int | None]) -> FileOutcome:
    reading = file_read(path, password=str(row["password"] or ""))
    rule = RULES.get(path.name, _never)
    pages, words = row["pages"], int(row.get("extractable_words") or 0)
    counted = reading.document is None or words == 0 or reading.n_words >= _WORDS_SHARE * words - 1
    whole = reading.document is None or pages is None or reading.n_pages == pages
    return FileOutcome(path.name, str(row["expect"]), _said(reading), rule(reading) and counted and whole)


def file_read(path: Path, *, password: str) -> Reading:
    """Read a file as an upload is read: as it is, then with its password, then its scanned pages."""
    first = ""
    with tempfile.TemporaryDirectory(prefix="awkward-") as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        copy.chmod(0o600)
        try:
            return _read(copy, path.name, first)
        except FileRefused as refused:
            first = refused.code
            if refused.code != "password_needed" or not password:
                return Reading(first, refused.code, None, ())
        try:
            decrypt_pdf(copy, password=password)
            return _read(copy, path.name, first)
        except FileRefused as refused:
            return Reading(first, refused.code, None, ())


def _read(path: Path, name: str, first: str) -> Reading:
    try:
        document: ParsedDocument | None = parse_file(path, name=name)
        scanned = document.scanned if document else ()
    except FileRefused as refused:
        if not refused.scanned or not ocr_engine():
            raise
        document, scanned, first = None, refused.scanned, refused.code
    if not scanned or not ocr_engine():
        return Reading(first, "", document, ())
    pages = [page_recognise(path, page=number, limits=Limits()) for number in scanned]
    document = parse_file(path, name=name, recognised=pages)
    return Reading(first, "", document, tuple(page.confidence for page in pages if page.text))


def _said(reading: Reading) -> str:
    if reading.document is None:
        return f"refused: {reading.code}"
    said = f"{reading.n_pages} pages, {reading.n_words} words"
    if reading.confidence:
        said += f", {len(reading.confidence)} by OCR, {min(reading.confidence):.2f} sure or more"
    if reading.first_code:
        said += f", first refused: {reading.first_code}"
    return said + "".join(f", {warning}" for warning in reading.document.warnings)


def _never(_reading: Reading) -> bool:
    return False


def _refused(*codes: str) -> Callable[[Reading], bool]:
    return lambda reading: reading.document is None and reading.code in codes


def _whole(reading: Reading) -> bool:
    return reading.document is not None and not reading.warned("partial")


def _warned(*codes: str) -> Callable[[Reading], bool]:
    return lambda reading: reading.warned(*codes)


def _recognised(reading: Reading) -> bool:
    """Read by text recognition, and said so; or, without it, refused as having no text."""
    if reading.document is None:
        return reading.code == "no_text"
    return reading.warned("recognised") and min(reading.confidence, default=0.0) >= _MIN_CONFIDENCE


def _unlocked(reading: Reading) -> bool:
    return reading.first_code == "password_needed" and reading.document is not None


def _headed_and_noted(reading: Reading) -> bool:
    document = reading.document
    return document is not None and any(span.kind == "heading" for span in document.paragraphs) and _whole(reading)


def _stamp_left_out(reading: Reading) -> bool:
    """The court's stamp is on each of ten pages and is read at most once."""
    return reading.document is not None and len(re.findall(r"Document: 005\d+", reading.document.text)) <= 1


def _in_columns(reading: Reading) -> bool:
    """A sentence of the first column runs over three of its lines and is whole."""
    return reading.document is not None and _COLUMN_WORDS in " ".join(reading.document.text.split())


def _caption(reading: Reading) -> bool:
    return reading.document is not None and "No. ED108783" in reading.document.text and _whole(reading)


def _right_to_left(reading: Reading) -> bool:
    return reading.document is not None and "\u062d\u064e\u0628\u064a\u0628\u064a" in reading.document.text


RULES: Final[dict[str, Callable[[Reading], bool]]] = {
    "scan_final_rule_4p.pdf": _recognised,
    "court_scan_2p.pdf": _recognised,
    "images_only.pdf": _refused("no_text"),
    "protected_empty.pdf": _refused("no_text"),
    "encrypted_user_password.pdf": _unlocked,
    "openpassword.pdf": _unlocked,
    "encrypted_owner_only.pdf": _warned("extraction_not_permitted"),
    "truncated_final_rule.pdf": lambda reading: _refused("damaged")(reading) or reading.warned("partial"),
    "empty.pdf": _refused("empty_file"),
    "html_named_pdf.pdf": _refused("not_a_pdf"),
    "bad_xref_final_rule.pdf": _warned("repaired"),
    "scotus_slip_opinion_2012.pdf": _headed_and_noted,
    "state_opinion_missouri.pdf": _caption,
    "state_opinion_23p_wrong_mime.pdf": _whole,
    "appeal_opinion_10p.pdf": _stamp_left_out,
    "fuzzed_395.pdf": _refused("damaged", "no_text"),
    "helloworld_bad.pdf": _warned("repaired"),
    "xref_command_missing.pdf": _warned("repaired"),
    "minimal.pdf": _whole,
    "multicolumn.pdf": _in_columns,
    "with_attachment.pdf": _warned("attachment_ignored"),
    "arabic.pdf": _right_to_left,
}
