"""Files of one JSON object a line, and what is wrong with a line of them."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar

from legalqa.common.errors import ApplicationError


class LineError(ApplicationError):
    """A line that does not fit its file: which one, what is wrong, what to do. Subclasses say of which kind of file."""

    kind: ClassVar[str]

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"Line {line}: {problem}", code=self.kind, extra={"line": line})


def json_object(line: int, raw: str, *, refused: type[LineError]) -> dict[str, Any]:
    """The object of a line; raises `refused` if it is not a JSON object."""
    try:
        document = json.loads(raw)
    except (json.JSONDecodeError, RecursionError):
        raise refused(line, "this is not valid JSON. Use one object per line.") from None
    if not isinstance(document, dict):
        raise refused(line, "this is not a JSON object. Use one object per line.")
    return document


def json_lines(text: str, *, refused: type[LineError]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a text with their line numbers, without blank lines.

    Raises `refused` at a line that is not a JSON object.
    """
    for line, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if raw.strip():
            yield line, json_object(line, raw, refused=refused)
