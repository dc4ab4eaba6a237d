"""Queries and settings as commands take them: one on the command line, or many in a JSONL file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from legalqa.common.errors import ApplicationError
from legalqa.common.json_lines import NotJson, json_read
from legalqa.common.text_files import file_read


def rows_read(path: str, *, needed: Sequence[str]) -> list[dict[str, Any]]:
    """The objects of a JSONL file.

    Raises:
        ApplicationError: there is no such file of UTF-8 text, nothing is in it, or a line is not an object in which the
            needed keys have a text (`id`: or a number); names the line.
    """
    name, rows = Path(path).name, []
    # By line feeds only: `splitlines` would also cut at characters that may occur inside a text.
    for number, line in enumerate(file_read(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json_read(line)
        except NotJson:
            row = None
        if not isinstance(row, dict) or not all(_is_given(row, key) for key in needed):
            raise ApplicationError(
                f"Line {number} of {name} is not a JSON object with {' and '.join(needed)}. Correct it.",
                code="bad_line",
            )
        rows.append(row)
    if not rows:
        raise ApplicationError(f"{name} is empty. Use one JSON object per line.", code="empty_file")
    return rows


def _is_given(row: dict[str, Any], key: str) -> bool:
    return isinstance(row.get(key), str) or (key == "id" and isinstance(row.get(key), int))


def settings_read(pairs: Sequence[str]) -> dict[str, str]:
    """`key=value` pairs of `--set` and `--filter`.

    Raises:
        ApplicationError: one has no equals sign, or its key is there twice.
    """
    settings = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise ApplicationError(f"{pair!r} is not of the form key=value. Correct it.", code="bad_setting")
        if key.strip() in settings:
            raise ApplicationError(f"{key.strip()!r} is given twice. Give it once.", code="repeated")
        settings[key.strip()] = value.strip()
    return settings
