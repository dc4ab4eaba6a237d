"""Queries and settings as commands take them: one on the command line, or many in a JSONL file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from legalqa.common.errors import ApplicationError


def rows_read(path: str, *, needed: Sequence[str]) -> list[dict[str, Any]]:
    """The objects of a JSONL file.

    Raises:
        ApplicationError: there is no such file, or a line is not an object with the needed keys; names the line.
    """
    file = Path(path)
    if not file.is_file():
        raise ApplicationError(f"There is no file {path!r}. Check the path.", code="no_such_file")
    rows = []
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            row = None
        if not isinstance(row, dict) or any(key not in row for key in needed):
            raise ApplicationError(
                f"Line {number} of {file.name} is not a JSON object with {' and '.join(needed)}. Correct it.",
                code="bad_line",
            )
        rows.append(row)
    return rows


def settings_read(pairs: Sequence[str]) -> dict[str, str]:
    """`key=value` pairs of `--set` and `--filter`.

    Raises:
        ApplicationError: one has no equals sign.
    """
    found = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise ApplicationError(f"{pair!r} is not of the form key=value. Write it so.", code="bad_setting")
        found[key.strip()] = value.strip()
    return found
