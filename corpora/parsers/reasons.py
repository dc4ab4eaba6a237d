"""Reasons for refusing a file, and warnings about a file that was read."""

from collections.abc import Sequence
from typing import Final

from legalqa.common.errors import ApplicationError

_MOST_RUNS = 20  # runs of page numbers that one note names
_PAGE_NUMBERS: Final = frozenset({"pages_to_check", "pages_missing"})
_COUNTED: Final[dict[str, tuple[str, str]]] = {
    "pages_without_text": ("page", "pages"),
    "recognised": ("page", "pages"),
    "tracked_changes": ("change", "changes"),
    "comments": ("comment", "comments"),
    "empty_passages": ("passage", "passages"),
    "formulas_to_check": ("formula", "formulas"),
}

REASONS: Final[dict[str, str]] = {
    "empty_file": "The file is empty (0 bytes): export or upload it again.",
    "not_a_pdf": "This is not a PDF file: rename it with its real extension, or export it as PDF.",
    "wrong_extension": "The extension does not match the content: rename the file with its real extension.",
    "unsupported_type": "This kind of file is not supported: upload PDF, DOCX, HTML, Markdown, text, e-mail (.eml) or "
    "ZIP.",
    "old_word": "This is an old Office file or an Outlook message: save it as DOCX, PDF or e-mail (.eml).",
    "macro": "The document contains macros: save it as DOCX without macros.",
    "executable": "This is a program, not a document: upload the document itself.",
    "image": "This is a picture without text: run text recognition on it and upload the PDF.",
    "archive": "This archive is not a ZIP file (.zip): unpack it and upload the documents.",
    "nested_archive": "The document contains another archive: remove it and save the document again.",
    "too_many_members": "It contains more files than the limit of 1,000: split it and upload the parts.",
    "too_many_in_upload": "The upload contains more documents than the limit, including nested archives: upload the "
    "rest separately.",
    "member_encrypted": "This file is encrypted in the archive: unpack it with its password and upload it on its own.",
    "unsafe_path": "The file's name points outside the archive, which no harmless archive does: it was skipped.",
    "same_name": "Another file of the archive has the same name: rename one of them and upload it on its own.",
    "nested_too_deep": "It is nested in too many archives or e-mails: take it out and upload it on its own.",
    "system_file": "This is an operating system file, not a document.",
    "binary": "The content is binary or in an unknown character set: save it as UTF-8 text or as PDF.",
    "too_large": "The file is larger than the reader's limit of 100 MB: split it and upload the parts.",
    "password_needed": "The file is encrypted: enter its password, or upload a copy without one.",
    "wrong_password": "The password does not open the file: check it and try again.",
    "no_text": "No text was found in the file or its images: check the file, or scan it again.",
    "ocr_missing": "The pages are scans and text recognition (OCR) is not installed: ask the operator, then try again.",
    "damaged": "The file is damaged and cannot be repaired: export or download it again.",
    "too_many_pages": "The file has more pages than the limit of 5,000: split it and upload the parts.",
    "too_many_characters": "The file contains more than 30 million characters of text: split it and upload the parts.",
    "bad_line": "A line of the passages file is not an object with id and text: correct the line and upload it again.",
    "bomb": "The file unpacks to far more than its size, which no ordinary document does: save it again in its own "
    "program.",
    "memory": "Reading the file took more memory than allowed: split it or export it again.",
    "cpu": "Reading the file took more computing time than allowed: split it or export it again.",
    "timeout": "Reading the file took longer than allowed: split it or export it again.",
    "crashed": "The reader crashed on this file: export it again, for example by printing it to PDF.",
    "bad_output": "The reader's result was inconsistent and was discarded: export the file again.",
    "cancelled": "Reading was stopped before it finished: start it again.",
}

RETRYABLE: Final = frozenset({"memory", "timeout", "crashed", "cancelled"})

CAN_BE_RETRIED: Final = RETRYABLE | {"cpu", "ocr_missing"}
"""Reasons after which a person may try the same file again; RETRYABLE are tried again without one. Computing time is
not: a second try would take as long.
"""

WARNINGS: Final[dict[str, str]] = {
    "partial": "The file is damaged: only part of its text could be recovered.",
    "pages_missing": "Some pages are damaged and could not be read.",
    "repaired": "The file's directory was damaged and has been rebuilt; compare with the original.",
    "extraction_not_permitted": "The file opens without a password but asks programs not to extract its text.",
    "attachment_ignored": "Files embedded in the document were not read.",
    "pages_without_text": "Some pages are scans that were not read and cannot be found or cited.",
    "ocr_missing": "Text recognition (OCR) is not installed on this server; once it is, upload the file again.",
    "recognised": "Scanned pages were read by text recognition (OCR); their text may contain errors.",
    "pages_to_check": "Some pages need a check: text recognition (OCR) was unsure about their words.",
    "hidden_text": "The page hides some of its text from readers; it was read anyway.",
    "formulas_to_check": "Some formulas have no form in one line: only their words were read; compare the original.",
    "empty_passages": "Passages without text were left out.",
    "truncated_page": "A page had more than 1 million characters; the rest was left out.",
    "replaced_characters": "Some characters could not be decoded and are shown as \N{REPLACEMENT CHARACTER}.",
    "comments": "Comments in the margin were not read.",
    "tracked_changes": "The document contains tracked changes; it was read with all changes accepted.",
}


class FileRefused(ApplicationError):
    """A file that cannot be taken in; `code` is a key of REASONS.

    `scanned` are the numbers of its pages that text recognition could read; with them the file gets another chance.
    """

    def __init__(self, code: str, message: str = "", *, scanned: tuple[int, ...] = ()) -> None:
        super().__init__(message or REASONS[code], code=code)
        self.scanned = scanned


def warning_text(warning: str) -> str:
    """Say a warning code such as "pages_without_text:3" as a sentence.

    Args:
        warning: A code of WARNINGS, perhaps with ":" and a count or page numbers.

    Returns:
        The sentence with what is counted in brackets, such as "(2 pages)" or "(pages 2, 5-9)"; the code itself if it is
        unknown.
    """
    code, _, count = warning.partition(":")
    sentence, runs = WARNINGS.get(code, code), count.split(", ")
    if not count:
        return sentence
    if code in _PAGE_NUMBERS:
        word = "page" if count.isdecimal() else "pages"
        detail = f"{word} {', '.join((*runs[:_MOST_RUNS], '…') if len(runs) > _MOST_RUNS else runs)}"
    else:
        detail = f"{count} {_COUNTED.get(code, ('', ''))[count != '1']}".strip()
    return f"{sentence.removesuffix('.')} ({detail})."


def numbers_said(numbers: Sequence[int]) -> str:
    """Page numbers in few words: "2, 5-9, 14"."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    words = [str(first) if first == last else f"{first}-{last}" for first, last in runs]
    return ", ".join(words)


def pages_to_check(warnings: Sequence[str]) -> frozenset[int]:
    """The pages that the notes of a version ask people to look at: text recognition was unsure of them."""
    code = "pages_to_check:"
    numbers = ", ".join(warning.removeprefix(code) for warning in warnings if warning.startswith(code))
    ends = (run.partition("-")[::2] for run in numbers.split(", ") if run)
    return frozenset(page for first, last in ends for page in range(int(first), int(last or first) + 1))
