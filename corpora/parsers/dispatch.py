"""Which reader for which kind of file."""

import importlib
from collections.abc import Callable
from typing import Final, cast

from corpora.parsers.detect import kind_claimed, kind_detect
from corpora.parsers.limits import Limits
from corpora.types import ParsedDocument, RecognisedPage

Reader = Callable[..., ParsedDocument]

MODULES: Final = {
    "pdf": "pdf",
    "docx": "docx",
    "email": "mail",
    "html": "html",
    "markdown": "markdown",
    "passages": "passages",
    "text": "plain",
}


def readers_load() -> None:
    """Import every reader, with all that it may need later on, when files can no longer be opened."""
    for kind in MODULES:
        _reader(kind)
    importlib.import_module("corpora.parsers.mail").rehearse()


def repair_load(name: str, data: bytes) -> None:
    """Import the library that repairs PDFs, as large as all readers together, for one that looks damaged."""
    if kind_claimed(name) == "pdf" and not importlib.import_module("corpora.parsers.pdf").looks_whole(data):
        importlib.import_module("corpora.parsers.unlock").import_ahead()


def _reader(kind: str) -> Reader:
    module = importlib.import_module(f"corpora.parsers.{MODULES[kind]}")
    return cast(Reader, getattr(module, f"{MODULES[kind]}_parse"))


def bytes_parse(
    data: bytes, *, name: str, limits: Limits, recognised: tuple[RecognisedPage, ...] = ()
) -> ParsedDocument:
    """Read a file in this process. Only `child.py` and tests call this: uploads go through `sandbox.parse_file`.

    Args:
        data: The file.
        name: Its name.
        limits: Caps on pages, characters and unpacked size.
        recognised: For PDF: its scanned pages as text recognition read them.

    Returns:
        The document.

    Raises:
        FileRefused: With a code of `reasons.REASONS`.
    """
    kind = kind_detect(data, name=name, limits=limits)
    if kind == "pdf":
        return _reader(kind)(data, name=name, limits=limits, recognised=recognised)
    return _reader(kind)(data, name=name, limits=limits)
