"""Tables as CSV files: read as spreadsheet programs save them; of those that are written, no cell is a formula."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from legalqa.common.json_lines import LineError

# The same signs in full width, as East Asian keyboards type them; some spreadsheet programs read them alike.
FULL_WIDTH = ("\uff1d", "\uff0b", "\uff0d", "\uff20")
FORMULA_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", *FULL_WIDTH)


def csv_text(*, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """The table with a byte-order mark, without which spreadsheet programs take UTF-8 for something else."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([cell_harmless(cell) for cell in header])
    writer.writerows([cell_harmless(cell) for cell in row] for row in rows)
    return "\ufeff" + out.getvalue()


def csv_lines(text: str, *, refused: type[LineError]) -> Iterator[tuple[int, dict[str, str | None]]]:
    """The rows of a table by the names of its heading, each with the line on which it ends; None for a missing cell.

    Raises `refused` where columns are not divided by commas, where two have one name, where a row has more cells than
    the heading, and where quotation marks are wrong.
    """
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
    try:
        heading = [name.strip() for name in reader.fieldnames or ()]
        if len(heading) == 1 and any(sign in heading[0] for sign in ";\t"):
            raise refused(1, "the columns are divided by semicolons or tabs. Save the table with commas between them.")
        if twice := next((name for name in heading if name and heading.count(name) > 1), ""):
            raise refused(1, f"the column {twice[:40]!r} is there twice. Remove one, or rename it.")
        for row in reader:
            if any(row.pop(None, ())):  # cells beyond the heading
                raise refused(reader.line_num, "has more cells than the heading. Put quotation marks around commas.")
            yield reader.line_num, {name.strip(): cell for name, cell in row.items() if name}
    except csv.Error as error:
        raise refused(reader.reader.line_num, f"this is not a line of a CSV table: {error}.") from None


def cell_harmless(cell: object) -> str:
    """The cell as text that no spreadsheet program calculates: an apostrophe before what would begin a formula.

    Source: OWASP, CSV Injection. Blanks before the sign are looked through, as spreadsheet programs do.
    """
    text = "" if cell is None else str(cell)
    return f"'{text}" if text.startswith(FORMULA_BEGINNINGS) or text.lstrip().startswith(FORMULA_BEGINNINGS) else text
