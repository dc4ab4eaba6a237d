"""Is a page empty, and how far was it turned on the scanner?"""

import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]

_DARK = 128  # grey value, 0 to 255, below which a point is ink
_BLANK_SHARE = 0.0004  # dark pixels of a page with nothing but specks on it
_MARGIN = 0.04  # share of each side that is left out: the scanner's shadow
_MAX_ANGLE = 6.0
_COARSE = 0.5  # degrees between two angles of the first search
_FINE = 0.1  # degrees between two angles of the second search
_LOOKED_AT = 700  # pixels of the longer side: enough to see lines


def is_blank(picture: Grey) -> bool:
    """Whether a page shows next to nothing, apart from the shadow at its edges."""
    down, across = (max(1, int(side * _MARGIN)) for side in picture.shape)
    inner = picture[down:-down, across:-across]
    return inner.size == 0 or float(np.mean(inner < _DARK)) < _BLANK_SHARE


def skew_angle(picture: Grey) -> float:
    """Tell by how many degrees the lines of a page fall to the right (they rise where it is negative).

    Rule: the angle within 6 degrees at which the rows of the page differ most in darkness, for then they run along
    the lines of text; first in steps of half a degree, then of a tenth around the best.

    Args:
        picture: Grey values, 0 is black.

    Returns:
        Degrees; 0.0 for a page without lines.
    """
    step = max(1, max(picture.shape) // _LOOKED_AT)
    rows, columns = np.nonzero(picture[::step, ::step] < _DARK)
    if len(rows) < _LOOKED_AT:
        return 0.0
    coarse = _best(rows, columns, np.arange(-_MAX_ANGLE, _MAX_ANGLE + _COARSE / 2, _COARSE))
    fine = _best(rows, columns, np.arange(coarse - _COARSE, coarse + _COARSE + _FINE / 2, _FINE))
    return 0.0 if abs(fine) >= _MAX_ANGLE else round(float(fine), 2)


def _best(rows: NDArray[np.int64], columns: NDArray[np.int64], angles: NDArray[np.float64]) -> float:
    scores = []
    for angle in angles:
        places = rows - columns * np.tan(np.radians(angle))
        counts = np.bincount((places - places.min()).astype(np.int64))
        scores.append(float(np.sum(np.diff(counts.astype(np.float64)) ** 2)))
    return float(angles[int(np.argmax(scores))])


def turned(picture: Grey, angle: float) -> Grey:
    """Turn a page about its middle so that lines that fall by `angle` degrees lie level; white comes in at the edges.

    Differs from a plain rotation by taking the nearest pixel: tesseract reads grey edges and sharp ones alike.
    """
    height, width = picture.shape
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    out = np.full_like(picture, 255)
    across = np.arange(width, dtype=np.float32) - width / 2
    for row in range(height):
        down = row - height / 2
        x = np.rint(cos * across - sin * down + width / 2).astype(np.int32)
        y = np.rint(sin * across + cos * down + height / 2).astype(np.int32)
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        out[row, inside] = picture[y[inside], x[inside]]
    return out


def turned_back(points: NDArray[np.float64], angle: float, width: int, height: int) -> NDArray[np.float64]:
    """Where points [n, 2] of a page that `turned` has turned by `angle` degrees were before, in pixels."""
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    across, down = points[:, 0] - width / 2, points[:, 1] - height / 2
    return np.stack((cos * across - sin * down + width / 2, sin * across + cos * down + height / 2), axis=1)
