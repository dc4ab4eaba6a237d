"""From a span of text to rectangles on pages, for highlighting."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from corpora.parsers.boxes import TENTHS, page_boxes
from corpora.parsers.lines import Boxes
from corpora.types import PageSpan

_SAME_LINE = 0.5  # share of the lower of two boxes that must overlap in height
_GAP_HEIGHTS = 4.0  # a wider gap on one line starts a new rectangle: cells, or the next column


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle on a page, in points from the top left corner of the page as shown."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


def span_rects(pages: Iterable[PageSpan], start: int, end: int) -> tuple[Rect, ...]:
    """Return one rectangle for each line that a span of text covers, on each of its pages.

    Args:
        pages: Pages of the document; those outside the span may be left out.
        start: Offset in the document's text.
        end: Offset in the document's text, exclusive.

    Returns:
        Rectangles in reading order; none for formats without pages, and none for a span without printed characters.
    """
    rects: list[Rect] = []
    for page in pages:
        if page.end <= start or page.start >= end or not page.boxes:
            continue
        boxes = page_boxes(page)[max(start, page.start) - page.start : min(end, page.end) - page.start]
        rects += _merge(page.number, boxes[boxes.any(axis=1)])
    return tuple(rects)


def _merge(page: int, boxes: Boxes) -> list[Rect]:
    lines: list[tuple[float, float, float, float]] = []
    for x0, y0, x1, y1 in (boxes / TENTHS).tolist():
        if lines and _belongs(lines[-1], x0, y0, x1, y1):
            left, top, right, bottom = lines[-1]
            lines[-1] = (min(left, x0), min(top, y0), max(right, x1), max(bottom, y1))
        else:
            lines.append((x0, y0, x1, y1))
    return [Rect(page, *(float(np.round(value, 1)) for value in line)) for line in lines]


def _belongs(line: tuple[float, float, float, float], x0: float, y0: float, x1: float, y1: float) -> bool:
    left, top, right, bottom = line
    overlap = min(bottom, y1) - max(top, y0)
    least = min(bottom - top, y1 - y0)
    apart = max(x0 - right, left - x1)
    return overlap >= _SAME_LINE * least and apart <= _GAP_HEIGHTS * max(bottom - top, y1 - y0)
