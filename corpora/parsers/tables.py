"""Rows of a table: lines with white gutters that run through several of them."""

from corpora.parsers.layout import Layout
from corpora.parsers.lines import Gap, Line
from corpora.parsers.numbering import bullet_match, enumerator_match

_MIN_ROWS = 3
_MIN_SHARE = 0.6  # share of a table's lines that have a gutter; the rest are wrapped cells
_MAX_STEP = 2.4  # distance of two rows in letter heights
_HEADER_ROWS = 6
_SHORT = 0.55  # share of the column's width up to which a line above the first row is a header
_MARK_CHARACTERS = 6


def table_runs(layout: Layout) -> list[tuple[int, int]]:
    """Find the tables among the lines of a document.

    Rule: a run of near lines of one page, of which three or more and most have a wide gap; one gutter must run through
    most of these. The gap after "(a)" or a bullet does not count. Short lines right above in the same
    print belong to the table's head.

    Args:
        layout: The document's lines with their measures.

    Returns:
        Half-open ranges of line indices, in order, without overlap.
    """
    lines, texts = layout.lines, layout.texts
    gutters = [_gutters(line, text) for line, text in zip(lines, texts, strict=True)]
    runs: list[tuple[int, int]] = []
    start = 0
    while start < len(lines):
        end = _run_end(lines, gutters, start) if gutters[start] else start
        if end - start >= _MIN_ROWS and _is_table(gutters[start:end]):
            runs.append((_head(layout, start, runs[-1][1] if runs else 0), end))
            start = end
        else:
            start += 1
    return runs


def _gutters(line: Line, text: str) -> tuple[Gap, ...]:
    gaps = line.gaps
    mark = text[: gaps[0].offset - line.start].strip() if gaps else ""
    if 0 < len(mark) <= _MARK_CHARACTERS and (
        enumerator_match(f"{mark} x") or bullet_match(f"{mark} x") or mark.isdigit()
    ):
        return gaps[1:]
    return gaps


def _run_end(lines: tuple[Line, ...], gutters: list[tuple[Gap, ...]], start: int) -> int:
    """Return the end of the run of near lines from `start` on whose last line has a gutter."""
    end, place, without = start + 1, start + 1, 0
    while place < len(lines) and _near(lines[place - 1], lines[place]) and without < _MIN_ROWS:
        if gutters[place]:
            end, without = place + 1, 0
        else:
            without += 1
        place += 1
    return end


def _near(upper: Line, lower: Line) -> bool:
    same = upper.page == lower.page and upper.column == lower.column
    return same and -lower.height < lower.y - upper.y < _MAX_STEP * max(upper.height, lower.height)


def _is_table(rows: list[tuple[Gap, ...]]) -> bool:
    wide = [gaps for gaps in rows if gaps]
    if len(wide) < _MIN_ROWS or len(wide) < _MIN_SHARE * len(rows):
        return False
    middles = [(gap.x0 + gap.x1) / 2 for gaps in wide for gap in gaps]
    shared = max(sum(any(gap.x0 <= x <= gap.x1 for gap in gaps) for gaps in wide) for x in middles)
    return shared >= max(_MIN_ROWS, _MIN_SHARE * len(wide))


def _head(layout: Layout, start: int, floor: int) -> int:
    lines = layout.lines
    head = start
    while head > floor and start - head < _HEADER_ROWS and _near(lines[head - 1], lines[head]):
        above, text = head - 1, layout.texts[head - 1]
        wide = lines[above].x1 - lines[above].x0 > _SHORT * (layout.right[above] - layout.left[above])
        is_text = text.endswith((".", ":", ";")) or enumerator_match(text)
        if wide or layout.bold(above) or layout.large(above) or is_text:
            break
        head -= 1
    return head
