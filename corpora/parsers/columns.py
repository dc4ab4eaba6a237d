"""Reading order of a page: same-line parts joined, columns read one after the other."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from corpora.parsers.lines import Gap

Indices = NDArray[np.int64]

GAP_HEIGHTS = 1.3  # white space this many letter heights wide may be between two cells
_NEIGHBOUR_GAP = 2.5  # wider apart than this, two stretches are one line only if they look like cells of one row
_OVERLAP = 0.4
_CELL_OVERLAP = 0.8  # ours: share of the line height by which cells of one row overlap
_MARK_CHARACTERS = 3
_RAISED = 0.85  # height of a footnote's mark against its text
_MIN_COLUMN_LINES = 6
_MIN_LINE_CHARACTERS = 14
_NARROW = 0.6  # share of the width covered by text above which a line spans columns
_MIN_SHARE_IN_COLUMNS = 0.5
_BRIDGES = 0.12  # share of lines that may run across a gutter


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """A stretch of characters on one line: indices on the page (below 0: put in, see `fractions.py`), place, gaps."""

    indices: Indices
    x0: float
    x1: float
    y0: float
    y1: float
    font: str
    column: int = 0
    gaps: tuple[Gap, ...] = ()
    marked: bool = False

    @property
    def height(self) -> float:
        return max(self.y1 - self.y0, 0.1)

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2


def reading_order(segments: list[Segment], page_width: float) -> tuple[Segment, ...]:
    """Set the parts of a page in the order in which people read them.

    Rule: neighbours on one line become one line. If two or more stretches of the page's width each hold a stack of
    lines and most of the text, these are columns: the page is cut at lines that span them, and between two cuts
    each column is read from top to bottom. Otherwise lines go from top to bottom.

    Args:
        segments: Parts in the order of the file.
        page_width: Points.

    Returns:
        Lines in reading order, with their column.
    """
    lines = _join_neighbours(segments, widest=_NEIGHBOUR_GAP)
    columns = _columns(lines, page_width)
    if len(columns) < 2:
        ordered = sorted(lines, key=lambda line: (round(line.middle / 2), line.x0))
        return tuple(_join_neighbours(ordered, widest=float("inf")))
    return tuple(_by_column([replace(line, column=_column_of(line, columns)) for line in lines]))


def _join_neighbours(segments: list[Segment], *, widest: float) -> list[Segment]:
    joined: list[Segment] = []
    for segment in segments:
        if joined and _same_line(joined[-1], segment, widest):
            joined[-1] = _join(joined[-1], segment)
        else:
            joined.append(segment)
    return joined


def _same_line(left: Segment, right: Segment, widest: float) -> bool:
    overlap = min(left.y1, right.y1) - max(left.y0, right.y0)
    height, least = max(left.height, right.height), min(left.height, right.height)
    gap = right.x0 - left.x1
    if overlap < _OVERLAP * least or gap < -0.3 * height:
        return False
    if gap <= _NEIGHBOUR_GAP * height:
        return True
    return gap <= widest * height and overlap > _CELL_OVERLAP * height


def _join(left: Segment, right: Segment) -> Segment:
    large, small = (left, right) if len(left.indices) >= len(right.indices) else (right, left)
    gap = right.x0 - left.x1
    blank = np.array([-1] if gap > 0.15 * small.height else [], dtype=np.int64)
    start = len(left.indices) + len(blank)
    between = (Gap(start, left.x1, right.x0),) if gap > GAP_HEIGHTS * large.height else ()
    return Segment(
        indices=np.concatenate((left.indices, blank, right.indices)),
        x0=min(left.x0, right.x0),
        x1=max(left.x1, right.x1),
        y0=large.y0,
        y1=large.y1,
        font=large.font,
        marked=left.marked or (len(left.indices) <= _MARK_CHARACTERS and left.height < _RAISED * right.height),
        gaps=(*left.gaps, *between, *(replace(gap, offset=gap.offset + start) for gap in right.gaps)),
    )


def _columns(lines: list[Segment], page_width: float) -> list[tuple[float, float]]:
    """Return the left and right edges of the page's columns, [] if it has one."""
    long = [line for line in lines if len(line.indices) >= _MIN_LINE_CHARACTERS]
    if len(long) < 2 * _MIN_COLUMN_LINES:
        return []
    width = max(line.x1 for line in long) - min(line.x0 for line in long)
    narrow = [line for line in long if line.x1 - line.x0 < _NARROW * width]
    stretches = _covered(narrow, page_width)
    stacks = [[line for line in narrow if x0 <= line.x0 and line.x1 <= x1] for x0, x1 in stretches]
    stacks = [stack for stack in stacks if len(stack) >= _MIN_COLUMN_LINES]
    n_characters = sum(len(line.indices) for stack in stacks for line in stack)
    if len(stacks) < 2 or n_characters < _MIN_SHARE_IN_COLUMNS * sum(len(line.indices) for line in long):
        return []
    return [(min(line.x0 for line in stack), max(line.x1 for line in stack)) for stack in stacks]


def _covered(lines: list[Segment], page_width: float) -> list[tuple[float, float]]:
    """Return the stretches of the width that many lines cover; a title across the gutter does not close it."""
    counts = np.zeros(int(page_width) + 2, dtype=np.int32)
    for line in lines:
        counts[max(0, int(line.x0)) : max(0, int(line.x1)) + 1] += 1
    full = np.concatenate(([0], (counts > max(1, _BRIDGES * counts.max(initial=0))).astype(np.int8), [0]))
    edges = np.flatnonzero(np.diff(full))
    return [(float(x0) - 1, float(x1) + 1) for x0, x1 in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)]


def _column_of(line: Segment, columns: list[tuple[float, float]]) -> int:
    numbers = [number for number, (x0, x1) in enumerate(columns, 1) if line.x0 < x1 and line.x1 > x0]
    return numbers[0] if len(numbers) == 1 else 0


def _by_column(lines: list[Segment]) -> list[Segment]:
    ordered: list[Segment] = []
    band: list[Segment] = []
    for line in sorted(lines, key=lambda line: line.middle):
        if line.column == 0:
            ordered += sorted(band, key=lambda part: (part.column, part.middle))
            ordered.append(line)
            band = []
        else:
            band.append(line)
    return ordered + sorted(band, key=lambda part: (part.column, part.middle))
