"""The program that reads a file: `python -I child.py SOURCE_FD ANSWER_FD`, orders as JSON on standard input.

Started only by `sandbox.py`, under limits that `launch.py` has set. It gives up its rights before it looks at the first
byte.
"""

import importlib
import json
import os
import sys
from pathlib import Path

CODECS = (
    "ascii", "latin_1", "cp437", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
    "iso8859_2", "iso8859_5", "iso8859_7", "iso8859_9", "iso8859_15", "koi8_r", "utf_16", "utf_16_le", "utf_16_be",
    "utf_32", "utf_32_le", "utf_32_be", "gb18030", "gbk", "big5", "shift_jis", "euc_jp", "euc_kr",
)  # fmt: skip

LATE_IMPORTS = ("heapq", "bisect", "stringprep", "unicodedata", "traceback", "linecache", "tokenize")


def load(name: str, data: bytes) -> None:
    """Import what reading may need, also what libraries import late, while files of the installation can be opened.

    The name's extension says which reader: a file of another kind than its name is refused without one.
    """
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each thread reserves address space, which is limited
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    encodings_load()
    importlib.import_module("corpora.parsers.wire")
    from corpora.parsers.dispatch import reader_load

    reader_load(name, data)


def encodings_load() -> None:
    """Load the character sets that files use, and what the standard library imports late."""
    for module in (*(f"encodings.{codec}" for codec in CODECS), *LATE_IMPORTS):
        importlib.import_module(module)


def main() -> None:
    source, answer = int(sys.argv[1]), int(sys.argv[2])
    order = json.loads(sys.stdin.buffer.read())
    name, rows = order.pop("name"), order.pop("recognised")
    with os.fdopen(source, "rb") as file:
        data = file.read()
    load(name, data)
    from corpora.parsers.dispatch import bytes_parse
    from corpora.parsers.limits import Limits
    from corpora.parsers.reasons import FileRefused
    from corpora.parsers.rights import rights_drop
    from corpora.parsers.wire import document_dump, recognised_load, refusal_dump

    rights_drop()
    with os.fdopen(answer, "w", encoding="ascii") as out:
        try:
            document = bytes_parse(data, name=name, limits=Limits(**order), recognised=recognised_load(rows))
        except FileRefused as refused:
            out.write(refusal_dump(refused))
        else:
            out.writelines(document_dump(document))


if __name__ == "__main__":
    main()
