"""The child's answer as lines of JSON, and the checks that the parent makes before it believes a word of it."""

import base64
import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import IO, Any

from corpora.parsers.boxes import page_boxes
from corpora.parsers.limits import Limits
from corpora.parsers.reasons import REASONS, FileRefused
from corpora.types import PageSpan, ParagraphSpan, ParsedDocument, RecognisedPage

logger = logging.getLogger(__name__)
_TEXT_PART = 1_000_000  # characters of a text in one line
_KINDS = frozenset({"heading", "text", "list", "table", "passage"})
_MAX_WARNINGS = 50
_MAX_SHORT = 1_000
_MAX_WARNING = 30_000  # every second page of 5,000
_MAX_PATH = 20
_MAX_PARAGRAPHS = 1_000_000  # ours: the child's own memory ends before
_LONGEST_LINE = 16_000_000  # a part of a text with every character escaped is 12 MB, the boxes of a full page 11


class _Inconsistent(ValueError):
    """What is wrong with the child's answer, by a rule and a value; it quotes nothing of the document."""


def document_dump(document: ParsedDocument) -> Iterator[str]:
    """Write a document as lines of JSON, the last of which says that it is complete."""
    yield _line("head", {"title": document.title, "warnings": document.warnings, "scanned": document.scanned})
    for start in range(0, len(document.text), _TEXT_PART):
        yield _line("text", document.text[start : start + _TEXT_PART])
    for page in document.pages:
        boxes = base64.b64encode(page.boxes).decode("ascii")
        yield _line(
            "page", [page.number, page.label, page.start, page.end, page.width, page.height, boxes, page.confidence]
        )
    for span in document.paragraphs:
        row = [span.start, span.end, span.page, span.kind, span.level, span.heading_path, span.label, span.external_id]
        yield _line("paragraph", row)
    yield _line("done", len(document.paragraphs))


def refusal_dump(refused: FileRefused) -> str:
    """Write a refusal as a line of JSON."""
    return _line("refused", [refused.code, refused.message, refused.scanned])


def recognised_dump(pages: Sequence[RecognisedPage]) -> list[list[Any]]:
    """Write recognised pages as rows of JSON, for the child."""
    return [[page.number, page.text, base64.b64encode(page.boxes).decode("ascii"), page.confidence] for page in pages]


def recognised_load(rows: list[list[Any]]) -> tuple[RecognisedPage, ...]:
    """Read what `recognised_dump` wrote."""
    return tuple(RecognisedPage(number, text, base64.b64decode(boxes), sure) for number, text, boxes, sure in rows)


def _line(kind: str, value: Any) -> str:
    return json.dumps([kind, value], ensure_ascii=True) + "\n"


def document_load(lines: Iterable[str], limits: Limits) -> ParsedDocument:
    """Read a document from the child's lines and check it.

    Rule: the child has read hostile bytes and may say anything. Types, sizes and kinds are checked, pages must
    partition the text, paragraphs must tile it, boxes must unpack to the length of their page. A last line that is
    cut off is left out; then the final line is missing and the answer is incomplete.

    Args:
        lines: Lines of the child's file.
        limits: Caps on pages and characters.

    Returns:
        The document.

    Raises:
        FileRefused: What the child refused, or bad_output.
    """
    try:
        document = _document(_rows(lines), limits)
        _check(document, limits)
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        # Python's own words may quote the document, so only the error's name is kept.
        logger.warning(
            "A result was discarded: %s", error if isinstance(error, _Inconsistent) else type(error).__name__
        )
        raise FileRefused("bad_output") from error
    return document


def lines_read(answer: IO[str]) -> Iterator[str]:
    """The lines of the child's file; one that is too long comes in parts, none of which is JSON."""
    return iter(partial(answer.readline, _LONGEST_LINE), "")


def _rows(lines: Iterable[str]) -> Iterator[tuple[str, Any]]:
    for line in lines:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(row, list) or len(row) != 2 or not isinstance(row[0], str):
            return
        yield row[0], row[1]


def _refusal(value: Any, limits: Limits) -> FileRefused:
    is_refusal = isinstance(value, list) and len(value) == 3 and all(isinstance(word, str) for word in value[:2])
    if not is_refusal or value[0] not in REASONS:
        return FileRefused("bad_output")
    try:
        return FileRefused(value[0], value[1][:_MAX_SHORT], scanned=_page_numbers(value[2], limits.pages))
    except (TypeError, _Inconsistent):
        return FileRefused("bad_output")


def _page_numbers(value: Any, pages: int) -> tuple[int, ...]:
    numbers = tuple(_integer(number) for number in value)
    if list(numbers) != sorted(set(numbers)) or any(not 1 <= number <= pages for number in numbers):
        raise _Inconsistent(f"numbers of scanned pages are not ascending from 1 to {pages}")
    return numbers


def _document(rows: Iterable[tuple[str, Any]], limits: Limits) -> ParsedDocument:
    """The document, each row checked as it comes: what is wrong or too much is not kept until the end.

    Raises:
        FileRefused: what the child refused.
    """
    head: Any = None
    kind, length = "", 0
    texts, pages, paragraphs = list[str](), list[PageSpan](), list[ParagraphSpan]()
    for kind, value in rows:
        if kind == "refused":
            raise _refusal(value, limits)
        if kind == "head":
            head = value
        elif kind == "text":
            texts.append(_string(value, _TEXT_PART))
            length += len(texts[-1])
        elif kind == "page":
            pages.append(_page(*value))
        elif kind == "paragraph":
            paragraphs.append(_paragraph(*value))
        if length > limits.characters or len(pages) > limits.pages or len(paragraphs) > _MAX_PARAGRAPHS:
            raise _Inconsistent(f"{length:,} characters, {len(pages):,} pages, {len(paragraphs):,} paragraphs so far")
    if kind != "done" or head is None:
        raise _Inconsistent("the answer is not complete")
    return ParsedDocument(
        text="".join(texts),
        pages=tuple(pages),
        paragraphs=tuple(paragraphs),
        title=_string(head["title"], _MAX_SHORT),
        warnings=tuple(_string(warning, _MAX_WARNING) for warning in head["warnings"][:_MAX_WARNINGS]),
        scanned=_page_numbers(head["scanned"], len(pages)),
    )


def _page(
    number: Any, label: Any, start: Any, end: Any, width: Any, height: Any, boxes: Any, confidence: Any
) -> PageSpan:
    packed = base64.b64decode(boxes, validate=True)
    sides = (float(width), float(height))
    if not all(0.0 <= side < 1e6 for side in sides):
        raise _Inconsistent(f"a page is {sides[0]:g} by {sides[1]:g} points, outside 0 to 1e6")
    sure = None if confidence is None else float(confidence)
    if sure is not None and not 0.0 <= sure <= 1.0:
        raise _Inconsistent(f"the confidence of a page is {sure:g}, outside 0 to 1")
    return PageSpan(_integer(number), _string(label, _MAX_SHORT), _integer(start), _integer(end), *sides, packed, sure)


def _paragraph(
    start: Any, end: Any, page: Any, kind: Any, level: Any, path: Any, label: Any, external_id: Any
) -> ParagraphSpan:
    if kind not in _KINDS or not isinstance(path, list) or len(path) > _MAX_PATH:
        raise _Inconsistent(f"a paragraph has an unknown kind, or a path of more than {_MAX_PATH} headings")
    return ParagraphSpan(
        start=_integer(start),
        end=_integer(end),
        page=_integer(page),
        kind=kind,
        level=_integer(level),
        heading_path=tuple(_string(title, _MAX_SHORT) for title in path),
        label=_string(label, _MAX_SHORT),
        external_id=_string(external_id, _MAX_SHORT),
    )


def _integer(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _Inconsistent(f"a {type(value).__name__} is in place of a whole number from 0")
    return value


def _string(value: Any, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest or "\x00" in value:
        raise _Inconsistent(f"a {type(value).__name__} is in place of at most {longest:,} characters without NUL")
    value.encode("utf-8")  # raises UnicodeEncodeError, a ValueError, for a lone surrogate
    return value


def _check(document: ParsedDocument, limits: Limits) -> None:
    length = len(document.text)
    if not 0 < length <= limits.characters or not document.pages or len(document.pages) > limits.pages:
        raise _Inconsistent(
            f"{length:,} characters on {len(document.pages):,} pages, outside 1 to {limits.characters:,} on 1 to "
            f"{limits.pages:,}"
        )
    _tile([(page.start, page.end) for page in document.pages], length, empty=True)
    _tile([(span.start, span.end) for span in document.paragraphs], length, empty=False)
    if [page.number for page in document.pages] != list(range(1, len(document.pages) + 1)):
        raise _Inconsistent(f"the pages are not numbered 1 to {len(document.pages)}")
    if any(not 1 <= span.page <= len(document.pages) for span in document.paragraphs):
        raise _Inconsistent(f"a paragraph is on no page from 1 to {len(document.pages)}")
    for page in document.pages:
        page_boxes(page)


def _tile(spans: list[tuple[int, int]], length: int, *, empty: bool) -> None:
    place = 0
    for start, end in spans:
        if start != place or end < start or (end == start and not empty):
            raise _Inconsistent(f"a span begins at {start} and ends at {end}, but the previous one ends at {place}")
        place = end
    if place != length:
        raise _Inconsistent(f"the spans end at {place}, the text at {length}")
