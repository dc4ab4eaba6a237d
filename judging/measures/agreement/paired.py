"""Statistics of two columns, one row an item, for many samples of the items at once.

Every function takes how often each distinct pair occurs in each sample, [draws, pairs], and returns one number a
sample, NaN where the statistic is undefined. `report` turns NaN into the reason.
"""

from collections.abc import Callable, Sequence

import numpy as np

from judging.measures.agreement.samples import Floats, divided, shares
from judging.measures.classification import macro

BLOCK = 1000  # columns of the table of signs that are made at a time
NEAR = 1.0 + 1e-9


class Pairs:
    """Distinct pairs of a human and a judge's value, and what is the same in every sample of them.

    Args:
        patterns: Human value and judge's value, [p, 2].
        labels: Of macro figures and the confusion, each value's place in it is its class; with a threshold the two
            classes are below it, and at it or above.
    """

    def __init__(self, patterns: Floats, *, labels: Sequence[float], threshold: float | None = None) -> None:
        self.human, self.judge = patterns[:, 0], patterns[:, 1]
        self.values = np.union1d(self.human, self.judge)
        self._human_at, self._judge_at = (np.searchsorted(self.values, side) for side in (self.human, self.judge))
        self._human_shares, self._judge_shares = (
            shares(at, len(self.values)) for at in (self._human_at, self._judge_at)
        )
        self.labels = tuple(labels)
        self.n_classes = len(labels) if threshold is None else 2
        self._classes = [
            (side >= threshold).astype(np.int64) if threshold is not None else np.searchsorted(np.asarray(labels), side)
            for side in (self.human, self.judge)
        ]

    def pearson(self, counts: Floats) -> Floats:
        """Pearson's r; undefined where a side is constant."""
        return self._correlation(counts, self.human[None], self.judge[None])

    def spearman(self, counts: Floats) -> Floats:
        """Spearman's rho: Pearson's r of the midranks; undefined where a side is constant."""
        human, judge = (_midranks(side) for side in self._margins(counts))
        return self._correlation(counts, human[:, self._human_at], judge[:, self._judge_at])

    def kendall(self, counts: Floats) -> Floats:
        """Kendall's tau-b; undefined where a side is constant."""
        above = np.zeros(len(counts))
        for at in range(0, len(self.human), BLOCK):
            part = slice(at, at + BLOCK)
            signs = np.sign(self.human[:, None] - self.human[part]) * np.sign(self.judge[:, None] - self.judge[part])
            above += np.einsum("dp,dp->d", counts @ signs, counts[:, part])
        n = counts.sum(axis=1)
        human, judge = (n**2 - (side**2).sum(axis=1) for side in self._margins(counts))
        return divided(above, np.sqrt(human * judge), where=(human > 0) & (judge > 0))

    def kappa(self, counts: Floats) -> Floats:
        """Cohen's kappa; undefined where all values of both sides are one."""
        human, judge = self._margins(counts)
        n = counts.sum(axis=1)
        by_chance = n**2 - (human * judge).sum(axis=1)
        return self._kappa(counts, (self.human != self.judge).astype(np.float64), by_chance)

    def linear_kappa(self, counts: Floats) -> Floats:
        """Cohen's kappa with weights |a - b|, distances between values and not between places of seen values."""
        human, judge = (np.cumsum(side, axis=1)[:, :-1] for side in self._margins(counts))
        n = counts.sum(axis=1)[:, None]
        steps = (human * (n - judge) + judge * (n - human)) @ np.diff(self.values)
        return self._kappa(counts, np.abs(self.human - self.judge), steps)

    def weighted_kappa(self, counts: Floats) -> Floats:
        """Cohen's kappa with weights (a - b)^2."""
        human, judge = self._margins(counts)
        n, values = counts.sum(axis=1), self.values - self.values.mean()
        squares = n * ((human + judge) @ values**2) - 2 * (human @ values) * (judge @ values)
        return self._kappa(counts, (self.human - self.judge) ** 2, squares)

    def within_one(self, counts: Floats) -> Floats:
        """Share of pairs no more than one point apart."""
        return self._mean(counts, (np.abs(self.human - self.judge) <= NEAR).astype(np.float64))

    def mean_difference(self, counts: Floats) -> Floats:
        """Mean of the judge's value less the human one: the judge's bias."""
        return self._mean(counts, self.judge - self.human)

    def macro_precision(self, counts: Floats) -> Floats:
        """Mean precision over the classes that the human column has; a class that is never given has precision 0."""
        return macro(self.confusion(counts))[0]

    def macro_recall(self, counts: Floats) -> Floats:
        """Mean recall over the classes that the human column has."""
        return macro(self.confusion(counts))[1]

    def macro_f1(self, counts: Floats) -> Floats:
        """Mean F1 over the classes that the human column has."""
        return macro(self.confusion(counts))[2]

    def confusion(self, counts: Floats) -> Floats:
        """Items of human class i that the judge calls j, [draws, i, j]."""
        human, judge = self._classes
        cells = counts @ shares(human * self.n_classes + judge, self.n_classes**2)
        return np.asarray(cells).reshape(-1, self.n_classes, self.n_classes)

    def _margins(self, counts: Floats) -> tuple[Floats, Floats]:
        """How often each value occurs on either side, [draws, values]."""
        return np.asarray(counts @ self._human_shares), np.asarray(counts @ self._judge_shares)

    def _correlation(self, counts: Floats, human: Floats, judge: Floats) -> Floats:
        n = np.maximum(counts.sum(axis=1, keepdims=True), 1)
        human = human - (counts * human).sum(axis=1, keepdims=True) / n
        judge = judge - (counts * judge).sum(axis=1, keepdims=True) / n
        product = (counts * human * judge).sum(axis=1)
        spreads = (counts * human**2).sum(axis=1) * (counts * judge**2).sum(axis=1)
        varied = [(side > 0).sum(axis=1) > 1 for side in self._margins(counts)]
        return np.clip(divided(product, np.sqrt(spreads), where=varied[0] & varied[1]), -1, 1)

    def _kappa(self, counts: Floats, distances: Floats, by_chance: Floats) -> Floats:
        """1 - observed / expected, `by_chance` being the sum of distances over all n^2 combinations of the margins."""
        human, judge = self._margins(counts)
        varied = ((human + judge) > 0).sum(axis=1) > 1
        return 1 - divided(counts.sum(axis=1) * (counts @ distances), by_chance, where=varied)

    def _mean(self, counts: Floats, of: Floats) -> Floats:
        n = counts.sum(axis=1)
        return divided(counts @ of, n, where=n > 0)


def _midranks(counts: Floats) -> Floats:
    return np.cumsum(counts, axis=1) - (counts - 1) / 2


PairStatistic = Callable[[Pairs, Floats], Floats]

SYMMETRIC: dict[str, PairStatistic] = {
    "pearson": Pairs.pearson,
    "spearman": Pairs.spearman,
    "kendall": Pairs.kendall,
    "kappa": Pairs.kappa,
    "linear_kappa": Pairs.linear_kappa,
    "weighted_kappa": Pairs.weighted_kappa,
    "within_one": Pairs.within_one,
}
DIRECTED: dict[str, PairStatistic] = {
    "mean_difference": Pairs.mean_difference,
    "macro_precision": Pairs.macro_precision,
    "macro_recall": Pairs.macro_recall,
    "macro_f1": Pairs.macro_f1,
}
