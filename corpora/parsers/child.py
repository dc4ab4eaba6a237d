"""Reading a file in a process of its own, which gives up its rights before a parser sees the first byte.

Called only by `server.py`, in a process that it has forked and limited for this one file.
"""

import importlib
import os
from typing import Any

from corpora.parsers.dispatch import bytes_parse, readers_load, repair_load
from corpora.parsers.limits import Limits
from corpora.parsers.reasons import FileRefused
from corpora.parsers.rights import rights_drop
from corpora.parsers.wire import document_dump, recognised_load, refusal_dump

CODECS = (
    "ascii", "latin_1", "cp437", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
    "iso8859_2", "iso8859_5", "iso8859_7", "iso8859_9", "iso8859_15", "koi8_r", "utf_16", "utf_16_le", "utf_16_be",
    "utf_32", "utf_32_le", "utf_32_be", "gb18030", "gbk", "big5", "shift_jis", "euc_jp", "euc_kr",
)  # fmt: skip

LATE_IMPORTS = ("heapq", "bisect", "stringprep", "unicodedata", "traceback", "linecache", "tokenize")


def libraries_load() -> None:
    """Import what reading files needs, also what libraries import late: half a second, once for all that are read."""
    encodings_load()
    readers_load()


def encodings_load() -> None:
    """Load the character sets that files use, and what the standard library imports late."""
    for module in (*(f"encodings.{codec}" for codec in CODECS), *LATE_IMPORTS):
        importlib.import_module(module)


def file_read(source: int, answer: int, order: dict[str, Any]) -> None:
    """Read a file without rights.

    Args:
        source: Descriptor of the file.
        answer: Descriptor that the document, or why there is none, is written to.
        order: The file's name, its recognised pages, and the limits.
    """
    name, rows = order.pop("name"), order.pop("recognised")
    with os.fdopen(source, "rb") as file:
        data = file.read()
    repair_load(name, data)
    rights_drop()
    with os.fdopen(answer, "w", encoding="ascii") as out:
        try:
            document = bytes_parse(data, name=name, limits=Limits(**order), recognised=recognised_load(rows))
        except FileRefused as refused:
            out.write(refusal_dump(refused))
        else:
            out.writelines(document_dump(document))
