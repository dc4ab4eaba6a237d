"""Tables as text: one row a line, the words of the file and no others; the heads of the columns are known beside it."""

import re
from collections.abc import Sequence

CELL_SEPARATOR = "\t"  # what programs put between copied cells; a visible sign would not be the file's
_MAX_HEAD = 60
_MIN_COLUMNS = 3  # columns from which a table may have heads of columns
_MIN_ROWS = 3  # rows from which a table may have heads of columns
_FIGURE = re.compile(r"\d")


def rows_text(rows: Sequence[Sequence[str]]) -> str:
    """Set a table as lines, one a row, its cells with a tab between them; empty cells are left out.

    Args:
        rows: Cells of each row, "" for an empty one and for each further column of a merged one.

    Returns:
        The lines; "" for a table without words.
    """
    lines = (CELL_SEPARATOR.join(cell for cell in row if cell) for row in rows)
    return "\n".join(line for line in lines if line)


def rows_heads(rows: Sequence[Sequence[str]], *, head: int | None = None) -> str:
    """The heads of a table's columns in one line, for parts of it without them.

    Args:
        rows: As for `rows_text`.
        head: How many rows at the top are its head, where the file says so; None to infer it (`has_head`).

    Returns:
        The heads with commas between them; "" for a table without.
    """
    heads = rows[: int(has_head(rows)) if head is None else head]
    return ", ".join(dict.fromkeys(cell for row in heads for cell in row if cell))


def has_head(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row reads like the heads of columns.

    Rule: three columns and rows or more, all of one length; its cells are short, differ, and hold no figure, while
    every other row holds one. A table of two columns may as well be names and values, and has none.
    """
    if len(rows) < _MIN_ROWS or len(rows[0]) < _MIN_COLUMNS or any(len(row) != len(rows[0]) for row in rows):
        return False
    heads = [cell for cell in rows[0] if cell]
    if len(heads) < len(rows[0]) - 1 or len(set(heads)) < len(heads):
        return False
    plain = all(len(cell) <= _MAX_HEAD and not _FIGURE.search(cell) for cell in heads)
    return plain and all(any(_FIGURE.search(cell) for cell in row) for row in rows[1:])
