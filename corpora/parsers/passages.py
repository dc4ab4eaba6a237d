"""Passages: lines of JSON, each a passage with its id."""

import json
from typing import Any

from corpora.parsers.assemble import document_assemble
from corpora.parsers.blocks import Block
from corpora.parsers.cleaning import clean_block, unmapped
from corpora.parsers.limits import Limits
from corpora.parsers.plain import text_decode
from corpora.parsers.reasons import FileRefused
from corpora.types import ParsedDocument

_MAX_ID_CHARACTERS = 200
_MAX_TITLE_CHARACTERS = 200
_MAX_LABEL_CHARACTERS = 80


def passages_parse(data: bytes, *, name: str, limits: Limits) -> ParsedDocument:
    """Read a passages file: one JSON object a line with `id` and `text`, and perhaps `title`, `page` and `label`.

    Rule: each passage is one paragraph; its title is the heading above it, its page number starts a page where it
    changes. Passages without text are left out and counted in a warning.

    Args:
        data: The file.
        name: Its name.
        limits: Caps on characters and pages.

    Returns:
        A document of passages.

    Raises:
        FileRefused: bad_line with the number of the line, no_text, too_many_characters, too_many_pages.
    """
    text = text_decode(data)
    if len(text) > limits.characters:
        raise FileRefused("too_many_characters")
    blocks: list[Block] = []
    empty = 0
    seen: set[str] = set()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        row = _row(line, number)
        identifier = _identifier(row, number, seen)
        content = clean_block(_text(row, "text", number)).text
        if not content:
            empty += 1
            continue
        title = " ".join(clean_block(_text(row, "title", number)).text.split())[:_MAX_TITLE_CHARACTERS]
        blocks.append(
            Block(
                unmapped(content),
                kind="passage",
                page=_page(row, number),
                path=(title,) if title else (),
                external_id=identifier,
                label=_label(row),
            )
        )
    warnings = (f"empty_passages:{empty}",) if empty else ()
    document = document_assemble(None, blocks, title="", name=name, warnings=warnings)
    if len(document.pages) > limits.pages:
        raise FileRefused("too_many_pages")
    return document


def _refused(number: int, what: str) -> FileRefused:
    return FileRefused("bad_line", f"Line {number} of the passages file {what}: correct the line and upload it again.")


def _row(line: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _refused(number, "is not JSON") from error
    if not isinstance(row, dict):
        raise _refused(number, "is not an object with id and text")
    return row


def _identifier(row: dict[str, Any], number: int, seen: set[str]) -> str:
    value = row.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _refused(number, "has no id")
    identifier = clean_block(str(value)).text
    if not identifier or len(identifier) > _MAX_ID_CHARACTERS:
        raise _refused(number, f"has an id that is empty or longer than {_MAX_ID_CHARACTERS} characters")
    if identifier in seen:
        raise _refused(number, f"repeats the id {identifier!r}")
    seen.add(identifier)
    return identifier


def _text(row: dict[str, Any], field: str, number: int) -> str:
    value = row.get(field, "" if field == "title" else None)
    if value is None and field == "title":
        return ""
    if not isinstance(value, str):
        raise _refused(number, f"has no {field} that is a string")
    return value


def _label(row: dict[str, Any]) -> str:
    """Return the passage's legal number; files of the ObliQA kind call it `passage_id`."""
    value = row.get("label", row.get("passage_id", ""))
    return " ".join(clean_block(value).text.split())[:_MAX_LABEL_CHARACTERS] if isinstance(value, str) else ""


def _page(row: dict[str, Any], number: int) -> int:
    value = row.get("page", 0)
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10_000_000:
        raise _refused(number, "has a page that is not a whole number from 1")
    return value
