"""Footnotes: told from the body by place and height, and set where they do not cut a paragraph in two."""

import itertools
import re

from corpora.parsers.layout import Layout

_RULE = re.compile(r"[-–—_\s]{3,}")
_LOWER_PART = 0.35  # ours: share of the page's height below which notes begin
_MARK = re.compile(r"(?:\d{1,3}|[*†‡§]{1,3})(?:\s|$|[A-Z“\"(])")


def notes_split(layout: Layout) -> tuple[list[int], list[int]]:
    """Tell footnotes from the body.

    Rule: from the first line in the lower part of a page that starts with a raised number, or with a number in smaller
    print that goes on to the end of the page, or that is in smaller print below a line of dashes.

    Args:
        layout: The document's lines.

    Returns:
        Indices of body lines and of footnote lines.
    """
    notes: set[int] = set()
    starts = [*_page_starts(layout), len(layout.lines)]
    for start, end in itertools.pairwise(starts):
        first = min(
            _first_marked(layout, start, end), _first_small(layout, start, end), _after_rule(layout, start, end)
        )
        if start < first < end and _RULE.fullmatch(layout.texts[first - 1]):
            first -= 1
        if first > start:
            notes.update(range(first, end))
    return [index for index in range(len(layout.lines)) if index not in notes], sorted(notes)


def _first_marked(layout: Layout, start: int, end: int) -> int:
    for index in range(start, end):
        line = layout.lines[index]
        if line.marked and line.y > _LOWER_PART * layout.lines[end - 1].y:
            return index
    return end


def _after_rule(layout: Layout, start: int, end: int) -> int:
    """A note that goes on from the page before has no number, but is below a line of dashes in smaller print."""
    for index in range(start, end - 1):
        below = all(layout.small(place) for place in range(index + 1, end))
        if below and _RULE.fullmatch(layout.texts[index]):
            return index
    return end


def _first_small(layout: Layout, start: int, end: int) -> int:
    first = end
    while first > start and layout.small(first - 1):
        first -= 1
    while first < end and not _MARK.match(layout.texts[first]):
        first += 1
    return first


def _page_starts(layout: Layout) -> list[int]:
    return [index for index, line in enumerate(layout.lines) if index == 0 or layout.lines[index - 1].page != line.page]


def notes_weave(body: list[list[int]], notes: list[list[int]], layout: Layout) -> list[list[int]]:
    """Put each page's footnotes back among its paragraphs.

    Rule: pages partition the text, so a page's notes must be before the next page's first line. They are at
    the end of their page, or before its last paragraph if that one runs on; if it covers the whole page, it is cut
    after them.

    Args:
        body: Groups of body lines.
        notes: Groups of footnote lines.
        layout: The document's lines.

    Returns:
        All groups in an order in which page numbers never fall.
    """
    waiting = [cut for group in notes for cut in _by_page(layout, group)]
    woven: list[list[int]] = []
    queue = list(reversed(body))
    while queue:
        group = queue.pop()
        first, last = layout.lines[group[0]].page, layout.lines[group[-1]].page
        woven += _take(waiting, layout, before=first)
        if waiting and _page(layout, waiting[0]) < last:
            if _page(layout, waiting[0]) == first:
                woven += _take(waiting, layout, before=first + 1)
                queue.append(group)
            else:
                page = _page(layout, waiting[0])
                head = [index for index in group if layout.lines[index].page <= page]
                queue.append(group[len(head) :])
                woven.append(head)
            continue
        woven.append(group)
    return woven + waiting


def _take(waiting: list[list[int]], layout: Layout, *, before: int) -> list[list[int]]:
    notes = []
    while waiting and _page(layout, waiting[0]) < before:
        notes.append(waiting.pop(0))
    return notes


def _page(layout: Layout, group: list[int]) -> int:
    return layout.lines[group[0]].page


def _by_page(layout: Layout, group: list[int]) -> list[list[int]]:
    pages = sorted({layout.lines[index].page for index in group})
    return [[index for index in group if layout.lines[index].page == page] for page in pages]
