"""JSON that somebody sends: one text of it, or one object a line, and what is wrong with it."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar, NoReturn

from legalqa.common.errors import ApplicationError
from legalqa.common.storable import UNSTORABLE


class LineError(ApplicationError):
    """A line that does not fit its file: which one, what is wrong, what to do. Subclasses say of which kind of file."""

    kind: ClassVar[str]

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"Line {line}: {problem}", code=self.kind, extra={"line": line})


class NotJson(ValueError):
    """Why a text is no JSON, as the end of a sentence."""


def json_read(text: str | bytes) -> Any:
    """What a JSON text says, read strictly.

    Raises:
        NotJson: it is no JSON, says NaN or a key twice, or is nested deeper or has a number longer than Python reads.
    """
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    except NotJson:
        raise
    except (ValueError, RecursionError) as error:
        raise NotJson(json_fault(error)) from None


def json_fault(error: BaseException | None) -> str:
    """What the error of a JSON reader means, as the end of a sentence."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos + 1}"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return "it is nested too deeply" if isinstance(error, RecursionError) else "a number has too many digits"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in fields if names.count(name) > 1)
        raise NotJson(f"the key {twice[:40]!r} occurs twice in an object")
    return fields


def _refuse(word: str) -> NoReturn:
    raise NotJson(f"{word} is not a JSON number")


def json_object(line: int, raw: str, *, refused: type[LineError]) -> dict[str, Any]:
    """The object of a line; raises `refused` if it is not a JSON object."""
    try:
        document = json_read(raw)
    except NotJson as error:
        raise refused(line, f"this is not valid JSON: {error}. Use one object per line.") from None
    if not isinstance(document, dict):
        raise refused(line, "this is not a JSON object. Use one object per line.")
    return document


def line_text(line: int, key: str, value: Any, *, longest: int, refused: type[LineError]) -> str:
    """The text of a field of a line; raises `refused` if it is none, cannot be stored or is longer."""
    if not isinstance(value, str):
        raise refused(line, f"{key} must be text in quotation marks.")
    if UNSTORABLE.search(value):
        raise refused(line, f"{key} contains NUL or half a surrogate pair, which cannot be stored. Remove it.")
    if len(value) > longest:
        raise refused(line, f"{key} has {len(value):,} characters; at most {longest:,} are kept. Shorten it.")
    return value


def json_lines(text: str, *, refused: type[LineError]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a text with their line numbers, without blank lines.

    Raises `refused` at a line that is not a JSON object.
    """
    for line, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if raw.strip():
            yield line, json_object(line, raw, refused=refused)
