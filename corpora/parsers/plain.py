"""Plain text: lines with indents as geometry, form feeds as page breaks."""

import codecs
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, pairwise
from statistics import quantiles

from corpora.parsers.assemble import document_assemble
from corpora.parsers.blocks import Block
from corpora.parsers.cleaning import clean_slice, unmapped
from corpora.parsers.limits import Limits
from corpora.parsers.lines import Gap, Line, SourcePage, SourceText
from corpora.parsers.lost_breaks import lost_breaks
from corpora.parsers.numbering import bullet_match, enumerator_match
from corpora.parsers.paragraphs import paragraphs_build
from corpora.parsers.reasons import FileRefused
from corpora.parsers.running import EdgeLine, running_lines
from corpora.types import ParsedDocument

_TAB = 4  # columns of a tab
_MIN_PAGES = 2
_LONGEST_WRAPPED = 160  # characters; text with longer lines has a paragraph on each line
_ROW = re.compile(r"[^\n\f]*(?:\n|\f|$)")
_CELL_GAP = re.compile(r"(?<=\S)(?: {3,}|\t+ *)(?=\S)")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MAX_CONTROL_SHARE = 0.001
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def text_decode(data: bytes) -> str:
    """Decode a text file: by its byte order mark, else UTF-8, else Windows-1252.

    Args:
        data: The file.

    Returns:
        Its text without the mark.

    Raises:
        FileRefused: binary, if no character set fits or the text is full of control characters.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _checked(data[len(mark) :].decode(encoding, "replace"))
    for encoding in ("utf-8", "cp1252"):
        with suppress(UnicodeDecodeError):
            return _checked(data.decode(encoding))
    raise FileRefused("binary")


def _checked(text: str) -> str:
    if len(_CONTROLS.findall(text)) > max(2, _MAX_CONTROL_SHARE * len(text)):
        raise FileRefused("binary")
    return text


def plain_parse(data: bytes, *, name: str, limits: Limits) -> ParsedDocument:
    """Read a plain text file.

    Rule: lines wrapped by hand are joined by the rules for PDF, with the indent as left edge and empty lines as
    distance; a file with lines of more than 160 characters has a paragraph on each line, or several where the line
    ends of a page are lost (`lost_breaks`). A form feed starts a page.

    Args:
        data: The file.
        name: Its name.
        limits: Caps on pages and characters.

    Returns:
        Text with paragraphs; pages only if there are form feeds.

    Raises:
        FileRefused: binary, no_text, too_many_pages, too_many_characters.
    """
    text = text_decode(data).replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > limits.characters:
        raise FileRefused("too_many_characters")
    source = source_build(text)
    if len(source.pages) > limits.pages:
        raise FileRefused("too_many_pages")
    blocks = _blocks(source)
    return document_assemble(source, blocks, title="", name=name, warnings=())


def plain_blocks(text: str) -> list[Block]:
    """Read plain text inside another format: its paragraphs, by the rules for files, without their origins."""
    return [replace(block, content=unmapped(block.content.text)) for block in _blocks(source_build(text))]


def _blocks(source: SourceText) -> Sequence[Block]:
    lines = source.lines
    breaks = [lost_breaks(source.text[line.start : line.end]) for line in lines]
    broken = sum(line.end - line.start for line, places in zip(lines, breaks, strict=True) if places)
    if _is_wrapped(lines) and 2 * broken <= sum(line.end - line.start for line in lines):
        return paragraphs_build(source)
    return _line_blocks(source, breaks)


def source_build(text: str) -> SourceText:
    """Give the lines of a text places: one column a character, one row a line; a form feed starts a page.

    Args:
        text: With newlines as line ends.

    Returns:
        Its lines without the empty ones.
    """
    lines: list[Line] = []
    pages = [SourcePage(1, "1", 0.0, 0.0, 0)]
    for row, match in enumerate(_ROW.finditer(text), 1):
        content = match.group().rstrip("\n\f")
        if content.strip():
            lines.append(_line(content, match.start(), len(pages), row))
        if match.group().endswith("\f"):
            number = len(pages) + 1
            pages.append(SourcePage(number, str(number), 0.0, 0.0, match.end()))
    return SourceText(text, _without_running(lines, text, len(pages)), tuple(pages))


def _without_running(lines: list[Line], text: str, pages: int) -> tuple[Line, ...]:
    """Leave out headers and page numbers, where form feeds say what a page is."""
    if pages < _MIN_PAGES:
        return tuple(lines)
    by_page: list[list[EdgeLine]] = [[] for _ in range(pages)]
    for page, group in groupby(enumerate(lines), key=lambda entry: entry[1].page):
        members = list(group)
        first, rows = members[0][1].y, members[-1][1].y - members[0][1].y
        by_page[page - 1] = [
            EdgeLine(page, place, text[line.start : line.end], line.y - first, 1.0, rows) for place, line in members
        ]
    running = running_lines(by_page)
    return tuple(line for place, line in enumerate(lines) if (line.page, place) not in running)


def _line(content: str, start: int, page: int, row: int) -> Line:
    body = content.lstrip()
    margin = len(content) - len(body)
    indent = len(content[:margin].expandtabs(_TAB))
    body = body.rstrip()
    begin = start + margin
    gaps = tuple(
        Gap(begin + match.end(), float(indent + match.start()), float(indent + match.end()))
        for match in _CELL_GAP.finditer(body)
    )
    return Line(begin, begin + len(body), page, float(indent), float(indent + len(body)), float(row), 1.0, gaps=gaps)


def _is_wrapped(lines: tuple[Line, ...]) -> bool:
    if len(lines) < 2:
        return True
    lengths = [line.end - line.start for line in lines]
    return quantiles(lengths, n=20)[-1] <= _LONGEST_WRAPPED


def _line_blocks(source: SourceText, breaks: list[list[int]]) -> list[Block]:
    blocks = []
    for line, places in zip(source.lines, breaks, strict=True):
        for start, end in pairwise((line.start, *(line.start + place for place in places), line.end)):
            content = clean_slice(source.text, start, end)
            marker = bullet_match(content.text) or enumerator_match(content.text)
            blocks.append(Block(content, kind="list" if marker else "text"))
    return [block for block in blocks if block.content.text]
