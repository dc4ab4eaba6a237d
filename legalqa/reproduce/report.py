"""Results as people read them: a table on the screen, and the page between its marks."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from judging.measures.values import Undefined
from legalqa.common.errors import ApplicationError
from legalqa.reproduce.rows.ablation.table import ablation_table
from legalqa.reproduce.running import data_version
from legalqa.reproduce.types import Expected, Figure, FigureSpec, Measured, Status

START, END = "<!-- results:start -->", "<!-- results:end -->"
STAGES = ("<!-- ablation:start -->", "<!-- ablation:end -->")

Rows = Mapping[str, Measured]


def lines(expected: Expected, rows: Rows) -> Iterator[tuple[str, str, FigureSpec, Figure | None, Status]]:
    """Every figure that is set: its row, its key, its bar, what was measured, and how the two compare."""
    for name, spec in expected.rows.items():
        for key, bar in spec.figures.items():
            figure = rows[name].figures.get(key) if name in rows else None
            yield name, key, bar, figure, bar.status(figure)


def figure_text(figure: Figure | None, reason: str = "") -> str:
    """A figure with its n and interval, or why there is none."""
    if figure is None:
        return reason or "not run"
    if isinstance(figure.value, Undefined):
        text = f"undefined: {figure.value.reason}"
    elif figure.is_count:
        text = f"{figure.value:.0f} of {figure.n}"
    else:
        text = _number(figure.value)
    details = []
    if figure.low is not None and figure.high is not None:
        details.append(f"{_number(figure.low)} to {_number(figure.high)}")
    if figure.n is not None and not figure.is_count:
        details.append(f"n = {figure.n:,}")
    if details:
        text += f" ({'; '.join(details)})"
    return f"{text}; {figure.note}" if figure.note else text


def _number(value: float) -> str:
    if value == int(value) and abs(value) >= 2:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}" if abs(value) < 2 else f"{value:.2f}"


def screen_table(expected: Expected, rows: Rows) -> str:
    """The table for a terminal, one line a figure."""
    return "\n".join(
        f"{status:9}  {name:16} {bar.what[:70]:70}  {bar.figure[:24]:24}  {figure_text(figure, _reason(rows, name))}"
        for name, _, bar, figure, status in lines(expected, rows)
    )


def page_write(page: Path, expected: Expected, rows: Rows) -> None:
    """Replace what is between the page's marks; between those of the stages, where such a row was measured.

    Raises:
        ApplicationError: the page is missing or has not the marks.
    """
    text = section_replaced(
        page, page.read_text(encoding="utf-8") if page.is_file() else "", page_table(expected, rows)
    )
    if stages := ablation_table(rows):
        text = section_replaced(page, text, stages, marks=STAGES)
    page.write_text(text, encoding="utf-8")


def section_replaced(page: Path, text: str, table: str, *, marks: tuple[str, str] = (START, END)) -> str:
    """The text of a page with a table in place of what is between two marks.

    Raises:
        ApplicationError: it has not the two marks.
    """
    before, start, rest = text.partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not start or not end:
        raise ApplicationError(
            f"{page} has no lines {marks[0]} and {marks[1]}. Put them where the table goes.", code="no_page"
        )
    return f"{before}{start}\n\n{table}\n\n{end}{after}"


def page_table(expected: Expected, rows: Rows) -> str:
    """Two tables in Markdown: the figures, and what each row was measured with."""
    figures = ["| what | figure | reached | verdict, row |", "| --- | --- | --- | --- |"]
    for name, _, bar, figure, status in lines(expected, rows):
        reached = figure_text(figure, _reason(rows, name))
        figures.append(f"| {bar.what} | {bar.figure} | {reached} | {status}, `{name}` |")
    runs = ["| row | date, seed | data version | measured by |", "| --- | --- | --- | --- |"]
    for name in expected.rows:
        if name in rows and not rows[name].reason:
            row = rows[name]
            command = f"`manage.py results --only {name}`, {row.seconds:,.0f} s"
            runs.append(f"| `{name}` | {row.date}, {row.seed} | {data_version(row)} | {command} |")
    return "\n".join(figures) + "\n\n" + "\n".join(runs)


def report_document(expected: Expected, rows: Rows) -> dict[str, Any]:
    """Everything as one JSON document."""
    figures = [
        {"row": name, "key": key, "what": bar.what, "figure": bar.figure, "status": status}
        | ({"measured": figure.document()} if figure is not None else {"reason": _reason(rows, name)})
        for name, key, bar, figure, status in lines(expected, rows)
    ]
    return {
        "seed": expected.seed,
        "figures": figures,
        "rows": {
            name: {key: value for key, value in row.document().items() if key != "figures"}
            | {"data_version": data_version(row)}
            for name, row in rows.items()
        },
    }


def _reason(rows: Rows, name: str) -> str:
    return f"not run: {rows[name].reason}" if name in rows and rows[name].reason else "not run"
