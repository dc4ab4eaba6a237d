"""A recognised page as a page like any other: characters with boxes, lines in reading order."""

import numpy as np

from corpora.parsers.columns import Segment, reading_order
from corpora.parsers.ocr import word_boxes
from corpora.parsers.pdf_pages import Floats, PageText, line_gaps
from corpora.types import RecognisedPage

_SAME_HEIGHT = 0.3  # lines differ this much in height just by their letters: "area" and "(Rule)"
_TALL = 90  # percentile of the words' heights: a line's height without its odd bracket
_BASELINE = 30  # percentile of the words' lower edges: most words hang no "g" below the line
_DESCENT = 0.25  # share of the letter height that is below the baseline
_MIN_WORDS = 5  # words a line needs to say how far the page is turned
_RULE = "_-—–=.|~"


def page_of_recognised(page: RecognisedPage, width: float, height: float) -> PageText:
    """Give the words of a recognised page the geometry that the paragraph builder reads.

    Rule: a word's box is shared out evenly among its characters. Lines are tesseract's; their heights are set to the
    page's usual one where they are near it, since a line's box depends on which letters it happens to hold, and they
    are on their baselines. Words of nothing but rules and leaders are left out.

    Args:
        page: Words with boxes.
        width: Of the page as shown, in points.
        height: Of the page as shown, in points.

    Returns:
        The page.
    """
    lines = [line for line in page.text.split("\n") if line]
    text = "\n".join(lines)
    boxes = _shared_out(text, word_boxes(page))
    level = _levelled(lines, boxes)
    spans = list(_spans(lines))
    heights = [_line_height(level[start:end], line) for (start, end), line in zip(spans, lines, strict=True)]
    usual = float(np.median(heights)) if heights else 0.0
    segments = [
        _segment(line, start, level[start:end], _usual(own, usual))
        for line, (start, end), own in zip(lines, spans, heights, strict=True)
        if line.strip(f"{_RULE} ")
    ]
    return PageText(width, height, height, text, boxes, reading_order(segments, width), truncated=False)


def _spans(lines: list[str]) -> list[tuple[int, int]]:
    spans, at = [], 0
    for line in lines:
        spans.append((at, at + len(line)))
        at += len(line) + 1
    return spans


def _shared_out(text: str, words: Floats) -> Floats:
    """A box for each character of the text; four zeros for blanks and line ends."""
    boxes = np.zeros((len(text), 4), dtype=np.float32)
    at = 0
    for word, (x0, y0, x1, y1) in zip(text.split(), words, strict=True):
        at = text.index(word, at)
        edges = np.linspace(x0, x1, len(word) + 1)
        boxes[at : at + len(word)] = np.stack(
            (edges[:-1], np.full(len(word), y0), edges[1:], np.full(len(word), y1)), 1
        )
        at += len(word)
    return boxes


def _levelled(lines: list[str], boxes: Floats) -> Floats:
    """The boxes with the page's skew taken out, so that a line's words are at one height."""
    slopes = []
    for line, (start, end) in zip(lines, _spans(lines), strict=True):
        line_boxes = boxes[start:end][boxes[start:end, 2] > 0]
        if len(line.split()) >= _MIN_WORDS and line_boxes[-1, 0] > line_boxes[0, 0]:
            slopes.append(np.polyfit(line_boxes[:, 0], (line_boxes[:, 1] + line_boxes[:, 3]) / 2, 1)[0])
    slope = float(np.median(slopes)) if slopes else 0.0
    level = boxes.copy()
    fall = slope * (boxes[:, 0] + boxes[:, 2]) / 2
    level[:, 1] -= fall
    level[:, 3] -= fall
    return level


def _line_height(boxes: Floats, line: str) -> float:
    heights = (boxes[:, 3] - boxes[:, 1])[boxes[:, 2] > 0]
    return float(np.percentile(heights, _TALL)) if line.strip() else 0.0


def _usual(own: float, usual: float) -> float:
    return usual if abs(own - usual) <= _SAME_HEIGHT * usual else own


def _segment(line: str, start: int, boxes: Floats, height: float) -> Segment:
    visible = np.flatnonzero(boxes[:, 2] > 0)
    visible_boxes = boxes[visible]
    bottom = float(np.percentile(visible_boxes[:, 3], _BASELINE)) + _DESCENT * height
    return Segment(
        indices=np.arange(start, start + len(line)),
        x0=float(visible_boxes[:, 0].min()),
        x1=float(visible_boxes[:, 2].max()),
        y0=bottom - height,
        y1=bottom,
        font="",
        gaps=line_gaps(visible, visible_boxes),
    )
