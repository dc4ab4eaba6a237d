"""Whether two configurations differ on the same questions: tests, and their correction over a whole table."""

from collections.abc import Sequence

import numpy as np

from judging.measures.values import Undefined, Value

DRAWS = 10_000
EXACT = 12  # differences up to which every choice of signs is looked at


def sign_flip(differences: Sequence[float], *, seed: int, draws: int = DRAWS) -> Value:
    """Two-sided p of a mean difference of zero: how often signs drawn by chance give a mean as far from it.

    Every choice of signs is looked at up to EXACT differences other than 0; beyond that `draws` are, and the one
    seen is counted among them, so that no p is 0.

    Args:
        differences: One a question.
        seed: Of the draws.
        draws: How many.

    Returns:
        Above 0, at most 1; undefined without differences.

    Source: Fisher's randomisation test for pairs.
    """
    if not len(differences):
        return Undefined("no question has both values")
    moved = np.asarray([value for value in differences if value], np.float64)
    if not len(moved):
        return 1.0
    seen = abs(moved.sum()) - 1e-12 * np.abs(moved).sum()  # sums of the same numbers differ by rounding
    if len(moved) <= EXACT:
        bits = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved)) & 1
        return float((np.abs((1 - 2 * bits) @ moved) >= seen).mean())
    chance = np.random.default_rng(seed)
    signs = chance.integers(2, size=(draws, len(moved))) * 2 - 1
    return float((1 + (np.abs(signs @ moved) >= seen).sum()) / (1 + draws))


def mcnemar(wins: int, losses: int) -> float:
    """Exact two-sided p that wins and losses are equally likely; ties say nothing, and without either it is 1.

    Source: McNemar 1947, by the binomial distribution (scipy).
    """
    from scipy.stats import binomtest

    return float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """The p values corrected for being looked at together, in their order; none is above 1 or below its own.

    Source: Holm 1979, step-down.
    """
    corrected, worst = [0.0] * len(p_values), 0.0
    for place, at in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        worst = max(worst, min(1.0, (len(p_values) - place) * p_values[at]))
        corrected[at] = worst
    return corrected
