"""What is usual on a page: body font and height, distance of lines, edges of the text."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from statistics import median

from corpora.parsers.lines import Line, SourceText

_STEP = 0.5  # lengths are counted in half points
_USUAL_SHARE = 0.25  # the largest distance that this share of wrapped lines keeps is the distance inside paragraphs
_LOCAL_EDGE_SHARE = 0.6  # a stack of lines narrower than this share of the column is not wrapped text of its own
_LARGE = 1.12  # a heading's letters against the body's
_BODY_SHARE = 0.2  # share of a page's characters from which the document's body style is the page's
_STOPS = (".", "!", "?", ":", ";", ".”", '."', "?”", '?"')
_SHORT_SHARE = 0.7
_MIN_STEPS = 5
_USUAL_LEADING = 1.2  # line heights from one line to the next, where a page has too few lines to tell
_BOLD = re.compile(r"bold|black|heavy|demi|bx", re.IGNORECASE)
_NAMELESS = re.compile(r"(?:[A-Z]{6}\+)?(?:CIDFont|Font|TT|F|T|R|C|G)[\d_+]*[A-Z]?\d*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Body:
    """What the running text of a page is set in."""

    height: float
    fonts: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Lines with measures of their surroundings, in parallel to `lines`; `leading_measure` adds `leading`."""

    lines: tuple[Line, ...]
    texts: tuple[str, ...]
    left: tuple[float, ...]
    right: tuple[float, ...]
    wrap: tuple[float, ...]
    leading: tuple[float, ...]
    body: dict[int, Body]
    ragged: bool

    def bold(self, index: int) -> bool:
        """Whether the line is in a bold font that is not the body's; a font without a telling name counts as bold."""
        line = self.lines[index]
        if not line.font or line.font in self.body[line.page].fonts:
            return False
        return bool(_BOLD.search(line.font) or _NAMELESS.match(line.font))

    def large(self, index: int) -> bool:
        return self.lines[index].height > _LARGE * self.body[self.lines[index].page].height

    def small(self, index: int) -> bool:
        return self.lines[index].height < self.body[self.lines[index].page].height / _LARGE

    def centred(self, index: int) -> bool:
        """Whether the line is in the middle of its column and leaves room on both sides."""
        line, left, right = self.lines[index], self.left[index], self.right[index]
        width = right - left
        aside = line.x0 - left > max(1.5 * line.height, 0.06 * width)
        return aside and abs((line.x0 + line.x1) / 2 - (left + right) / 2) < 0.03 * width + 0.5 * line.height

    def has_room(self, index: int, word: str) -> bool:
        """Whether a word would have fitted at the end of a line, so that the line end there was meant.

        In plain text that was set in a proportional font before, line ends scatter: there a line must end a sentence
        too, or be short.
        """
        line = self.lines[index]
        if self.ragged and not self.texts[index].endswith(_STOPS):
            return line.x1 - self.left[index] < _SHORT_SHARE * (self.wrap[index] - self.left[index])
        per_character = (line.x1 - line.x0) / max(1, len(self.texts[index]))
        return self.wrap[index] - line.x1 > (len(word) + 1) * per_character + 0.5 * line.height


def layout_measure(source: SourceText) -> Layout:
    """Measure the lines of a document.

    Args:
        source: Raw text with its lines.

    Returns:
        The layout.
    """
    lines = source.lines
    texts = tuple(source.text[line.start : line.end].strip() for line in lines)
    body = _bodies(lines)
    edges = _edges(lines)
    left = tuple(edges[line.page, line.column][0] for line in lines)
    right = tuple(edges[line.page, line.column][1] for line in lines)
    return Layout(
        lines=lines,
        texts=texts,
        left=left,
        right=right,
        wrap=_wrap_edges(lines, left, right),
        leading=(),
        body=body,
        ragged=source.boxes is None,
    )


def _bodies(lines: tuple[Line, ...]) -> dict[int, Body]:
    by_page: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        by_page[line.page].append(line)
    height, font = _most_common(lines)
    return {page: _body(group, height, font) for page, group in by_page.items()}


def _most_common(lines: Iterable[Line]) -> tuple[float, str]:
    heights: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    for line in lines:
        heights[_rounded(line.height)] += line.end - line.start
        if line.font:
            fonts[line.font] += line.end - line.start
    height = heights.most_common(1)[0][0] if heights else 1.0
    return max(height, 0.1), fonts.most_common(1)[0][0] if fonts else ""


def _body(lines: list[Line], usual_height: float, usual_font: str) -> Body:
    """The document's body where the page has a fair share of it, else what most of the page is set in."""
    total = sum(line.end - line.start for line in lines)
    same_height = sum(line.end - line.start for line in lines if abs(line.height - usual_height) <= _STEP)
    height, font = _most_common(lines)
    body_height = usual_height if same_height >= _BODY_SHARE * total else height
    return Body(body_height, frozenset({usual_font, font}))


def _edges(lines: tuple[Line, ...]) -> dict[tuple[int, int], tuple[float, float]]:
    """Return the edges of the text for each page and column; a page of short lines borrows the usual right."""
    groups: dict[tuple[int, int], list[Line]] = defaultdict(list)
    for line in lines:
        groups[line.page, line.column].append(line)
    rights: dict[int, list[float]] = defaultdict(list)
    for (_, column), group in groups.items():
        rights[column].append(max(line.x1 for line in group))
    return {
        (page, column): (min(line.x0 for line in group), max([*(line.x1 for line in group), median(rights[column])]))
        for (page, column), group in groups.items()
    }


def leading_measure(layout: Layout, notes: Collection[int]) -> Layout:
    """Add the usual distance of lines: of a page, a height, and the body or the footnotes, where text surely wraps.

    Args:
        layout: Lines with all other measures.
        notes: Indices of the lines of footnotes.

    Returns:
        The layout with `leading` filled.
    """
    apart = set(notes)
    keys = [(line.page, _rounded(line.height), index in apart) for index, line in enumerate(layout.lines)]
    steps: dict[tuple[int, float, bool], list[float]] = defaultdict(list)
    for index in range(1, len(layout.lines)):
        before, line = layout.lines[index - 1], layout.lines[index]
        step = line.y - before.y
        flows = before.page == line.page and before.column == line.column and 0 < step < 4 * line.height
        if flows and not layout.has_room(index - 1, layout.texts[index].split(" ")[0]):
            steps[keys[index]].append(step)
            steps[0, *keys[index][1:]].append(step)
    distances = {key: _usual(values) for key, values in steps.items() if len(values) >= (_MIN_STEPS if key[0] else 1)}
    everywhere = _usual([step for key, values in steps.items() if key[0] == 0 for step in values])
    leading = tuple(
        distances.get(key, distances.get((0, *key[1:]), everywhere or _USUAL_LEADING * line.height))
        for key, line in zip(keys, layout.lines, strict=True)
    )
    return replace(layout, leading=leading)


def _usual(steps: list[float]) -> float:
    """Return the largest distance that many lines keep: body text may be set wider than the footnotes of its page."""
    counts = Counter(_rounded(step) for step in steps)
    if not counts:
        return 0.0
    # Half a point more or less is the same distance: rounding must not split a usual one into two rare ones.
    least = max(2.0, _USUAL_SHARE * len(steps))
    return max(
        (step for step in counts if counts[step] + counts[step - _STEP] >= least), default=counts.most_common(1)[0][0]
    )


def _wrap_edges(lines: tuple[Line, ...], left: tuple[float, ...], right: tuple[float, ...]) -> tuple[float, ...]:
    """Return for each line where text wraps: the widest of its stack, for quotations that are set narrower."""
    edges: list[float] = []
    stack: list[int] = []
    for index in range(len(lines) + 1):
        if index < len(lines) and (not stack or _stacked(lines[stack[-1]], lines[index])):
            stack.append(index)
            continue
        widest = max(lines[place].x1 for place in stack) if stack else 0.0
        for place in stack:
            own = widest - lines[place].x0 >= _LOCAL_EDGE_SHARE * (right[place] - left[place])
            edges.append(widest if own and len(stack) >= 3 else right[place])
        stack = [index]
    return tuple(edges)


def _stacked(upper: Line, lower: Line) -> bool:
    same_flow = upper.page == lower.page and upper.column == lower.column
    return same_flow and abs(upper.x0 - lower.x0) < 4 * lower.height and 0 < lower.y - upper.y < 4 * lower.height


def _rounded(length: float) -> float:
    return round(length / _STEP) * _STEP
