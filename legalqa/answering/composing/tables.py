"""Rows of a table as a reader of sentences reads them: the first cell, then the others, each after its column’s head.

"Tax: Years: 7; Owner: Finance." is read, not "Tax 7 Finance": a row says nothing without the heads of its columns.
"""

from corpora.provisions.types import Piece, Provision
from corpora.tokens import tokens
from legalqa.answering.composing.types import PassageFound

ROWS_READ = 3  # ours: rows of a table that are read together: those that share most words with the question
_CELL = "\t"  # between the cells of a row, in the text of a table


def is_table(passage: PassageFound) -> bool:
    """Whether a passage is a table with heads above its rows."""
    return any(_is_row(piece, passage.ordinal) for piece in passage.provision.pieces)


def table_as_read(passage: PassageFound, question: str) -> str:
    """The rows of a table that are most like a question, as they are read; empty if a passage is no table."""
    rows = [place for place, piece in enumerate(passage.provision.pieces) if _is_row(piece, passage.ordinal)]
    wanted = set(tokens(question))

    def shared(place: int) -> int:
        return len(wanted & set(tokens(passage.provision.pieces[place].text)))

    likely = sorted(rows, key=lambda place: (-shared(place), place))[:ROWS_READ]
    return " ".join(row_as_read(passage.provision, place) for place in sorted(likely))


def row_as_read(provision: Provision, place: int) -> str:
    """A row of a table as it is read; empty where a piece is no row.

    >>> row_as_read(Provision("", (), "", (
    ...     Piece(0, 0, 0, "Class\\tYears", "stem"), Piece(0, 0, 0, "Tax\\t7", "item", needs=(0,)),
    ... ), (0,)), 1)
    'Tax: Years: 7.'
    """
    piece = provision.pieces[place]
    if not _is_row(piece, piece.ordinal):
        return ""
    heads = [provision.pieces[need].text for need in piece.needs if need < place][-1].splitlines()[-1].split(_CELL)
    subject, *cells = (cell.strip() for cell in piece.text.split(_CELL))
    said = (f"{head.strip()}: {cell}" for head, cell in zip(heads[1:], cells, strict=False) if cell)
    return f"{subject}: {'; '.join(said)}." if len(heads) > len(cells) else f"{subject}: {'; '.join(cells)}."


def _is_row(piece: Piece, ordinal: int) -> bool:
    """Whether a piece is a row of the table of a paragraph, below the heads of its columns."""
    return piece.ordinal == ordinal and piece.part == "item" and _CELL in piece.text and bool(piece.needs)
