"""Characters, boxes and lines of one PDF page, in the coordinates of the page as shown."""

import ctypes
import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.ma  # its median imports this late, when files can no longer be opened
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from corpora.parsers.columns import GAP_HEIGHTS, Segment, reading_order
from corpora.parsers.fractions import BLANK, Glyphs, fractions_join
from corpora.parsers.lines import Gap

Floats = NDArray[np.float32]
Indices = NDArray[np.int64]

_HYPHEN_AT_LINE_END = (
    0x02  # PDFium's sign for a hyphen that it takes for a broken word; the line end itself is left out
)
_BLANKS = np.array([0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20, 0xA0, 0x00], dtype=np.uint32)
_FONT_NAME_BYTES = 64
_ANGLE_SAMPLE = 50  # characters of a page whose angle is read
_RIGHT_TO_LEFT = (0x0590, 0x08FF)  # Hebrew to Arabic Extended-A
_MARKS = "0123456789*†‡§"
_RAISED = 0.85  # height of a footnote's mark against its text
_LIFTED = 0.1  # share of the letter height by which a raised sign's foot is above the line's


@dataclass(frozen=True, slots=True, eq=False)
class PageText:
    """What a page says.

    Attributes:
        width: Of the page as shown, in points.
        height: Of the page as shown, in points.
        depth: How far lines go down, seen with its text upright; the height, or the width where text is sideways.
        characters: In the order of the file.
        boxes: x0, y0, x1, y1 of each character in points from the top left corner of the page as shown.
        segments: Lines in reading order with the indices of their characters; their places are those of upright text.
        truncated: Whether characters beyond the limit were left out.
    """

    width: float
    height: float
    depth: float
    characters: str
    boxes: Floats
    segments: tuple[Segment, ...]
    truncated: bool


def page_read(page: Any, limit: int) -> PageText:
    """Read the characters of a page and set them in lines in reading order.

    Args:
        page: A page of pypdfium2.
        limit: Characters of a page; what is beyond is left out and `truncated` set.

    Returns:
        The page; boxes are x0, y0, x1, y1 in points from the top left corner of the page as shown.
    """
    textpage = page.get_textpage()
    try:
        total = max(0, pdfium_c.FPDFText_CountChars(textpage.raw))
        count = min(total, limit)
        codes, raw_boxes = _characters(textpage.raw, count)
        width, height = page.get_size()
        boxes = _turned(page, raw_boxes, page.get_rotation())
        codes[codes > 0x10FFFF] = 0xFFFD
        codes[_outside(boxes, width, height)] = ord(" ")
        codes = _glyphs_in_reading_order(codes, boxes)
        codes[(codes == _HYPHEN_AT_LINE_END) | (codes == 0xFFFE)] = ord("-")
        upright = _upright(textpage.raw, codes)
        turned = (upright - page.get_rotation()) % 180 != 0
        places = _turned(page, raw_boxes, upright)
        segments = _segments(textpage.raw, codes, places)
        text = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        lines = reading_order(segments, height if turned else width)
        lines = fractions_join(lines, Glyphs(text, places, lambda: _drawn(page, upright)))
        return PageText(width, height, width if turned else height, text, boxes, lines, total > count)
    finally:
        textpage.close()


def _characters(textpage: Any, count: int) -> tuple[NDArray[np.uint32], Floats]:
    """Return code points and loose boxes (left, top, right, bottom in user space; as high as the font)."""
    codes = np.zeros(count, dtype=np.uint32)
    if not count:
        return codes, np.zeros((0, 4), dtype=np.float32)
    buffer = (pdfium_c.FS_RECTF * count)()
    box, code = pdfium_c.FPDFText_GetLooseCharBox, pdfium_c.FPDFText_GetUnicode
    for index in range(count):
        box(textpage, index, buffer[index])
        codes[index] = code(textpage, index)
    return codes, np.frombuffer(buffer, dtype=np.float32).reshape(count, 4).copy()


def _turned(page: Any, boxes: Floats, rotation: int) -> Floats:
    """Turn user space into the page as it looks after a clockwise rotation: cropped, origin at the top left."""
    left, bottom, right, top = page.get_bbox()
    across, along = right - left, top - bottom
    x0, x1 = boxes[:, 0] - left, boxes[:, 2] - left
    y0, y1 = boxes[:, 3] - bottom, boxes[:, 1] - bottom
    edges = {
        0: (x0, along - y1, x1, along - y0),
        90: (y0, x0, y1, x1),
        180: (across - x1, y0, across - x0, y1),
        270: (along - y1, across - x1, along - y0, across - x0),
    }[rotation % 360]
    return np.stack(edges, axis=1).astype(np.float32)


def _drawn(page: Any, rotation: int) -> Floats:
    """Boxes of the lines and areas drawn on the page, turned as the text is."""
    paths = page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_PATH], max_depth=3)
    bounds = [(left, top, right, bottom) for left, bottom, right, top in (path.get_bounds() for path in paths)]
    return _turned(page, np.array(bounds, dtype=np.float32).reshape(-1, 4), rotation)


def _outside(boxes: Floats, width: float, height: float) -> NDArray[np.bool_]:
    """Which characters are beside the page, where nobody can read them: names of layers, leftovers of a crop."""
    beside = (boxes[:, 2] <= 0) | (boxes[:, 0] >= width)
    return beside | (boxes[:, 3] <= 0) | (boxes[:, 1] >= height)


def _glyphs_in_reading_order(codes: NDArray[np.uint32], boxes: Floats) -> NDArray[np.uint32]:
    """Turn the letters of one right-to-left glyph around: PDFium gives those of a ligature from left to right.

    They are letters one behind the other in the very same box.
    """
    from_right = (codes >= _RIGHT_TO_LEFT[0]) & (codes <= _RIGHT_TO_LEFT[1])
    if not from_right.any():
        return codes
    same = from_right[1:] & from_right[:-1] & np.all(boxes[1:] == boxes[:-1], axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate(([0], same.astype(np.int8), [0]))))
    turned = codes.copy()
    for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        turned[first : last + 1] = codes[first : last + 1][::-1]
    return turned


def _upright(textpage: Any, codes: NDArray[np.uint32]) -> int:
    """Return the clockwise rotation of the page, in degrees, after which most of its text is upright."""
    visible = np.flatnonzero(~np.isin(codes, _BLANKS))
    sample = visible[:: max(1, len(visible) // _ANGLE_SAMPLE)].tolist()
    angles = (pdfium_c.FPDFText_GetCharAngle(textpage, index) for index in sample)
    quarters = Counter(round(angle / (math.pi / 2)) % 4 for angle in angles if angle >= 0)
    return 90 * quarters.most_common(1)[0][0] if quarters else 0


def _segments(textpage: Any, codes: NDArray[np.uint32], boxes: Floats) -> list[Segment]:
    """Cut the stream of characters where PDFium ends a line and where the height on the page jumps."""
    visible = np.flatnonzero(~np.isin(codes, _BLANKS))
    if not len(visible):
        return []
    heights = boxes[visible, 3] - boxes[visible, 1]
    middles = (boxes[visible, 3] + boxes[visible, 1]) / 2
    jumps = np.abs(np.diff(middles)) > 0.6 * np.maximum(np.maximum(heights[1:], heights[:-1]), 1.0)
    ends = np.cumsum(np.isin(codes, (0x0A, 0x0D)))
    breaks = jumps | (np.diff(ends[visible]) > 0)
    starts = np.concatenate(([0], np.flatnonzero(breaks) + 1, [len(visible)]))
    return [
        _segment(textpage, codes, boxes, visible[first:last])
        for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]


def _segment(textpage: Any, codes: NDArray[np.uint32], boxes: Floats, visible: Indices) -> Segment:
    indices = np.arange(visible[0], visible[-1] + 1)
    indices = indices[~np.isin(codes[indices], (0x0A, 0x0D))]
    visible_boxes = boxes[visible]
    gaps = line_gaps(np.searchsorted(indices, visible), visible_boxes)
    glued = np.searchsorted(indices, visible[_glued_marks(codes[visible], visible, visible_boxes)])
    fonts = {_font(textpage, int(visible[place])) for place in {0, len(visible) // 2, len(visible) - 1}}
    return Segment(
        indices=np.insert(indices, glued, BLANK),
        x0=float(visible_boxes[:, 0].min()),
        x1=float(visible_boxes[:, 2].max()),
        y0=float(np.median(visible_boxes[:, 1])),
        y1=float(np.median(visible_boxes[:, 3])),
        font=fonts.pop() if len(fonts) == 1 else "",
        gaps=tuple(replace(gap, offset=gap.offset + int(np.sum(glued < gap.offset))) for gap in gaps),
        marked=chr(codes[visible[0]]) in _MARKS and _raised(visible_boxes),
    )


def _glued_marks(codes: NDArray[np.uint32], visible: Indices, boxes: Floats) -> Indices:
    """Places of raised figures right behind a word, as of footnotes: a blank keeps "Board" from becoming "Board4".

    What follows a figure stays with it: the power in "m2" has a word before it as well, but is as short as a mark, so
    words of one letter are left alone.
    """
    height, bottom = np.median(boxes[:, 3] - boxes[:, 1]), np.median(boxes[:, 3])
    small = (boxes[:, 3] - boxes[:, 1] < _RAISED * height) & (boxes[:, 3] < bottom - _LIFTED * height)
    figure = (codes >= ord("0")) & (codes <= ord("9")) & small
    behind = np.flatnonzero(figure[1:] & ~figure[:-1] & ~small[:-1] & (np.diff(visible) == 1)) + 1
    words = [place for place in behind.tolist() if place >= 2 and visible[place] - visible[place - 2] == 2]
    spelt = [place for place in words if not chr(codes[place - 1]).isdigit()]
    return np.array(spelt, dtype=np.int64)


def _raised(boxes: Floats) -> bool:
    heights = boxes[:, 3] - boxes[:, 1]
    return bool(heights[0] < _RAISED * np.median(heights))


def line_gaps(places: Indices, boxes: Floats) -> tuple[Gap, ...]:
    """White space in a line that may be between two cells.

    Args:
        places: Of the visible characters within the line.
        boxes: Their boxes.
    """
    height = float(np.median(boxes[:, 3] - boxes[:, 1]))
    wide = np.flatnonzero(boxes[1:, 0] - boxes[:-1, 2] > GAP_HEIGHTS * max(height, 0.1))
    return tuple(
        Gap(int(places[place + 1]), float(boxes[place, 2]), float(boxes[place + 1, 0])) for place in wide.tolist()
    )


def _font(textpage: Any, index: int) -> str:
    name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
    pdfium_c.FPDFText_GetFontInfo(textpage, index, name, _FONT_NAME_BYTES, ctypes.byref(ctypes.c_int()))
    return name.value.decode("utf-8", "replace")
