"""The type of a file, by its content; the name may only confirm it."""

import io
import json
import re
import zipfile
from pathlib import PurePath
from typing import Final

from corpora.parsers.limits import MEBIBYTE, Limits
from corpora.parsers.plain import text_decode
from corpora.parsers.reasons import FileRefused

PLAIN_KINDS: Final = frozenset({"html", "markdown", "text", "passages"})
"""Kinds that hold their words as they are: a small file is quickly read, and a large one needs little for its size."""
CONTAINERS: Final = frozenset({"email", "zip"})
"""Kinds that hold files of their own."""

FORMATS: Final[dict[str, frozenset[str]]] = {
    "pdf": frozenset({".pdf"}),
    "docx": frozenset({".docx"}),
    "html": frozenset({".html", ".htm", ".xhtml"}),
    "markdown": frozenset({".md", ".markdown", ".mdown"}),
    "passages": frozenset({".jsonl"}),
    "email": frozenset({".eml"}),
    "zip": frozenset({".zip"}),
    "text": frozenset({".txt", ".text", ""}),
}
_KIND_OF_EXTENSION = {extension: kind for kind, extensions in FORMATS.items() for extension in extensions}
_PDF_WITHIN = 1024  # first bytes in which the mark of a PDF is looked for
_ZIP_DIRECTORY_ENTRY = b"PK\x01\x02"
_MAX_ZIP_ENTRIES = 10_000
_SNIFFED = 65_536  # first bytes that tell text from other files

_SIGNATURES: Final[dict[str, tuple[bytes, ...]]] = {
    "old_word": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",),
    "executable": (
        b"MZ", b"\x7fELF", b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"#!",
    ),
    "image": (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\x00", b"MM\x00*", b"BM"),
    "archive": (b"\x1f\x8b", b"Rar!\x1a\x07", b"7z\xbc\xaf\x27\x1c", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"),
    "unsupported_type": (b"{\\rtf",),
}  # fmt: skip
_TEXT_LIKE_SIGNATURES = frozenset({b"MZ", b"BM", b"BZh"})  # letters: only with binary content behind them
_ARCHIVE_NAMES = re.compile(r"\.(zip|7z|rar|gz|bz2|xz|tar|jar|docx|docm|xlsx|pptx)$", re.IGNORECASE)
_MAIL_HEADER = re.compile(rb"^(from|to|date|subject|received|message-id|mime-version|return-path|cc):", re.I | re.M)
_HEADER_LINE = re.compile(rb"^(?:From .*|[!-9;-~]+:.*|[ \t].*)$")
_LEAST_MAIL_HEADER = 2  # ours: header lines of mail from which a text is a mail
_HTML = re.compile(rb"<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>]", re.IGNORECASE)


def kind_claimed(name: str) -> str | None:
    """Return the kind that a file's extension claims, None if it is not one we read; no extension claims plain text."""
    return _KIND_OF_EXTENSION.get(PurePath(name).suffix.lower())


def kind_detect(data: bytes, *, name: str, limits: Limits | None = None) -> str:
    """Tell the kind of a file.

    Rule: by content: PDF has "%PDF" in its first 1,024 bytes, DOCX is a zip with `[Content_Types].xml` and `word/`,
    another zip is an archive, e-mail starts with its headers,
    HTML has its tags near the start, passages are lines of JSON objects with id and text. Plain text and Markdown
    look alike, so there the extension decides. Where the content is decisive the extension must agree.

    Args:
        data: The whole file.
        name: Its name; only the extension is used.
        limits: Caps on what a zip may unpack to.

    Returns:
        "pdf", "docx", "html", "markdown", "text", "passages", "email" or "zip".

    Raises:
        FileRefused: The file is empty, dangerous, of another kind, or not what its name says.
    """
    if not data:
        raise FileRefused("empty_file")
    claimed = kind_claimed(name)
    kind = _by_signature(data, limits or Limits())
    if kind is None:
        kind = _by_text(data, claimed)
    if claimed is None and kind not in {"pdf", "docx"}:
        raise FileRefused("unsupported_type")
    if kind != claimed:
        raise FileRefused("not_a_pdf" if claimed == "pdf" else "wrong_extension")
    return kind


def _by_signature(data: bytes, limits: Limits) -> str | None:
    for reason, signatures in _SIGNATURES.items():
        for signature in filter(data.startswith, signatures):
            if signature not in _TEXT_LIKE_SIGNATURES or b"\x00" in data[:_SNIFFED]:
                raise FileRefused(reason)
    if b"%PDF" in data[:_PDF_WITHIN]:
        return "pdf"
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_kind(data, limits)
    return None


def _zip_kind(data: bytes, limits: Limits) -> str:
    # Counted before anything is built of them, and not taken from the end record: that may say anything.
    if data.count(_ZIP_DIRECTORY_ENTRY) > _MAX_ZIP_ENTRIES:
        raise FileRefused("bomb")
    try:
        members = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError) as error:
        raise FileRefused("damaged") from error
    names = {member.filename for member in members}
    is_office = "[Content_Types].xml" in names
    is_docx = is_office and any(name.startswith("word/") for name in names)
    if is_office and not is_docx:
        raise FileRefused("unsupported_type")
    if is_docx and any(name.lower().endswith("vbaproject.bin") for name in names):
        raise FileRefused("macro")
    if is_docx and any(_ARCHIVE_NAMES.search(name) for name in names):
        raise FileRefused("nested_archive")
    unpacked = sum(member.file_size for member in members)
    swollen = any(
        member.file_size > MEBIBYTE and member.file_size > limits.zip_ratio * max(1, member.compress_size)
        for member in members
    )
    if swollen or unpacked > limits.unzipped_bytes or unpacked > limits.zip_ratio * len(data):
        raise FileRefused("bomb")
    return "docx" if is_docx else "zip"


def _by_text(data: bytes, claimed: str | None) -> str:
    text = text_decode(data[:_SNIFFED] if len(data) <= _SNIFFED else _whole_characters(data[:_SNIFFED]))
    if claimed == "passages" or (claimed is None and _is_passage(text)):
        if not _is_passage(text):
            raise FileRefused("bad_line", "Line 1 of the passages file is not an object with id and text: correct it.")
        return "passages"
    if claimed == "email":
        if not _is_mail(data):
            raise FileRefused("wrong_extension")
        return "email"
    if claimed == "html" or (claimed not in {"text", "markdown"} and _HTML.search(data[:_SNIFFED])):
        return "html"
    return claimed if claimed in {"text", "markdown"} else "text"


def _is_mail(data: bytes) -> bool:
    """Whether a file starts with the headers of an e-mail: nothing but header lines, two or more of the usual ones."""
    head = re.split(rb"\r?\n\r?\n", data[:_SNIFFED].lstrip(b"\r\n"), maxsplit=1)[0]
    lines = head.splitlines()
    return all(_HEADER_LINE.match(line) for line in lines) and len(_MAIL_HEADER.findall(head)) >= _LEAST_MAIL_HEADER


def _whole_characters(data: bytes) -> bytes:
    """Cut at a line end, so that no character is cut in two; UTF-16 keeps an even length."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data[: len(data) // 2 * 2]
    end = data.rfind(b"\n")
    return data[: end + 1] if end > 0 else data[:-4]


def _is_passage(text: str) -> bool:
    first = next((line for line in text.splitlines() if line.strip()), "")
    try:
        row = json.loads(first)
    except RecursionError:
        return False
    except ValueError:
        # A first line longer than what was looked at is cut off; the parser will judge it.
        return len(first) >= _SNIFFED // 2 and first.lstrip().startswith("{")
    return isinstance(row, dict) and "id" in row and "text" in row
