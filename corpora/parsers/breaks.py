"""Does this line start a paragraph? One question, asked of every line but the first."""

import re

from corpora.parsers.layout import Layout
from corpora.parsers.numbering import bullet_match, enumerator_match, item_opens, structure_match

_GAP = 1.22  # distance of lines over the usual one at which a paragraph ends
_WIDEST_WRAP = 2.3
_TITLE_GAP = 3.2  # a heading's words may be this far below its number ("Article 5")
_STYLE_GAP = 1.06
_MAX_TITLE_LINES = 5
_AXIS = 0.16  # shift of two centred lines against each other, in heights of a letter
_WIDE = 0.55  # share of the column from which a centred line has wrapped
_INDENT = 0.6  # letter heights by which a first line is indented
_OTHER_HEIGHT = 1.12
_KEPT_TOGETHER = re.compile(
    r"(?:§+|(?:Articles?|Sections?|Annex|Annexes|Chapters?|Rules?|points?|paragraphs?)\s)?\s*\S+"
)
# No sentence and no item ends so; an item may with "; and".
_HANGING = re.compile(r"(?:\b(?:in|to|of|by|under|with|from|[Tt]he|on|at|for|as)|[^;,] (?:and|or))$")
_CLOSERS = "”\"’')]»"
_SENTENCE_ENDS = ".!?:;"
_LIST_GOES_ON = ("and", "or", ",", "—", "–")


def starts_paragraph(layout: Layout, group: list[int], index: int) -> bool:
    """Decide whether a line starts a paragraph or continues the previous one.

    Args:
        layout: The document's lines with their measures.
        group: Indices of the lines of the paragraph so far.
        index: Index of the line.

    Returns:
        True if a paragraph starts.
    """
    if _heading_goes_on(layout, group, index):
        return False
    if _flows(layout, group[-1], index):
        return _breaks_on_page(layout, group, index)
    return _breaks_over_pages(layout, group, index)


def _opens(text: str) -> bool:
    return structure_match(text) is not None or item_opens(text) or bool(bullet_match(text))


def _flows(layout: Layout, before: int, index: int) -> bool:
    upper, lower = layout.lines[before], layout.lines[index]
    return upper.page == lower.page and upper.column == lower.column and lower.y > upper.y - 0.5 * lower.height


def _distance(layout: Layout, before: int, index: int) -> float:
    return (layout.lines[index].y - layout.lines[before].y) / layout.leading[index]


def _heading_goes_on(layout: Layout, group: list[int], index: int) -> bool:
    """A division's number alone on its line takes the lines below that are its words; so do titles of several lines."""
    before, text = group[-1], layout.texts[index]
    if len(group) > _MAX_TITLE_LINES or _opens(text) or not _flows(layout, before, index):
        return False
    distance = _distance(layout, before, index)
    first = structure_match(layout.texts[group[0]])
    if first is not None and first.bare and not layout.texts[group[0]].endswith("."):
        if len(group) == 1:
            near = distance <= _TITLE_GAP and not text.endswith((".", ";", ","))
            stands_out = layout.bold(index) or layout.large(index)
            alike = stands_out and _same_style(layout, before, index)
            return near and (_same_axis(layout, before, index) or alike)
        return distance <= _GAP and _same_style(layout, before, index) and _same_axis(layout, before, index)
    centred = layout.centred(group[0]) and layout.centred(index)
    return centred and distance <= _GAP and _same_style(layout, before, index) and _title_wraps(layout, before, index)


def _same_axis(layout: Layout, before: int, index: int) -> bool:
    """Whether two lines are centred on the same axis, also where one of them fills the width."""
    upper, lower = layout.lines[before], layout.lines[index]
    shift = abs((upper.x0 + upper.x1) - (lower.x0 + lower.x1)) / 2
    return shift < _AXIS * lower.height and (layout.centred(before) or layout.centred(index))


def _title_wraps(layout: Layout, before: int, index: int) -> bool:
    if _ends_sentence(layout.texts[before]):
        return False
    wide = layout.lines[before].x1 - layout.lines[before].x0 > _WIDE * (layout.right[before] - layout.left[before])
    return wide or layout.bold(index) or layout.large(index)


def _same_style(layout: Layout, before: int, index: int) -> bool:
    upper, lower = layout.lines[before], layout.lines[index]
    return upper.font == lower.font and abs(upper.height - lower.height) < 0.1 * upper.height


def _breaks_on_page(layout: Layout, group: list[int], index: int) -> bool:
    before = group[-1]
    distance = _distance(layout, before, index)
    if _other_height(layout, before, index) or (distance > _GAP and not _surely_wraps(layout, before, index)):
        return True
    if _ends_early(layout, before, index) or _numbered_start(layout, group, index):
        return True
    is_heading = len(group) <= 3 and all(layout.bold(place) for place in group)
    if layout.bold(before) != layout.bold(index) and (distance > _STYLE_GAP or is_heading):
        return True
    return _indent_breaks(layout, group, index)


def _ends_early(layout: Layout, before: int, index: int) -> bool:
    """Whether a line ends although the next one's first word had room: there its paragraph is meant to end."""
    return layout.has_room(before, _first_word(layout, index)) and not _HANGING.search(layout.texts[before])


def _first_word(layout: Layout, index: int) -> str:
    """What had to fit at the end of the line before: a word, or a reference with its number, which printers keep."""
    match = _KEPT_TOGETHER.match(layout.texts[index])
    return match.group() if match else ""


def _surely_wraps(layout: Layout, before: int, index: int) -> bool:
    """A full line without a sentence end goes on below in the same print, also with a wider gap than usual."""
    if _ends_sentence(layout.texts[before]) or layout.has_room(before, _first_word(layout, index)):
        return False
    level = abs(layout.lines[before].x0 - layout.lines[index].x0) <= _INDENT * layout.lines[index].height
    near = _distance(layout, before, index) <= _WIDEST_WRAP
    return level and near and _same_style(layout, before, index) and not _opens(layout.texts[index])


def _other_height(layout: Layout, before: int, index: int) -> bool:
    heights = layout.lines[before].height, layout.lines[index].height
    long = min(len(layout.texts[before]), len(layout.texts[index])) > 3
    return long and max(heights) > _OTHER_HEIGHT * min(heights)


def _numbered_start(layout: Layout, group: list[int], index: int) -> bool:
    """Whether the line opens a division or an item, and not a wrapped reference such as "section | (a) of this"."""
    text, before = layout.texts[index], layout.texts[group[-1]]
    is_moved = abs(layout.lines[index].x0 - layout.lines[group[-1]].x0) > _INDENT * layout.lines[index].height
    if not _opens(text):
        return False
    if _ends_sentence(before):
        return True
    if structure_match(text):
        return layout.bold(index) or (layout.centred(index) and not _HANGING.search(before))
    if is_moved:
        return True
    return item_opens(text) and before.endswith(_LIST_GOES_ON)


def _ends_sentence(text: str) -> bool:
    return (
        text.rstrip(_CLOSERS + "0123456789 ")[-1:] in tuple(_SENTENCE_ENDS) and text[-1:] in _SENTENCE_ENDS + _CLOSERS
    )


def _indent_breaks(layout: Layout, group: list[int], index: int) -> bool:
    tolerance = _INDENT * layout.lines[index].height
    x0 = layout.lines[index].x0
    if len(group) > 1:  # a paragraph may start on the page before, where margins differ
        second = layout.lines[group[1]]
        return abs(x0 - second.x0) > tolerance and second.page == layout.lines[index].page
    shift = x0 - layout.lines[group[0]].x0
    text = layout.texts[group[0]]
    if abs(shift) <= tolerance:
        return _ends_sentence(text) and _first_of_indented(layout, index, tolerance)
    if shift < 0:
        return False  # the end of a first-line indent
    hanging = bool(enumerator_match(text) or bullet_match(text) or structure_match(text))
    return not hanging and _ends_sentence(text)


def _first_of_indented(layout: Layout, index: int, tolerance: float) -> bool:
    """Whether the next line is further left, as below the first line of a paragraph that opens with an indent."""
    after = index + 1
    if after >= len(layout.lines) or not _flows(layout, index, after):
        return False
    return layout.lines[index].x0 - layout.lines[after].x0 > tolerance and not _opens(layout.texts[after])


def _breaks_over_pages(layout: Layout, group: list[int], index: int) -> bool:
    """Over a page or column the distance says nothing: the sentence and the indents decide."""
    before, text = layout.texts[group[-1]], layout.texts[index]
    if _other_height(layout, group[-1], index) or layout.bold(group[-1]) != layout.bold(index):
        return True
    full = not _ends_early(layout, group[-1], index)
    if structure_match(text) and full and not _ends_sentence(before):
        return False
    if _opens(text):
        return True
    if text[:1].islower():
        return False
    if not full:
        return True
    if not _ends_sentence(before):
        return False
    return not _indented_like_rest(layout, group, index)


def _indented_like_rest(layout: Layout, group: list[int], index: int) -> bool:
    """In text whose paragraphs open with an indent, a line at the margin continues the paragraph."""
    if len(group) < 2:
        return False
    first, rest, x0 = (layout.lines[place].x0 for place in (group[0], group[1], index))
    tolerance = _INDENT * layout.lines[index].height
    return abs(first - rest) > tolerance and abs(x0 - rest) <= tolerance
