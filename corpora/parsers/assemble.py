"""Paragraphs in order -> one text with pages, spans and boxes."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from corpora.parsers.blocks import Block
from corpora.parsers.boxes import boxes_pack
from corpora.parsers.cleaning import INSERTED, Origins
from corpora.parsers.lines import Boxes, SourcePage, SourceText
from corpora.parsers.outline import Entry, outline_build
from corpora.parsers.reasons import FileRefused
from corpora.parsers.titles import Heading, title_guess
from corpora.types import PageSpan, ParagraphSpan, ParsedDocument

SEPARATOR = "\n\n"
OPENING = 20  # paragraphs among which a title is looked for, with the name that a law has for people


def document_assemble(
    source: SourceText | None, blocks: Iterable[Block], *, title: str, name: str, warnings: Iterable[str]
) -> ParsedDocument:
    """Join paragraphs into a document.

    Rule: paragraphs are separated by an empty line, which belongs to the previous one. A page starts at the first
    character that comes from it; the blank between two pages belongs to the earlier one.

    Args:
        source: Raw text that the origins of the blocks point into; None for formats without one.
        blocks: In reading order.
        title: As the file says, "" if it does not (then see `title_guess`).
        name: The file's name.
        warnings: Codes of `reasons.WARNINGS`.

    Returns:
        The document.

    Raises:
        FileRefused: no_text if there is no paragraph.
    """
    entries = outline_build(blocks, marks_headings=source is None)
    if not entries:
        raise FileRefused("no_text")
    parts: list[str] = []
    origins: list[Origins] = []
    spans: list[tuple[int, int]] = []
    offset = 0
    for place, entry in enumerate(entries):
        follows = place + 1 < len(entries) and not entries[place + 1].joined
        tail = SEPARATOR if follows else ""
        parts += (entry.content.text, tail)
        origins += (entry.content.origins, np.full(len(tail), INSERTED, dtype=np.int32))
        end = offset + len(entry.content.text) + len(tail)
        spans.append((offset, end))
        offset = end
    text = "".join(parts)
    map_ = np.concatenate(origins)
    pages = _pages(source, map_, entries, spans, len(text))
    starts = np.array([page.start for page in pages])
    paragraphs = tuple(_span(entry, span, pages, starts) for entry, span in zip(entries, spans, strict=True))
    replaced = ("replaced_characters",) if "\N{REPLACEMENT CHARACTER}" in text else ()
    all_warnings = tuple(dict.fromkeys((*warnings, *replaced)))
    headings = [Heading(entry.content.text, entry.level) for entry in entries if entry.kind == "heading"]
    opening = [entry.content.text for entry in entries[:OPENING]]
    guess = title_guess(title, headings, name, opening=opening)
    return ParsedDocument(text, pages, paragraphs, guess, all_warnings)


def _pages(
    source: SourceText | None, origins: Origins, entries: tuple[Entry, ...], spans: list[tuple[int, int]], length: int
) -> tuple[PageSpan, ...]:
    if source is None:
        return _pages_of_entries(entries, spans, length)
    places = np.flatnonzero(origins != INSERTED)
    raw_starts = np.array([page.start for page in source.pages[1:]], dtype=np.int64)
    indices = np.maximum.accumulate(np.searchsorted(raw_starts, origins[places], side="right"))
    firsts = np.searchsorted(indices, np.arange(1, len(source.pages)), side="left").tolist()
    cuts = [0, *(int(places[first]) if first < len(places) else length for first in firsts), length]
    return tuple(
        _page(page, start, end, source.boxes, origins[start:end])
        for page, start, end in zip(source.pages, cuts[:-1], cuts[1:], strict=True)
    )


def _page(page: SourcePage, start: int, end: int, boxes: Boxes | None, origins: Origins) -> PageSpan:
    packed = b""
    if boxes is not None:
        page_boxes = np.zeros((end - start, 4), dtype=np.uint16)
        known = origins != INSERTED
        page_boxes[known] = boxes[origins[known]]
        packed = boxes_pack(page_boxes)
    return PageSpan(page.number, page.label, start, end, page.width, page.height, packed, page.confidence)


def _pages_of_entries(entries: tuple[Entry, ...], spans: list[tuple[int, int]], length: int) -> tuple[PageSpan, ...]:
    """A page for each run of paragraphs with the same page number, counted from 1, labelled as given."""
    changes = [
        place for place, entry in enumerate(entries) if place == 0 or entry.page not in (0, entries[place - 1].page)
    ]
    starts = [spans[place][0] for place in changes]
    return tuple(
        PageSpan(number, str(entries[place].page or number), start, end, 0.0, 0.0, b"")
        for number, (place, start, end) in enumerate(zip(changes, starts, [*starts[1:], length], strict=True), 1)
    )


def _span(entry: Entry, span: tuple[int, int], pages: tuple[PageSpan, ...], starts: NDArray[np.int64]) -> ParagraphSpan:
    page = pages[max(0, int(np.searchsorted(starts, span[0], side="right")) - 1)]
    return ParagraphSpan(
        span[0], span[1], page.number, entry.kind, entry.level, entry.path, entry.label, entry.external_id
    )
