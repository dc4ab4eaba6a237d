"""Two systems on the same questions: how far apart, how sure, and over how many comparisons."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from judging.measures.intervals import DRAWS, KEPT, Floats, weighted
from judging.measures.values import Undefined, Value

EXACT = 13  # ours: up to this many questions every choice of signs is taken
NO_QUESTION = Undefined("no question has a value of both")
NO_CHANGE = Undefined("no question changed")
NOT_RIGHT_OR_WRONG = Undefined("the values are not rights and wrongs")


def sign_flip(differences: Sequence[float], *, seed: int, draws: int = DRAWS) -> Value:
    """Two-sided p-value: how often random signs of the questions' differences make a mean as far from 0.

    All choices of signs up to EXACT questions, otherwise `draws` random ones and the one that was seen.

    Source: Fisher's randomisation test; Smucker et al. 2007 for retrieval.
    """
    if not differences:
        return NO_QUESTION
    numbers, n = np.asarray(differences, np.float64), len(differences)
    seen = abs(numbers.sum()) - 1e-12 * np.abs(numbers).sum()  # equal sums in another order count as equal
    if n <= EXACT:
        return float(np.mean(np.abs(np.asarray(list(product((1, -1), repeat=n))) @ numbers) >= seen))
    batches = [_signs_kept(n, seed, draws)] if n * draws <= KEPT else _signs(n, seed, draws)
    n_far = sum(int((np.abs(weighted(signs, numbers)) >= seen).sum()) for signs in batches)
    return (n_far + 1) / (draws + 1)


@lru_cache(maxsize=1)
def _signs_kept(n: int, seed: int, draws: int) -> Floats:
    """All of `_signs` at once; kept, because the configurations of an experiment share them."""
    return np.concatenate(list(_signs(n, seed, draws)))


def _signs(n: int, seed: int, draws: int) -> Iterator[Floats]:
    """A random sign for each of n items in each draw, [some draws, n] at a time."""
    chance, step = np.random.default_rng(seed), max(1, 4_000_000 // n)
    for at in range(0, draws, step):
        yield np.asarray(2.0 * chance.integers(0, 2, size=(min(step, draws - at), n)) - 1, np.float64)


def wilcoxon(differences: Sequence[float]) -> Value:
    """Two-sided p-value of Wilcoxon's signed-rank test; questions without a difference are left out.

    Up to EXACT of them every choice of signs is taken, otherwise the p-value is scipy's, which is the same but takes
    a second for few equal differences.
    """
    from scipy import stats

    changed = [difference for difference in differences if difference]
    if not changed:
        return NO_CHANGE if differences else NO_QUESTION
    if len(changed) <= EXACT:
        return sign_flip((np.sign(changed) * stats.rankdata(np.abs(changed))).tolist(), seed=0)
    return float(stats.wilcoxon(changed).pvalue)


def mcnemar(ours: Sequence[float], theirs: Sequence[float]) -> Value:
    """Two-sided p-value of McNemar's exact test: questions right by one alone against right by the other alone.

    Args:
        ours, theirs: 1 for right and 0 for wrong; of other values the test is undefined.

    Source: McNemar 1947, by the exact binomial test.
    """
    from scipy.stats import binomtest

    if not ours:
        return NO_QUESTION
    if not {*ours, *theirs} <= {0.0, 1.0}:
        return NOT_RIGHT_OR_WRONG
    wins = sum(one > other for one, other in zip(ours, theirs, strict=True))
    losses = sum(one < other for one, other in zip(ours, theirs, strict=True))
    return float(binomtest(wins, wins + losses).pvalue) if wins + losses else NO_CHANGE


def holm(p_values: Sequence[Value]) -> list[Value]:
    """The p-values of one table corrected for their number, in the same order; what is undefined is not counted.

    Source: Holm 1979.
    """
    tests = sorted((p, at) for at, p in enumerate(p_values) if not isinstance(p, Undefined))
    corrected, least = list(p_values), 0.0
    for place, (p, at) in enumerate(tests):
        least = max(least, min(1.0, p * (len(tests) - place)))
        corrected[at] = least
    return corrected
