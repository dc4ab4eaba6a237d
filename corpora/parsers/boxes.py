"""Character boxes of a page as stored: tenths of a point, packed."""

import zlib

import numpy as np

from corpora.parsers.lines import Boxes
from corpora.types import PageSpan

TENTHS = 10.0  # steps of a stored coordinate in a point
BOX_LIMIT = 65_535  # greatest coordinate that two bytes hold
BYTES_PER_CHARACTER = 8  # four coordinates of two bytes


def boxes_pack(boxes: Boxes) -> bytes:
    """Pack an array [characters, 4] of x0, y0, x1, y1 in tenths of a point from the top left."""
    return zlib.compress(np.ascontiguousarray(boxes, dtype="<u2").tobytes(), 6)


def page_boxes(page: PageSpan) -> Boxes:
    """Unpack the boxes of a page.

    Args:
        page: A page of a parsed document.

    Returns:
        Array [page.end - page.start, 4] in tenths of a point; four zeros for a character without a box. An array of
        zeros for formats without pages.

    Raises:
        ValueError: The packed boxes do not fit the page's length.
    """
    length = page.end - page.start
    if not page.boxes:
        return np.zeros((length, 4), dtype=np.uint16)
    expected = length * BYTES_PER_CHARACTER
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(page.boxes, expected + 1)
    except zlib.error as error:
        raise ValueError(f"The boxes of page {page.number} cannot be unpacked: {error}.") from error
    if len(data) != expected or not unpacker.eof:
        raise ValueError(f"The boxes of page {page.number} do not fit its {length} characters.")
    return np.frombuffer(data, dtype="<u2").astype(np.uint16).reshape(length, 4)
