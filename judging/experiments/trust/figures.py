"""From grades and scores of the same answers to the figures of trust: plain data in, plain documents out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from judging.experiments.plots.bars import Bar, bar_chart
from judging.experiments.plots.drawing import Cell, Chart, Table, number
from judging.experiments.plots.grid import matrix
from judging.measures.agreement import About, Agreement, Rating, Scale, Statistics, agreement
from judging.measures.values import Undefined

JUDGE = "judge"
DRAWS = 200  # ours: for intervals that a page can wait for
STATISTICS = {  # columns of the table beside the bars, by the names of `judging.measures.agreement`
    "percent": "Same grade",
    "within_one": "Within one",
    "weighted_kappa": "Kappa, quadratic",
    "alpha": "Alpha",
    "ac2": "AC2",
    "spearman": "Spearman",
    "kendall": "Kendall",
    "mean_difference": "Judge minus people",
}
BAR = "ac2"  # does not fall where nearly all grades are the same, as kappa and alpha do (Gwet 2008)


@dataclass(frozen=True, slots=True)
class GradedItem:
    """An answer that people graded.

    Attributes:
        people: The grades of each person, repeats of theirs one after the other.
        judges: The scores of each judge on the same scale, by its name.
        experiment, system: The experiment and the configuration that answered; "" where it came from elsewhere.
    """

    id: str
    question: str
    answer: str
    question_type: str = ""
    href: str = ""
    people: Mapping[str, Sequence[float]] = field(default_factory=dict)
    judges: Mapping[str, Sequence[float]] = field(default_factory=dict)
    experiment: str = ""
    system: str = ""

    def human(self) -> float | None:
        """The median of the people, of each person's median; None without a grade."""
        return median([median(grades) for grades in self.people.values()]) if self.people else None

    def judged(self, judge: str) -> float | None:
        scores = self.judges.get(judge)
        return median(scores) if scores else None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An answer that a judge and the people grade differently."""

    item: GradedItem
    human: float
    judge: float


def judges_of(items: Sequence[GradedItem]) -> list[str]:
    """The judges that scored any of the answers, by name."""
    return sorted({judge for item in items for judge in item.judges})


def trust_charts(
    items: Sequence[GradedItem], *, judge: str, scale: Sequence[int], threshold: int | None, seed: int
) -> list[Chart]:
    """The bars of every judge beside the ceilings and baselines, and the matrices of one judge.

    Args:
        items: Answers with people's grades and judges' scores.
        judge: Whose matrices are drawn; "" for none.
        scale: Every grade that may be given.
        threshold: Grades from it on pass; None where the scale has no such point.
        seed: Of the draws.
    """
    measured = {name: _agreement(items, name, scale, None, seed, DRAWS) for name in judges_of(items)}
    charts = [_bars(items, measured, scale, seed)]
    if judge in measured:
        labels = [str(label) for label in scale]
        charts.append(_matrix(measured[judge].overall, labels, judge, "matrix"))
        if threshold is not None:
            passing = _agreement(items, judge, scale, threshold, seed, 0).overall
            charts.append(_matrix(passing, [f"below {threshold}", f"{threshold} or more"], judge, "passing"))
    return charts


def disagreements(items: Sequence[GradedItem], *, judge: str) -> list[Disagreement]:
    """The answers on which a judge and the people differ, furthest apart first, as a list to work through."""
    differences = [
        Disagreement(item, human, score)
        for item in items
        if (human := item.human()) is not None and (score := item.judged(judge)) is not None and human != score
    ]
    return sorted(differences, key=lambda one: (-abs(one.judge - one.human), one.item.id))


def _agreement(
    items: Sequence[GradedItem], judge: str, scale: Sequence[int], threshold: float | None, seed: int, draws: int
) -> Agreement:
    ratings = [
        Rating(item.id, name, value)
        for item in items
        for name, values in (*((f"person {p}", v) for p, v in item.people.items()), (JUDGE, item.judges.get(judge, ())))
        for value in values
    ]
    about = {
        item.id: About(item.question, item.question_type, baselines={"length": float(len(item.answer))})
        for item in items
    }
    return agreement(
        ratings,
        about=about,
        judge=JUDGE,
        scale=Scale.ORDINAL,
        categories=list(scale),
        threshold=threshold,
        seed=seed,
        draws=draws,
    )


def _bars(items: Sequence[GradedItem], measured: Mapping[str, Agreement], scale: Sequence[int], seed: int) -> Chart:
    lines: list[tuple[str, Statistics, int]] = [(f"{name} – people", a.overall, 0) for name, a in measured.items()]
    lines += [(f"{name} – itself", a.judge_self, 2) for name, a in measured.items() if a.judge_self is not None]
    if measured:
        first = next(iter(measured.values()))
        lines += [("people – people", first.people, 1)] if first.people is not None else []
        lines += [("one person – the others", first.ceiling, 1)] if first.ceiling is not None else []
        lines += [("always the most frequent grade", s, 3) for n, s in first.baselines.items() if n == "most_frequent"]
        lines += [(f"the answer's {n}", s, 3) for n, s in first.baselines.items() if n != "most_frequent"]
    elif any(len(item.people) > 1 for item in items):
        lines.append(("people – people", _agreement(items, "", scale, None, seed, DRAWS).overall, 1))
    return _lines_chart(lines, key="agreement", title="Agreement")


def ratings_chart(report: Agreement) -> Chart:
    """The bars of a file of ratings: its judge, or all raters, beside the ceilings and baselines."""
    named = f"{report.judge} – people" if report.judge else "all raters"
    blocks = (("judge – itself", report.judge_self, 2), ("people – people", report.people, 1))
    lines = [(named, report.overall, 0), *((name, block, at) for name, block, at in blocks if block is not None)]
    lines += [("one person – the others", report.ceiling, 1)] if report.ceiling is not None else []
    lines += [(f"baseline: {name.replace('_', ' ')}", block, 3) for name, block in report.baselines.items()]
    return _lines_chart(lines, key="ratings", title="Agreement of the ratings")


def _lines_chart(lines: Sequence[tuple[str, Statistics, int]], *, key: str, title: str) -> Chart:
    rows = tuple(
        (Cell(name), Cell(str(statistics.n)), *(Cell(_said(statistics, column)) for column in STATISTICS))
        for name, statistics, _ in lines
    )
    return bar_chart(
        [_bar(name, statistics, series) for name, statistics, series in lines if BAR in statistics.by_name],
        key=key,
        title=title,
        note="AC2 with its 95 % interval over questions: 1 is the same grade throughout, 0 is chance. A judge is as "
        "good as it can be where its bar reaches that of people. Read it together with the statistics of the table.",
        table=Table(("", "n", *STATISTICS.values()), rows),
        high=1,
    )


def _bar(name: str, statistics: Statistics, series: int) -> Bar:
    statistic = statistics.by_name[BAR]
    if isinstance(statistic.value, Undefined):
        return Bar(name, None, statistics.n, series=series, reason=statistic.value.reason)
    return Bar(name, statistic.value, statistics.n, statistic.low, statistic.high, series)


def _said(statistics: Statistics, key: str) -> str:
    statistic = statistics.by_name.get(key)
    return "–" if statistic is None or isinstance(statistic.value, Undefined) else number(statistic.value)


def _matrix(statistics: Statistics, labels: Sequence[str], judge: str, key: str) -> Chart:
    """Counts over the whole scale; grades between two points (the median of two people) belong to the upper one."""
    places = {label: at for at, label in enumerate(labels)}
    counts = [[0] * len(labels) for _ in labels]
    for human, row in zip(statistics.classes, statistics.confusion, strict=True):
        for score, count in zip(statistics.classes, row, strict=True):
            counts[_place(human, places)][_place(score, places)] += count
    title = f"{judge} against people" if key == "matrix" else f"{judge} against people, right or not"
    difference = _said(statistics, "mean_difference")
    note = "Rows: the people's median; columns: the judge; with the share of the row."
    if key == "matrix":
        note += f" On average the judge gives {difference} more than people."
    return matrix(counts, labels=labels, key=key, title=title, note=note)


def _place(label: object, places: Mapping[str, int]) -> int:
    if isinstance(label, float):
        return next(at for name, at in places.items() if float(name) >= label)
    return places[str(label)]
