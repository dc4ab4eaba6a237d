"""Every statistic of agreement with its interval over questions drawn again, or why there is none."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from judging.measures.agreement.paired import DIRECTED, SYMMETRIC, Pairs
from judging.measures.agreement.ratings import Frame, Scale
from judging.measures.agreement.reliability import RELIABILITY, Units
from judging.measures.agreement.samples import Floats, Sample
from judging.measures.intervals import LEVEL, drawn_counts
from judging.measures.values import Undefined, Value, number

OF_SIDE = 8_000  # steps that a pair of raters costs before anything is drawn; a step is some 0.3 microseconds
TOO_MUCH = "These ratings take more computing than one request may. Give fewer items, raters, question types or "
TOO_MUCH += "components, or measure the file with the command `manage.py agreement`."
MOST_CLASSES = 20  # ours: different values above which a table by value says nothing
CORRELATIONS = ("pearson", "spearman", "kendall")
OF_NUMBERS = {*CORRELATIONS, "linear_kappa", "weighted_kappa", "within_one", "mean_difference"} | {
    "alpha_ordinal",
    "alpha_interval",
    "ac2",
}
NO_ORDER = Undefined("the values are names, without order or distance")
NO_PAIR = Undefined("no item has two ratings")
NO_JUDGE = Undefined("no rater is named as the judge")
TOO_NARROW = Undefined("the scale is no wider than one point")
ONE_VALUE = Undefined("all ratings are the same value")
ONE_SIDE = Undefined("one of the two sides has only one value")
ONE_STEP = Undefined("the scale has only one value")

Pair = tuple[float, float]
Evaluated = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Statistic:
    """A value with the ends of its interval and, of correlations, the p-value of none, items taken as independent."""

    value: Value
    low: float | None = None
    high: float | None = None
    p: float | None = None


@dataclass(frozen=True, slots=True)
class Statistics:
    """What was computed of the same items.

    Attributes:
        n: Items with two values or more; of pooled pairs, pairs.
        n_questions: Over this many questions.
        by_name: Every statistic.
        classes: Of the confusion, as people write them.
        confusion: Pairs with human class i that the judge calls j, [i][j].
    """

    n: int
    n_questions: int
    by_name: Mapping[str, Statistic]
    classes: tuple[object, ...] = ()
    confusion: tuple[tuple[int, ...], ...] = ()

    def __getitem__(self, name: str) -> Value:
        return self.by_name[name].value

    def document(self) -> dict[str, Any]:
        """The same as JSON: null for what is undefined, and the reason apart."""
        values = {name: one.value for name, one in self.by_name.items()}
        intervals = {k: [one.low, one.high] for k, one in self.by_name.items() if one.low is not None}
        return {
            "n": self.n,
            "n_questions": self.n_questions,
            **{name: number(value) for name, value in values.items()},
            "intervals": intervals,
            "p": {name: one.p for name, one in self.by_name.items() if one.p is not None},
            "reasons": {name: value.reason for name, value in values.items() if isinstance(value, Undefined)},
            "confusion": {"classes": list(self.classes), "counts": [list(row) for row in self.confusion]},
        }


@dataclass(frozen=True, slots=True)
class Compared:
    """Ratings of items as rows: human and judge's values by pair of raters, and all values of an item.

    Attributes:
        pairs: One list for each pair of raters, of values and the question of their item.
        units: The values of each item, with its question.
        has_judge: Whether the second value of a pair is the judge's.
    """

    pairs: Sequence[Sequence[tuple[Pair, str]]]
    units: Sequence[tuple[Sequence[float], str]]
    has_judge: bool = True
    names: frozenset[str] = field(default_factory=lambda: frozenset([*SYMMETRIC, *DIRECTED, *RELIABILITY]))


def two_columns(rows: Sequence[tuple[Pair, str]], *, frame: Frame, only: Sequence[str] = ()) -> Statistics:
    """The statistics of human and judge's values, each with its question."""
    names = frozenset(only or [*SYMMETRIC, *DIRECTED, *RELIABILITY])
    return compared(Compared([rows], rows, names=names), frame=frame)


def raters(units: Sequence[tuple[Sequence[float], str]], *, frame: Frame) -> Statistics:
    """The statistics of any number of raters that do not ask who gave which rating."""
    return compared(Compared([], units, names=frozenset(RELIABILITY)), frame=frame)


def compared(rows: Compared, *, frame: Frame) -> Statistics:
    """Every statistic asked for; over several pairs of raters, the mean over the pairs (Light 1971).

    Raises:
        ValueError: it would take more steps than the frame has left.
    """
    if frame.work is not None and not frame.work.take(steps_of(rows, draws=frame.draws)):
        raise ValueError(TOO_MUCH)
    units = [(values, question) for values, question in rows.units if values]
    places = {name: at for at, name in enumerate(sorted({q for _, q in units}))}
    n = sum(len(values) > 1 for values, _ in units)
    sides = [pair for part in rows.pairs if part for pair in [_pairs_of(part, places, frame)]]
    unit = _units_of(units, places, frame) if n else None
    by_name: dict[str, Statistic] = {}
    evaluated: dict[str, tuple[Evaluated, Undefined]] = {}
    for name in (*SYMMETRIC, *DIRECTED, *RELIABILITY):
        if name not in rows.names:
            continue
        if (reason := _unasked(name, n, rows, frame)) is not None:
            by_name[name] = Statistic(reason)
        elif name in RELIABILITY and unit is not None:
            evaluated[name] = (_of_units(name, *unit), ONE_STEP if name in ("ac1", "ac2") else ONE_VALUE)
        else:
            evaluated[name] = (_of_pairs(name, sides), ONE_SIDE if name in CORRELATIONS else ONE_VALUE)
    by_name |= _estimated(evaluated, len(places), frame)
    if len(sides) == 1:
        by_name |= {name: _with_p(name, by_name[name], sides[0]) for name in CORRELATIONS if name in by_name}
    if "percent" in by_name:
        by_name["alpha"] = by_name[f"alpha_{frame.scale}"]
    ordered = {name: by_name[name] for name in (*SYMMETRIC, *DIRECTED, *RELIABILITY, "alpha") if name in by_name}
    classes, table = _confusion(sides[0], frame) if n and rows.has_judge and len(sides) == 1 else ((), ())
    return Statistics(n, len(places), ordered, classes, table)


def steps_of(rows: Compared, *, draws: int) -> int:
    """About how much `compared` computes: each draw of each item, and for Kendall's tau of each two distinct pairs."""
    n_distinct = [len({pair for pair, _ in part}) for part in rows.pairs]
    return draws * len(rows.units) + sum(OF_SIDE + draws * n * n // 500 for n in (0, *n_distinct))


def _unasked(name: str, n: int, rows: Compared, frame: Frame) -> Undefined | None:
    """Why a statistic has no meaning for these ratings, where it has none."""
    if frame.scale == Scale.NOMINAL and name in OF_NUMBERS:
        return NO_ORDER
    if not n:
        return NO_PAIR
    if name in DIRECTED and not rows.has_judge:
        return NO_JUDGE
    if name == "within_one" and np.ptp(frame.values) <= 1:
        return TOO_NARROW
    if name.startswith("macro_") and (n_classes := len(_class_values(rows, frame))) > MOST_CLASSES:
        return Undefined(f"no threshold divides {n_classes} different values")
    return None


def _class_values(rows: Compared, frame: Frame) -> list[float]:
    """The values that are classes of their own where no threshold divides them."""
    if frame.threshold is not None:
        return []
    return sorted({*frame.values, *(value for part in rows.pairs for pair, _ in part for value in pair)})


def _pairs_of(part: Sequence[tuple[Pair, str]], places: Mapping[str, int], frame: Frame) -> tuple[Pairs, Sample]:
    pairs = [pair for pair, _ in part]
    sample = Sample.of(pairs, [places[question] for _, question in part], n_questions=len(places))
    labels = sorted({*frame.values, *(value for pair in pairs for value in pair)})
    return Pairs(sample.patterns, labels=labels, threshold=frame.threshold), sample


def _units_of(
    units: Sequence[tuple[Sequence[float], str]], places: Mapping[str, int], frame: Frame
) -> tuple[Units, Sample]:
    scale = sorted({*frame.values, *(value for values, _ in units for value in values)})
    at = {value: place for place, value in enumerate(scale)}
    width = max(len(values) for values, _ in units)
    coded = [sorted([-1] * (width - len(values)) + [at[value] for value in values]) for values, _ in units]
    sample = Sample.of(coded, [places[question] for _, question in units], n_questions=len(places))
    return Units(sample.patterns, scale=scale), sample


def _of_units(name: str, units: Units, sample: Sample) -> Evaluated:
    return lambda draws: RELIABILITY[name](units, sample.counted(draws))


def _of_pairs(name: str, sides: Sequence[tuple[Pairs, Sample]]) -> Evaluated:
    statistic = (SYMMETRIC | DIRECTED)[name]

    def value(draws: Floats) -> Floats:
        by_pair = np.stack([statistic(pairs, sample.counted(draws)) for pairs, sample in sides])
        is_there = ~np.isnan(by_pair)
        n = is_there.sum(axis=0)
        means = np.where(is_there, by_pair, 0).sum(axis=0) / np.maximum(n, 1)
        return np.where(n > 0, means, np.nan)

    return value


def _estimated(
    evaluated: Mapping[str, tuple[Evaluated, Undefined]], n_questions: int, frame: Frame
) -> dict[str, Statistic]:
    """Each statistic with its percentile interval; no interval where one question, or too few draws, would make it."""
    if not evaluated:
        return {}
    samples: dict[str, list[Floats]] = {name: [] for name in evaluated}
    if n_questions > 1:
        for counts in drawn_counts(n_questions, seed=frame.seed, draws=frame.draws):
            for name, (value, _) in evaluated.items():
                samples[name].append(value(counts))
    once = np.ones((1, n_questions))
    return {name: _statistic(float(value(once)[0]), samples[name], why) for name, (value, why) in evaluated.items()}


def _statistic(value: float, draws: Sequence[Floats], why: Undefined) -> Statistic:
    if np.isnan(value):
        return Statistic(why)
    samples = np.concatenate(draws) if draws else np.empty(0)
    there = samples[~np.isnan(samples)]
    if not len(samples) or 2 * len(there) < len(samples):
        return Statistic(value)
    low, high = np.quantile(there, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Statistic(value, float(low), float(high))


def _with_p(name: str, statistic: Statistic, side: tuple[Pairs, Sample]) -> Statistic:
    """The correlation with scipy's p-value; none below three items or where it is undefined."""
    from scipy import stats

    pairs, sample = side
    times = np.asarray(sample.counts.sum(axis=0)).astype(int).reshape(-1)
    human, judge = np.repeat(pairs.human, times), np.repeat(pairs.judge, times)
    if isinstance(statistic.value, Undefined) or len(human) < 3:
        return statistic
    test = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[name]
    p = float(test(human, judge).pvalue)
    return Statistic(statistic.value, statistic.low, statistic.high, None if np.isnan(p) else p)


def _confusion(side: tuple[Pairs, Sample], frame: Frame) -> tuple[tuple[object, ...], tuple[tuple[int, ...], ...]]:
    pairs, sample = side
    if pairs.n_classes > MOST_CLASSES:
        return (), ()
    table = pairs.confusion(sample.counted(np.ones((1, sample.counts.shape[0]))))[0]
    cells = tuple(tuple(int(cell) for cell in row) for row in table)
    if frame.threshold is not None:
        return (f"below {frame.threshold:g}", f"{frame.threshold:g} or more"), cells
    names = dict(zip(frame.values, frame.labels, strict=True))
    return tuple(names.get(value, value) for value in pairs.labels), cells
