"""Lines with their place on the page: what the paragraph builder reads, from PDF and from plain text alike."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Boxes = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Gap:
    """White space inside a line, wide enough to be between two cells; the second cell starts at `offset`."""

    offset: int
    x0: float
    x1: float


@dataclass(frozen=True, slots=True)
class Line:
    """One printed line.

    Attributes:
        start: Offset of its first character in the raw text.
        end: Offset after its last character; the line end itself is not included.
        page: Page number from 1.
        x0: Left edge. Points for PDF, columns for plain text; so all lengths below.
        x1: Right edge.
        y: Bottom of the letters, growing downwards.
        height: Height of its letters.
        font: Name of the one font of the line, "" if it mixes several.
        column: Column of the page from 1; 0 if the line spans the page or the page has one column.
        gaps: Wide gaps in it, with offsets in the raw text.
        marked: Whether it starts with a raised number or sign, as footnotes do.
    """

    start: int
    end: int
    page: int
    x0: float
    x1: float
    y: float
    height: float
    font: str = ""
    column: int = 0
    gaps: tuple[Gap, ...] = ()
    marked: bool = False


@dataclass(frozen=True, slots=True)
class SourcePage:
    """A page as the file describes it: size in points as shown, and the offset where its raw text starts.

    `confidence` is that of text recognition, None for a page that has its text in the file.
    """

    number: int
    label: str
    width: float
    height: float
    start: int
    confidence: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class SourceText:
    """Raw text in reading order, one line end after each line, with boxes of its characters where there are any."""

    text: str
    lines: tuple[Line, ...]
    pages: tuple[SourcePage, ...]
    boxes: Boxes | None = None
