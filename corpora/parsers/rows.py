"""Tables as text whose every row can be read by itself: the words of its column's head stand before each cell."""

import re
from collections.abc import Sequence

CELL_SEPARATOR = " | "
FIELD_SEPARATOR = "; "
_MAX_HEAD = 60
_MIN_COLUMNS, _MIN_ROWS = 3, 3
_FIGURE = re.compile(r"\d")


def rows_text(rows: Sequence[Sequence[str]], *, head: int | None = None) -> str:
    """Set a table as lines, one a row.

    Rule: under a head, a row reads "Group: Female; Applicants: 1181", so that a row that is found or quoted says what
    its figures are; empty cells are left out. The head itself, and a table without one, reads "cell | cell".

    Args:
        rows: Cells of each row, "" for an empty one; a merged cell stands in each row and column that it covers.
        head: How many rows at the top are its head, where the file says so; None to infer it (`has_head`).

    Returns:
        The lines; "" for a table without words.
    """
    if head is None:
        head = int(has_head(rows))
    heads = _joined_heads(rows[:head])
    lines = [CELL_SEPARATOR.join(_distinct(row)) for row in rows[:head]]
    lines += [
        _with_heads(row, heads) if heads else CELL_SEPARATOR.join(cell for cell in row if cell) for row in rows[head:]
    ]
    return "\n".join(line for line in lines if line)


def has_head(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row reads like the heads of columns.

    Rule: three columns and rows or more, all of one length; its cells are short, differ, and hold no figure, while
    every other row holds one. A table of two columns may as well be names and values, and has none.
    """
    if len(rows) < _MIN_ROWS or len(rows[0]) < _MIN_COLUMNS or any(len(row) != len(rows[0]) for row in rows):
        return False
    named = [cell for cell in rows[0] if cell]
    if len(named) < len(rows[0]) - 1 or len(set(named)) < len(named):
        return False
    plain = all(len(cell) <= _MAX_HEAD and not _FIGURE.search(cell) for cell in named)
    return plain and all(any(_FIGURE.search(cell) for cell in row) for row in rows[1:])


def _joined_heads(rows: Sequence[Sequence[str]]) -> list[str]:
    """One head a column: of two rows of heads, "Applicants, women"."""
    width = max((len(row) for row in rows), default=0)
    columns = [[row[place] for row in rows if place < len(row)] for place in range(width)]
    return [", ".join(_distinct(column)).rstrip(":") for column in columns]


def _with_heads(row: Sequence[str], heads: Sequence[str]) -> str:
    fields, before = [], ""
    for place, cell in enumerate(row):
        head = heads[place] if place < len(heads) else ""
        if cell and cell != before:  # a cell over two columns is said once
            fields.append(f"{head}: {cell}" if head and head != cell else cell)
        before = cell
    return FIELD_SEPARATOR.join(fields)


def _distinct(cells: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(cell for cell in cells if cell))
