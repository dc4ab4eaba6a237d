"""Why a file cannot be taken in, and what a reading may have to say about one that was."""

from typing import Final

from legalqa.common.errors import ApplicationError

REASONS: Final[dict[str, str]] = {
    "empty_file": "The file is empty (0 bytes): export or upload it again.",
    "not_a_pdf": "The content is not PDF whatever its name: rename the file to what it is, or export it as PDF.",
    "wrong_extension": "The name's extension contradicts the content: rename the file to what it is.",
    "unsupported_type": "This kind of file is not read: upload PDF, DOCX, HTML, Markdown, text or passages (JSONL).",
    "old_word": "This is an old Word file (.doc) or another OLE container: save it as DOCX or PDF.",
    "macro": "The document carries macros: save it as DOCX without macros.",
    "executable": "This is a program, not a document: upload the document itself.",
    "image": "This is a picture without text: run text recognition on it and upload the PDF.",
    "archive": "This is an archive: unpack it and upload the documents one by one.",
    "nested_archive": "The document contains another archive: remove it and save the document again.",
    "binary": "The content is binary or in an unknown character set: save it as UTF-8 text or as PDF.",
    "too_large": "The file is larger than the limit: split it and upload the parts.",
    "password_needed": "The file is encrypted: give its password, or upload a copy without one.",
    "wrong_password": "The password does not open the file: check it and try again.",
    "no_text": "No page has a text layer (a scan?): run text recognition (OCR) on it and upload the result.",
    "damaged": "The file is damaged and cannot be repaired: export or download it again.",
    "too_many_pages": "The file has more pages than the limit of 5,000: split it and upload the parts.",
    "too_many_characters": "The file holds more text than the limit: split it and upload the parts.",
    "bad_line": "A line of the passages file is not an object with id and text: correct the line and upload it again.",
    "bomb": "The file unpacks to far more than its size, which documents do not do: save it again from its program.",
    "memory": "Reading the file took more memory than allowed: split it or export it again.",
    "cpu": "Reading the file took more computing time than allowed: split it or export it again.",
    "timeout": "Reading the file took longer than allowed: split it or export it again.",
    "crashed": "The reader broke down on this file: export it again, for example by printing it to PDF.",
    "bad_output": "The reader's result was not consistent and was thrown away: export the file again.",
    "cancelled": "Reading was stopped before it was done: start it again.",
}

RETRYABLE: Final = frozenset({"memory", "cpu", "timeout", "crashed", "cancelled"})

WARNINGS: Final[dict[str, str]] = {
    "partial": "The file is damaged: only a part of its text could be recovered.",
    "repaired": "The file's directory was damaged and has been rebuilt; compare with the original.",
    "extraction_not_permitted": "The file opens without a password but asks programs not to extract its text.",
    "attachment_ignored": "Files embedded in the document were not read.",
    "pages_without_text": "Some pages have no text layer (scans) and cannot be found or cited.",
    "hidden_text": "The page hides some of its text from readers; it was read all the same.",
    "empty_passages": "Passages without text were left out.",
    "truncated_page": "A page held more characters than the limit; the rest of it was left out.",
    "replaced_characters": "Some characters could not be decoded and are shown as \N{REPLACEMENT CHARACTER}.",
    "tracked_changes": "The document has tracked changes: insertions were read, deletions were left out.",
}


class FileRefused(ApplicationError):
    """A file that cannot be taken in; `code` is a key of REASONS."""

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message or REASONS[code], code=code)

    def __reduce__(self) -> tuple[type["FileRefused"], tuple[str, str]]:
        return type(self), (self.code, self.message)


def warning_text(warning: str) -> str:
    """Say a warning code such as "pages_without_text:3" as a sentence.

    Args:
        warning: A code of WARNINGS, perhaps with ":" and a count.

    Returns:
        The sentence, followed by the count in brackets where there is one; the code itself if it is unknown.
    """
    code, _, count = warning.partition(":")
    sentence = WARNINGS.get(code, code)
    return f"{sentence} ({count})" if count else sentence
