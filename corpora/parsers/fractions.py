"""Fractions set over two lines: read as "ratio = numerator / denominator", so that neither half is lost."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from corpora.parsers.columns import Indices, Segment

BLANK, STROKE = -1, -2
"""What is in the indices of a segment for a character that is put in: a blank, and the stroke of a fraction."""

_LEAST_UNDERSCORES = 4
_THIN = 2.0  # points: what is drawn thicker than this is a box
_COVERED = 0.6  # share of the numerator's width that is above its bar
_FAR = 2.2  # heights of a letter from a half to the line below
_SLACK = 0.5  # share of a letter's height by which a half may begin before the end of the sign

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Glyphs:
    """The characters of a page with their boxes, upright; `strokes` gives the boxes of what is drawn, when asked."""

    characters: str
    boxes: Floats
    strokes: Callable[[], Floats]

    def text(self, segment: Segment) -> str:
        return "".join(self.characters[index] if index >= 0 else " " for index in segment.indices.tolist())


def fractions_join(lines: tuple[Segment, ...], glyphs: Glyphs) -> tuple[Segment, ...]:
    """Join the lines of each fraction to the right of an equals sign.

    Rule: a line right of the sign, over a bar of underscores or a drawn one, is the numerator of what is behind
    the sign on the next line; or, where nothing does, of the line after that. The stroke is put in, the underscores
    are left out; all other characters stay.

    Args:
        lines: In reading order.
        glyphs: What is on the page, and where.

    Returns:
        The lines, one for each fraction.
    """
    joined: list[Segment] = []
    place = 0
    while place < len(lines):
        below = lines[place + 1 : place + 3]
        sign = glyphs.text(below[0]).rfind("=") + 1 if below else 0
        used = 2 if sign and glyphs.text(below[0])[sign:].strip() else 3
        if sign and len(below) >= used - 1 and _is_fraction(lines[place], below, sign, glyphs):
            joined.append(_fraction(lines[place], below[0], below[used - 2], sign, glyphs))
            place += used
        else:
            joined.append(lines[place])
            place += 1
    return tuple(joined)


def _is_fraction(upper: Segment, below: tuple[Segment, ...], sign: int, glyphs: Glyphs) -> bool:
    named, lower = below[0], below[0] if glyphs.text(below[0])[sign:].strip() else below[1]
    edge = float(glyphs.boxes[named.indices[sign - 1], 2]) - _SLACK * named.height
    apart = lower is not named
    if upper.x0 < edge or (apart and lower.x0 < edge) or not glyphs.text(upper).strip("_ "):
        return False
    if upper.column != lower.column or not 0 < lower.y1 - upper.y1 < (_FAR if apart else _FAR * 0.75) * lower.height:
        return False
    right = lower.x1 if apart else named.x1
    return min(upper.x1, right) > max(upper.x0, edge) and (
        glyphs.text(upper).count("_") >= _LEAST_UNDERSCORES or _is_drawn(upper, lower, edge, glyphs.strokes())
    )


def _is_drawn(upper: Segment, lower: Segment, edge: float, strokes: Floats) -> bool:
    """Whether a thin line is drawn between two halves, below the whole of the upper one and nothing before it."""
    thin = (strokes[:, 3] - strokes[:, 1] <= _THIN) & (strokes[:, 0] >= edge)
    between = (strokes[:, 1] > upper.middle) & (strokes[:, 3] < lower.middle)
    covered = np.minimum(strokes[:, 2], upper.x1) - np.maximum(strokes[:, 0], upper.x0)
    return bool(np.any(thin & between & (covered >= _COVERED * (upper.x1 - upper.x0))))


def _fraction(upper: Segment, named: Segment, lower: Segment, sign: int, glyphs: Glyphs) -> Segment:
    start = sign if lower is named else 0
    rest = glyphs.text(lower)[start:]
    parts = (
        named.indices[:sign],
        [BLANK],
        _trimmed(upper, glyphs),
        [BLANK, STROKE, BLANK],
        lower.indices[start:][len(rest) - len(rest.lstrip()) :],
    )
    indices = np.concatenate([np.asarray(part, dtype=np.int64) for part in parts])
    return replace(lower, indices=indices, x0=named.x0, x1=max(upper.x1, lower.x1), gaps=(), marked=False)


def _trimmed(upper: Segment, glyphs: Glyphs) -> Indices:
    text = glyphs.text(upper)
    bare = text.strip("_ ")
    start = text.index(bare)
    return upper.indices[start : start + len(bare)]
