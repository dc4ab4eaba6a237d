"""From the report of an experiment to its charts: plain data in, plain documents out, no database."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol
from uuid import UUID

from judging.experiments.figures.places import places_chart
from judging.experiments.plots.drawing import Chart
from judging.experiments.plots.forest import Comparison, forest_plot
from judging.experiments.plots.grid import Tile, heat_map
from judging.experiments.plots.lines import Panel, Point, Series, line_chart
from judging.experiments.report import measure_key
from judging.gold.taxonomy import SHIPPED, Target, kind_of
from judging.measures.abstention import aurc, risk_coverage
from judging.measures.comparison import wilcoxon
from judging.measures.intervals import Interval, wilson
from judging.measures.values import Undefined, number
from legalqa.common.errors import ApplicationError
from legalqa.common.numbers import whole_number

RIGHT_FROM = 0.5  # an answer of at least this share counts as right, for risk against coverage
GRADE_FROM, HIGHEST_GRADE, HIGHEST_OF_TEN = 4, 5, 10  # the same for grades of 1 to 5 (LlamaIndex, HyPA-RAG A.7)
MOST_POINTS = 30  # points of a curve: more cannot be told apart, and each has its interval
LEAST_POINT = 10  # answers below which a curve of risk is not drawn
BINS = 5
Report = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """One answer with its value of the measure shown, or the reason why there is none."""

    cell: str
    question: UUID
    value: float | None
    reason: str
    is_answered: bool
    is_answerable: bool
    confidence: float | None


class Link(Protocol):
    """The address of the answers that a figure counts."""

    def __call__(self, *, cell: str, kind: str = "") -> str: ...


def measure_of(report: Report, key: str) -> Mapping[str, Any]:
    """The measure of that key, else the first one that the report has."""
    by_key: dict[str, Mapping[str, Any]] = {measure_key(measure): measure for measure in report["measures"]}
    return by_key.get(key) or next(iter(by_key.values()))


def known_check(report: Report, query: Mapping[str, str]) -> None:
    """Refuse a measure or a configuration that an address names and the report does not have.

    Args:
        report: As `judging.experiments` stores it.
        query: `measure`, `cell` and `against`; what is missing or empty is not looked at.

    Raises:
        ApplicationError: the message lists what the report has.
    """
    measures, cells = [measure_key(one) for one in report["measures"]], [cell["key"] for cell in report["cells"]]
    named = (("measure", "measure", measures), ("cell", "configuration", cells), ("against", "configuration", cells))
    for key, what, choices in named:
        value = query.get(key, "")
        if value and value not in choices:
            raise ApplicationError(
                f"There is no {what} {value[:60]!r} here. Choose one of: {', '.join(choices)}.", code=f"unknown_{key}"
            )


def rows_of(report: Report, measure: Mapping[str, Any], *, of: str = "rows") -> list[Mapping[str, Any]]:
    """The report's rows on one measure."""
    return [row for row in report[of] if (row["judge"], row["metric"]) == (measure["judge"], measure["name"])]


def charts_of(report: Report, measure: Mapping[str, Any], answers: Sequence[Measured], link: Link) -> list[Chart]:
    """Every chart that the experiment has data for, in the order in which a reader asks.

    Args:
        report: As `judging.experiments` stores it.
        measure: One of its measures.
        answers: Every answer with its value of that measure.
        link: To the answers of a configuration, or of one question type in it.
    """
    charts = (
        _forest(report, measure, answers, link),
        _types(report, measure, answers, link),
        _components(report, measure, answers),
        _risk(report, measure, answers, link),
        _trade_off(report, link),
        _sweep(report, measure, link),
        _spread(report, measure, answers, link),
        places_chart(report, measure["judge"]),
    )
    return [chart for chart in charts if chart is not None]


def question_values(answers: Sequence[Measured]) -> dict[str, dict[UUID, float]]:
    """The mean of the repeats of every question, by configuration; undefined ones are left out."""
    values: dict[str, dict[UUID, list[float]]] = defaultdict(lambda: defaultdict(list))
    for answer in answers:
        if answer.value is not None:
            values[answer.cell][answer.question].append(answer.value)
    return {cell: {q: sum(v) / len(v) for q, v in by_question.items()} for cell, by_question in values.items()}


def _forest(report: Report, measure: Mapping[str, Any], answers: Sequence[Measured], link: Link) -> Chart | None:
    values = question_values(answers)
    baseline = report["baseline"]
    comparisons = []
    for row in rows_of(report, measure):
        if row["preset"] == baseline:
            continue
        cell, delta = row["preset"], row["delta"]
        if delta is None:
            comparisons.append(Comparison(cell, None, 0, 0, 0, None, None, None, is_marked=False, href=link(cell=cell)))
            continue
        comparisons.append(
            Comparison(
                cell,
                Interval(delta["value"], delta["low"], delta["high"], delta["n"]),
                delta["wins"],
                delta["ties"],
                delta["losses"],
                delta["p"],
                delta["p_holm"],
                number(wilcoxon(differences(values.get(cell, {}), values.get(baseline, {})))),
                delta["is_marked"],
                link(cell=cell),
            )
        )
    return forest_plot(comparisons, baseline=baseline, measure=measure["label"]) if comparisons else None


def differences(ours: Mapping[UUID, float], theirs: Mapping[UUID, float]) -> list[float]:
    """Ours minus theirs of each question that has both values."""
    return [ours[question] - theirs[question] for question in sorted(ours.keys() & theirs.keys())]


def _types(report: Report, measure: Mapping[str, Any], answers: Sequence[Measured], link: Link) -> Chart | None:
    rows = rows_of(report, measure, of="types")
    tiles = {
        (row["type"], row["preset"]): Tile(
            row["value"], row["n"], row["undefined"], link(cell=row["preset"], kind=row["type"])
        )
        for row in rows
    }
    kinds = list(dict.fromkeys(row["type"] for row in rows))
    return _by_row(tiles, kinds, report, measure, answers) if rows else None


def _by_row(
    tiles: Mapping[tuple[str, str], Tile],
    rows: Sequence[str],
    report: Report,
    measure: Mapping[str, Any],
    answers: Sequence[Measured],
) -> Chart:
    """Means by row and configuration, on the measure's scale."""
    low, high = _span(measure, _values(answers))
    return heat_map(tiles, rows=rows, columns=_cells(report), low=low, high=high, measure=measure["label"])


def _values(answers: Sequence[Measured]) -> list[float]:
    return [answer.value for answer in answers if answer.value is not None]


def _components(report: Report, measure: Mapping[str, Any], answers: Sequence[Measured]) -> Chart | None:
    """The mean over all questions whose type puts a part of the pipeline to the test, by part and configuration.

    Source: HyPA-RAG, Table 3, for the parts that a type targets. Differs: types are weighted by their questions, where
    Giskard takes the plain mean over types of any size.
    """
    sums: dict[tuple[str, str], list[tuple[float, int, int]]] = defaultdict(list)
    for row in rows_of(report, measure, of="types"):
        kind = kind_of(row["type"], SHIPPED)
        for target in kind.targets if kind else ():
            sums[target, row["preset"]].append((row["value"] or 0.0, row["n"], row["undefined"]))
    tiles = {}
    for place, entries in sums.items():
        n = sum(count for _, count, _ in entries)
        mean = sum(value * count for value, count, _ in entries) / n if n else None
        tiles[place] = Tile(mean, n, sum(undefined for _, _, undefined in entries))
    if not tiles:
        return None
    targets = [target for target in Target if any(target == row for row, _ in tiles)]
    return replace(
        _by_row(tiles, targets, report, measure, answers),
        key="components",
        title=f"{measure['label']} by the part that questions test",
        note="Over all questions whose type targets that part; a question may test several. A weak "
        "row names where to look first, not what is at fault.",
    )


def _risk(report: Report, measure: Mapping[str, Any], answers: Sequence[Measured], link: Link) -> Chart | None:
    limit = _right_from(measure, _values(answers))
    if limit is None:
        return None
    series = []
    for cell in _cells(report):
        mine = [answer for answer in answers if answer.cell == cell]
        curve = _curve(mine, limit, is_less_better=measure["less_is_better"], href=link(cell=cell))
        if curve is not None:
            series.append(Series(cell, *curve))
    if not series:
        return None
    return line_chart(
        [Panel("share of questions answered", "share of the answers that are wrong", tuple(series))],
        key="risk",
        title="Risk against coverage",
        note=f"Answering the surest questions first; wrong: {measure['label']} {_wrong_words(measure, limit)}. The "
        "band, or with more than three curves the bar at the end, is the 95 % interval. A curve ends at the operating "
        "point, where the configuration stops answering; one that always answers ends at 1. AURC is over what was "
        "answered.",
    )


def _curve(
    answers: Sequence[Measured], limit: float, *, is_less_better: bool, href: str
) -> tuple[tuple[Point, ...], str] | None:
    """The corners of risk against coverage from the surest answers on, and the area under it as words.

    Coverage is of all answers with a value or declined, so that configurations which decline end earlier. Answers of
    one confidence enter together.
    """
    scored = [a for a in answers if a.is_answered and a.value is not None and a.confidence is not None]
    if len(scored) < LEAST_POINT:
        return None
    confidences = [a.confidence or 0.0 for a in scored]
    is_right = [(a.value <= limit) if is_less_better else (a.value >= limit) for a in scored if a.value is not None]
    n_all = len(scored) + sum(not a.is_answered for a in answers)
    points = []
    corners = risk_coverage(confidences, is_right)
    step = -(-len(corners) // MOST_POINTS)
    for corner in [*corners[:-1:step], corners[-1]]:
        n = round(corner.coverage * len(scored))
        interval = wilson(round(corner.risk * n), n)
        if n >= LEAST_POINT and isinstance(interval, Interval):
            is_end = n == len(scored)
            mark = "" if not is_end else "always answering" if n == n_all else "operating point"
            points.append(Point(n / n_all, corner.risk, n, interval.low, interval.high, mark, href if is_end else ""))
    area = aurc(confidences, is_right)
    return tuple(points), f"AURC {area:.2f}" if not isinstance(area, Undefined) else ""


def _trade_off(report: Report, link: Link) -> Chart | None:
    """Answered share against unsupported share, one point a configuration.

    Source: Policy Copilot 4, the reliability trade-off.
    """
    by_name = {(row["preset"], row["metric"]): row for row in report["rows"] if not row["judge"]}
    series = []
    for cell in _cells(report):
        across, up = by_name.get((cell, "answer_rate")), by_name.get((cell, "ungrounded"))
        if not across or not up or across["value"] is None or up["value"] is None:
            continue
        label = f"answered {across['value']:.0%}"
        point = Point(across["value"], up["value"], up["n"], up["low"], up["high"], label, link(cell=cell))
        series.append(Series(cell, (point,)))
    if not series:
        return None
    panel = Panel("answer rate", "ungrounded share", tuple(series), is_joined=False)
    return line_chart(
        [panel],
        key="trade-off",
        title="Reliability trade-off",
        note="Bottom right is best: many answers, and few statements that their sources do not support. Configurations "
        "that said nothing, or retrieved nothing, have no point.",
    )


def _sweep(report: Report, measure: Mapping[str, Any], link: Link) -> Chart | None:
    """The measure and the latency over the numbers that one setting was tried with."""
    tried = _tried(report)
    if not tried:
        return None
    rows = {row["preset"]: row for row in rows_of(report, measure)}
    name, lines = tried
    quality: list[Series] = []
    latency: list[Series] = []
    for rest, places in lines.items():
        points = [(x, cell, rows[cell["key"]]) for x, cell in places if rows[cell["key"]]["value"] is not None]
        quality.append(
            Series(
                rest,
                tuple(
                    Point(x, r["value"], r["n"], r["low"], r["high"], f"{name} {x:g}", link(cell=c["key"]))
                    for x, c, r in points
                ),
            )
        )
        latency.append(
            Series(
                rest,
                tuple(
                    Point(x, c["seconds_median"], c["n"], mark=f"{name} {x:g}", href=link(cell=c["key"]))
                    for x, c in places
                    if c["seconds_median"] is not None
                ),
            )
        )
    values = tuple(sorted({x for places in lines.values() for x, _ in places}))
    return line_chart(
        [
            Panel(name, measure["label"], tuple(quality), x_values=values),
            Panel(name, "seconds, median", tuple(latency), x_values=values),
        ],
        key="sweep",
        title=f"{measure['label']} and latency by {name}",
        note="Only the values tried. Choose a value on other questions than those it is then measured on.",
    )


def _tried(report: Report) -> tuple[str, dict[str, list[tuple[float, Mapping[str, Any]]]]] | None:
    """The first setting tried with several numbers, and its configurations by what else they are made of."""
    names = dict.fromkeys(name for cell in report["cells"] for name in cell["overrides"])
    for name in names:
        lines: dict[str, list[tuple[float, Mapping[str, Any]]]] = defaultdict(list)
        for cell in report["cells"]:
            value = cell["overrides"].get(name, "")
            if whole_number(value.replace(".", "", 1)) is not None:
                rest = [f"{k}={v}" for k, v in cell["overrides"].items() if k != name]
                lines[" ".join([cell["preset"], *rest, cell["generator"]])].append((float(value), cell))
        several = {rest: sorted(places, key=lambda p: p[0]) for rest, places in lines.items() if len(places) > 1}
        if several:
            return name, several
    return None


def _spread(report: Report, measure: Mapping[str, Any], answers: Sequence[Measured], link: Link) -> Chart | None:
    """How the values are distributed, where they are shares and not only right or wrong."""
    values = _values(answers)
    if not measure["is_share"] or all(value in (0, 1) for value in values):
        return None
    names = [f"{at / BINS:.1f} to {(at + 1) / BINS:.1f}" for at in range(BINS)]
    tiles = {}
    for cell in _cells(report):
        mine = _values([answer for answer in answers if answer.cell == cell])
        for at, name in enumerate(names):
            n = sum(min(BINS - 1, int(value * BINS)) == at for value in mine)
            tiles[name, cell] = Tile(n / len(mine) if mine else None, len(mine), 0, link(cell=cell))
    chart = heat_map(tiles, rows=names, columns=_cells(report), low=0, high=1, measure="Share of answers")
    return replace(
        chart,
        key="spread",
        title=f"Distribution of {measure['label']}",
        note=f"Share of the answers in each range of {measure['label']}; a mean hides whether all are middling or half "
        "are good and half bad.",
    )


def _cells(report: Report) -> list[str]:
    return [cell["key"] for cell in report["cells"]]


def _span(measure: Mapping[str, Any], values: Sequence[float]) -> tuple[float, float]:
    """The fixed ends of a measure's scale: of shares 0 to 1, of grades 1 to 5 or 10, else what there is."""
    if measure["is_share"] or not values:
        return 0, 1
    highest = max(values)
    if not measure["judge"] or highest > HIGHEST_OF_TEN:
        return 0, highest or 1
    return (0, 1) if highest <= 1 else (1, HIGHEST_GRADE if highest <= HIGHEST_GRADE else HIGHEST_OF_TEN)


def _right_from(measure: Mapping[str, Any], values: Sequence[float]) -> float | None:
    _, high = _span(measure, values)
    if high == 1 and (measure["is_share"] or measure["judge"]):
        return RIGHT_FROM
    return GRADE_FROM if measure["judge"] and high == HIGHEST_GRADE else None


def _wrong_words(measure: Mapping[str, Any], limit: float) -> str:
    return f"above {limit:g}" if measure["less_is_better"] else f"below {limit:g}"
