"""Intervals: how far a figure may be from what more questions would show."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judging.measures.values import Undefined

DRAWS = 10_000  # ours: samples of a bootstrap
LEVEL = 0.95  # share of such intervals that hold the true value, by convention
KEPT = 1_000_000  # ours: numbers in draws that are kept for the next figure, 8 MB

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with the interval around it at LEVEL, and how many items it is over."""

    value: float
    low: float
    high: float
    n: int


def interval_document(interval: Interval | Undefined) -> dict[str, Any]:
    """A figure with its interval, rounded to four places for a report, or why there is none."""
    if isinstance(interval, Undefined):
        return {"value": None, "low": None, "high": None, "undefined": interval.reason}
    return {
        "value": round(interval.value, 4),
        "low": round(interval.low, 4),
        "high": round(interval.high, 4),
        "undefined": "",
    }


def wilson(successes: int, n: int) -> Interval | Undefined:
    """Wilson's score interval of a share, for small counts too; undefined for n = 0.

    Args:
        successes: 0 to n.
        n: Trials.

    Raises:
        ValueError: more successes than trials, or a count below 0.

    Source: Wilson 1927, without continuity correction. Written out, because a chart has hundreds of them and scipy's
    `binomtest` takes milliseconds for each.
    """
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes in {n} trials cannot be; give 0 to n.")
    if not n:
        return Undefined("no trials")
    share, z = successes / n, _z()
    shrunk = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / shrunk
    half = z / shrunk * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At the ends the interval touches 0 and 1 on paper, and may miss them by an ulp in the machine.
    low, high = 0.0 if successes == 0 else centre - half, 1.0 if successes == n else centre + half
    return Interval(share, low, high, n)


@cache
def _z() -> float:
    """How many standard deviations hold the middle LEVEL of a normal distribution."""
    from scipy.special import ndtri

    return float(ndtri((1 + LEVEL) / 2))


def bootstrap_mean(
    values: Sequence[float], *, seed: int, groups: Sequence[str] | None = None, draws: int = DRAWS
) -> Interval | Undefined:
    """Percentile interval of a mean, drawing questions again, or whole groups of them.

    With groups (documents, contracts), questions about one text succeed or fail together, so groups are drawn and the
    mean is over all questions of those drawn.

    Args:
        values: One number a question.
        seed: Of the draws; stored beside the figure.
        groups: The group of each question; None draws single questions.
        draws: How many samples.

    Returns:
        The interval over the questions; undefined without any.
    """
    numbers = np.asarray(values, np.float64)
    if not len(numbers):
        return Undefined("no values")
    sums, counts = sums_by_group(numbers, groups)
    means = _drawn_means(sums, counts, seed=seed, draws=draws)
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(numbers.mean()), float(low), float(high), len(numbers))


def paired_difference(
    ours: Sequence[float],
    theirs: Sequence[float],
    *,
    seed: int,
    groups: Sequence[str] | None = None,
    draws: int = DRAWS,
) -> Interval | Undefined:
    """Interval of the mean difference of two systems on the same questions, ours minus theirs.

    Raises:
        ValueError: not the same questions.

    Source: Efron and Tibshirani 1993, percentile bootstrap; questions, or whole clusters of them, are resampled.
    """
    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} and {len(theirs)} values are not of the same questions.")
    differences = np.asarray(ours, np.float64) - np.asarray(theirs, np.float64)
    return bootstrap_mean(differences.tolist(), seed=seed, groups=groups, draws=draws)


def bootstrap_statistic(
    statistic: Callable[[Indices], float | Undefined],
    n: int,
    *,
    seed: int,
    groups: Sequence[str] | None = None,
    draws: int = 2000,
) -> Interval | Undefined:
    """Interval of any statistic of a sample: an AUC, an AURC, or the difference of two on the same items.

    Args:
        statistic: From the places of the items drawn (repetitions included) to the value.
        n: How many items there are.
        seed: Of the draws.
        groups: As in `bootstrap_mean`.
        draws: How many samples; a draw on which the statistic is undefined is left out.

    Returns:
        Undefined where the statistic of all items is, or of more than half of the draws.
    """
    value = statistic(np.arange(n))
    if isinstance(value, Undefined):
        return value
    chance = np.random.default_rng(seed)
    members = _members(n, groups)
    values = []
    for _ in range(draws):
        picks = chance.integers(len(members), size=len(members))
        sample = statistic(np.concatenate([members[at] for at in picks]))
        if not isinstance(sample, Undefined):
            values.append(sample)
    if 2 * len(values) < draws:
        return Undefined(f"undefined on {draws - len(values)} of {draws} draws")
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(value, float(low), float(high), n)


def drawn_counts(n: int, *, seed: int, draws: int = DRAWS) -> Iterator[Floats]:
    """How often each of n questions is in each sample drawn with replacement, [some draws, n] at a time."""
    chance, step = np.random.default_rng(seed), max(1, 4_000_000 // n)  # ours: some 32 MB of counts at a time
    for at in range(0, draws, step):
        yield chance.multinomial(n, np.full(n, 1 / n), size=min(step, draws - at)).astype(np.float64)


def _members(n: int, groups: Sequence[str] | None) -> list[Indices]:
    """The places of each group's items, groups in the order of their names."""
    if groups is None:
        return [np.asarray([at]) for at in range(n)]
    _checked(n, groups)
    _, places = np.unique(np.asarray(groups), return_inverse=True)
    order = np.argsort(places, kind="stable")
    return np.split(order, np.cumsum(np.bincount(places))[:-1])


def sums_by_group(numbers: Floats, groups: Sequence[str] | None) -> tuple[Floats, Floats]:
    """The sum and the number of values of each group."""
    if groups is None:
        return numbers, np.ones(len(numbers))
    _checked(len(numbers), groups)
    _, places = np.unique(np.asarray(groups), return_inverse=True)
    sums = np.asarray(np.bincount(places, weights=numbers), np.float64)
    return sums, np.bincount(places).astype(np.float64)


def _checked(n: int, groups: Sequence[str]) -> None:
    if len(groups) != n:
        raise ValueError(f"{len(groups)} groups do not go with {n} values; give one for each.")


def _drawn_means(sums: Floats, counts: Floats, *, seed: int, draws: int) -> Floats:
    if len(sums) * draws <= KEPT:
        times = _drawn_times(len(sums), seed, draws)
        return weighted(times, sums) / weighted(times, counts)
    chance = np.random.default_rng(seed)
    means = np.empty(draws)
    step = max(1, 4_000_000 // len(sums))  # ours: some 64 MB of draws at a time
    for at in range(0, draws, step):
        picked = chance.integers(len(sums), size=(min(step, draws - at), len(sums)))
        means[at : at + step] = sums[picked].sum(axis=1) / counts[picked].sum(axis=1)
    return means


@lru_cache(maxsize=1)
def _drawn_times(n: int, seed: int, draws: int) -> Floats:
    """How often each of n items is in each sample [draws, n]; kept, because an experiment's share them."""
    picked = np.random.default_rng(seed).integers(n, size=(draws, n)) + n * np.arange(draws)[:, None]
    return np.bincount(picked.ravel(), minlength=draws * n).reshape(draws, n).astype(np.float64)


def weighted(weights: Floats, numbers: Floats) -> Floats:
    """The sum of the numbers by each row of weights [rows, numbers].

    Not by `@`: BLAS starts threads for it, which take longer than the sums where the processors are busy.
    """
    return np.asarray(np.einsum("ij,j->i", weights, numbers), np.float64)
