"""What the reader shows: paragraphs with marked words, rectangles on pages, and the outline."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from corpora.models import DocumentVersion, Page, Position
from corpora.parsers.highlight import Rect, span_rects
from corpora.selectors import page_list, position_list
from corpora.types import PageSpan
from legalqa.common.errors import ApplicationError

_MARK = re.compile(r"(\d{1,7}):(\d{1,9})-(\d{1,9})")
MAX_MARKS = 50


@dataclass(frozen=True, slots=True)
class Mark:
    """Words to highlight: offsets in the paragraph with that ordinal, as in `?at=17:10-90`."""

    ordinal: int
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.ordinal}:{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class Segment:
    text: str
    is_highlighted: bool


@dataclass(frozen=True, slots=True)
class ReaderParagraph:
    anchor: str
    kind: str
    level: int
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Highlight:
    """Marked words, with the page on which they start."""

    text: str
    page: int
    page_label: str
    mark: Mark


def marks_parse(values: Sequence[str]) -> tuple[Mark, ...]:
    """Read `ordinal:start-end` marks from a URL.

    Raises:
        ApplicationError: one has another form, or there are more than MAX_MARKS.
    """
    marks = []
    for value in values[: MAX_MARKS + 1]:
        match = _MARK.fullmatch(value)
        if match is None:
            raise ApplicationError(
                f"The place {value[:40]!r} is not of the form 17:10-90. Open the citation again.", code="bad_place"
            )
        marks.append(Mark(*(int(part) for part in match.groups())))
    if len(marks) > MAX_MARKS:
        raise ApplicationError(f"A link may mark at most {MAX_MARKS} places. Open fewer at once.", code="bad_place")
    return tuple(marks)


def highlight_list(*, version: DocumentVersion, marks: Sequence[Mark]) -> list[Highlight]:
    """The marked words of a version; marks that point outside it are left out."""
    positions = {p.ordinal: p for p in position_list(version=version, ordinals=[m.ordinal for m in marks])}
    return [
        Highlight(" ".join(text.split()), positions[mark.ordinal].page, positions[mark.ordinal].page_label, mark)
        for mark in marks
        if mark.ordinal in positions and (text := positions[mark.ordinal].paragraph.text[mark.start : mark.end])
    ]


def highlight_rects(*, version: DocumentVersion, marks: Sequence[Mark]) -> list[tuple[int, Rect]]:
    """The place of the marked words on the pages, one rectangle a line, over page breaks too; with the mark's place."""
    positions = {p.ordinal: p for p in position_list(version=version, ordinals=[m.ordinal for m in marks])}
    spans = [
        (p.start + mark.start, min(p.end, p.start + mark.end))
        for mark in marks
        if (p := positions.get(mark.ordinal)) is not None and mark.start < mark.end
    ]
    if not spans:
        return []
    low, high = min(start for start, _ in spans), max(end for _, end in spans)
    rows = page_list(version=version, with_boxes=True, span=(low, high))
    pages = [_page_span(page) for page in rows]
    return [(place, rect) for place, span in enumerate(spans) for rect in span_rects(pages, *span)]


def paragraph_views(*, version: DocumentVersion, marks: Sequence[Mark]) -> list[ReaderParagraph]:
    """Every paragraph of a version with its marked words, for documents that are shown as text."""
    by_ordinal: dict[int, list[Mark]] = {}
    for mark in marks:
        by_ordinal.setdefault(mark.ordinal, []).append(mark)
    return [
        ReaderParagraph(f"p{p.ordinal}", p.kind, p.level, _segments(p.paragraph.text, by_ordinal.get(p.ordinal, ())))
        for p in position_list(version=version)
    ]


def outline(*, version: DocumentVersion) -> list[dict[str, object]]:
    """The headings of a version with page and anchor; "level" counts those above it, from 1."""
    headings = Position.objects.filter(version=version, kind="heading").select_related("paragraph").order_by("ordinal")
    return [
        {
            "title": " ".join(h.paragraph.text.split()),
            "level": len(h.heading_path) + 1,
            "page": h.page,
            "page_label": h.page_label,
            "anchor": f"p{h.ordinal}",
        }
        for h in headings
    ]


def _segments(text: str, marks: Sequence[Mark]) -> tuple[Segment, ...]:
    text = text.rstrip()
    parts, at = [], 0
    for mark in sorted(marks, key=lambda m: m.start):
        start, end = max(at, mark.start), min(len(text), mark.end)
        if start >= end:
            continue
        parts += [Segment(text[at:start], is_highlighted=False), Segment(text[start:end], is_highlighted=True)]
        at = end
    parts.append(Segment(text[at:], is_highlighted=False))
    return tuple(part for part in parts if part.text)


def _page_span(page: Page) -> PageSpan:
    return PageSpan(page.number, page.label, page.start, page.end, page.width, page.height, bytes(page.boxes))
