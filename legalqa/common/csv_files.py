"""Tables as CSV files that a spreadsheet program may open: no cell of them is a formula."""

import csv
import io
from collections.abc import Iterable, Sequence

from django.http import HttpResponse

from legalqa.common.downloads import download

# The same signs in full width, as East Asian keyboards type them; some spreadsheet programs read them alike.
FULL_WIDTH = ("\uff1d", "\uff0b", "\uff0d", "\uff20")
FORMULA_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", *FULL_WIDTH)


def csv_response(*, name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    """The table as an attachment."""
    return download(csv_text(header=header, rows=rows), name=name, kind="text/csv; charset=utf-8")


def csv_text(*, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The table with a byte-order mark, without which spreadsheet programs take UTF-8 for something else."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([cell_harmless(cell) for cell in header])
    writer.writerows([cell_harmless(cell) for cell in row] for row in rows)
    return "\ufeff" + out.getvalue()


def cell_harmless(cell: object) -> str:
    """The cell as text that no spreadsheet program calculates: an apostrophe before what would begin a formula.

    Source: OWASP, CSV Injection. Blanks before the sign are looked through, as spreadsheet programs do.
    """
    text = "" if cell is None else str(cell)
    return f"'{text}" if text.startswith(FORMULA_BEGINNINGS) or text.lstrip().startswith(FORMULA_BEGINNINGS) else text
