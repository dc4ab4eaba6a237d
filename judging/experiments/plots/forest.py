"""Paired differences to a baseline: one line a comparison, with its interval around zero."""

from collections.abc import Sequence
from dataclasses import dataclass

from judging.experiments.plots.drawing import Cell, Chart, Mark, Scale, Table, number, short, tick_text, ticks, words
from judging.measures.intervals import Interval

LEFT, RIGHT, ROW, TOP = 220, 440, 34, 40  # units of the drawing's view box


@dataclass(frozen=True, slots=True)
class Comparison:
    """One configuration against the baseline on the same questions.

    Attributes:
        difference: Mean of ours minus theirs; None where no question has both values.
        p: Of the sign-flip test, or of McNemar's where values are right or wrong.
        p_corrected: The same after Holm over all comparisons shown.
        is_marked: The corrected test says that they differ.
        wins, ties, losses: Questions on which ours is higher, equal, lower.
    """

    name: str
    difference: Interval | None
    wins: int
    ties: int
    losses: int
    p: float | None
    p_corrected: float | None
    p_wilcoxon: float | None
    is_marked: bool
    href: str = ""

    @property
    def words(self) -> str:
        if self.difference is None:
            return "no question has both values"
        if not self.is_marked:
            return "no difference shown"
        return "higher" if self.difference.value > 0 else "lower"


def forest_plot(comparisons: Sequence[Comparison], *, baseline: str, measure: str) -> Chart:
    """Differences with their intervals; a filled square where the corrected test says that they differ.

    Source: the forest plot of meta-analyses, without a pooled line, because configurations are no such studies.
    """
    differences = [c.difference for c in comparisons if c.difference is not None]
    edge = max([0.05, *(abs(end) for d in differences for end in (d.low, d.high))])
    steps = ticks(-edge, edge)
    x = Scale(steps[0], steps[-1], LEFT, RIGHT)
    bottom = TOP + ROW * len(comparisons)
    marks = [Mark("line", (x(step), TOP - 12, x(step), bottom), "line", "grid") for step in steps]
    marks += [words(x(step), bottom + 16, tick_text(step), anchor="middle", tone="muted") for step in steps]
    marks += [
        Mark("line", (x(0), TOP - 12, x(0), bottom), "line", "ink"),
        words(x(0) - 8, TOP - 20, "lower", anchor="end", tone="muted"),
        words(x(0) + 8, TOP - 20, "higher", tone="muted"),
        words(RIGHT + 20, TOP - 20, "difference [95 %]", tone="muted"),
        words(680, TOP - 20, "won·tied·lost", anchor="end", tone="muted"),
    ]
    for place, comparison in enumerate(comparisons):
        marks += _line(comparison, x, TOP + ROW * place + ROW / 2 - 4)
    return Chart(
        "forest",
        f"Differences to {baseline}",
        f"Mean difference in {measure} on the same questions, with its 95 % interval. A filled square: they differ by "
        "the corrected test; a hollow one: no difference shown.",
        bottom + 28,
        tuple(marks),
        _table(comparisons),
    )


def _line(comparison: Comparison, x: Scale, y: float) -> list[Mark]:
    marks = [words(0, y + 4, short(comparison.name, 32), href=comparison.href)]
    difference = comparison.difference
    if difference is None:
        return [*marks, words(RIGHT + 20, y + 4, "undefined", tone="muted")]
    low, high = number(difference.low, signed=True), number(difference.high, signed=True)
    figure = f"{number(difference.value, signed=True)} [{low}, {high}]"
    record = f"{comparison.wins}·{comparison.ties}·{comparison.losses}"
    label = f"{comparison.name}: {figure}, n = {difference.n}; {comparison.words}"
    at = (x(difference.value) - 5, y - 5, 10, 10)
    return [
        *marks,
        Mark("line", (x(difference.low), y, x(difference.high), y), "line", "s0"),
        Mark("line", (x(difference.low), y - 5, x(difference.low), y + 5), "line", "s0"),
        Mark("line", (x(difference.high), y - 5, x(difference.high), y + 5), "line", "s0"),
        Mark("rect", at, "fill" if comparison.is_marked else "hollow", "s0", label=label, href=comparison.href),
        words(RIGHT + 20, y + 4, figure, look="strong" if comparison.is_marked else "text"),
        words(680, y + 4, record, anchor="end"),
    ]


def _table(comparisons: Sequence[Comparison]) -> Table:
    columns = ("Configuration", "Difference", "Low", "High", "n", "Won", "Tied", "Lost", "p", "p, Holm", "Wilcoxon")
    rows: list[tuple[Cell, ...]] = []
    for c in comparisons:
        d = c.difference
        ends = [number(part, signed=True) for part in (d.value, d.low, d.high)] if d else ["–"] * 3
        counts = [str(d.n if d else 0), str(c.wins), str(c.ties), str(c.losses)]
        tests = [p_text(p) for p in (c.p, c.p_corrected, c.p_wilcoxon)]
        rows.append((Cell(c.name, c.href), *(Cell(text) for text in (*ends, *counts, *tests, c.words))))
    return Table((*columns, "In words"), tuple(rows))


def p_text(p: float | None) -> str:
    """A p-value as people read it."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
