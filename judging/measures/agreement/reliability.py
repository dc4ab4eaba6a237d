"""Agreement of any number of raters, with gaps, for many samples of the items at once.

A row is an item with the places of the values it was given, in order, so that it does not matter who gave which;
-1 fills the row up. As in `paired`, NaN stands for undefined until `report` gives the reason.
"""

from collections.abc import Callable, Sequence

import numpy as np
from scipy import sparse

from judging.measures.agreement.samples import Floats, divided


class Units:
    """Distinct rows of ratings.

    Args:
        patterns: Places of values in `scale`, ascending, -1 first where fewer, [p, most ratings an item].
        scale: Every value that a rater may give, ascending, given or not.
    """

    def __init__(self, patterns: Floats, *, scale: Sequence[float]) -> None:
        places = patterns.astype(np.int64)
        row, column = np.nonzero(places >= 0)
        ones = (np.ones(len(row)), (row, places[row, column]))
        self.by_value = sparse.csr_array(ones, shape=(len(places), len(scale)))  # how often each value, [p, values]
        self.scale = np.asarray(scale, np.float64)
        self.n = np.asarray(self.by_value.sum(axis=1), np.float64).reshape(-1)
        self._is_pair = self.n > 1
        self._same = np.asarray((self.by_value**2).sum(axis=1), np.float64).reshape(-1)

    def percent(self, counts: Floats) -> Floats:
        """Share of pairs of ratings of one item that are the same, averaged over items with two ratings or more."""
        return self._mean(counts, (self._same - self.n) / np.maximum(self.n * (self.n - 1), 1))

    def alpha_nominal(self, counts: Floats) -> Floats:
        """Krippendorff's alpha of names."""
        pairable = counts * self._is_pair
        frequencies = np.asarray(pairable @ self.by_value)
        n = frequencies.sum(axis=1)
        observed = pairable @ ((self.n**2 - self._same) / np.maximum(self.n - 1, 1))
        return self._alpha(observed, n**2 - (frequencies**2).sum(axis=1), frequencies)

    def alpha_ordinal(self, counts: Floats) -> Floats:
        """Krippendorff's alpha of ranks: the distance of two values is that of their midranks in all ratings."""
        frequencies = np.asarray((counts * self._is_pair) @ self.by_value)
        return self._spread_alpha(counts, np.cumsum(frequencies, axis=1) - frequencies / 2)

    def alpha_interval(self, counts: Floats) -> Floats:
        """Krippendorff's alpha of numbers."""
        return self._spread_alpha(counts, (self.scale - self.scale.mean())[None])

    def ac1(self, counts: Floats) -> Floats:
        """Gwet's AC1 over the whole scale; undefined for a scale of one value."""
        return self._gwet(counts, self.percent(counts), float(len(self.scale)))

    def ac2(self, counts: Floats) -> Floats:
        """Gwet's AC2 with quadratic weights 1 - (a - b)^2 / range^2."""
        scale, q = self.scale - self.scale.mean(), len(self.scale)
        width = float(np.ptp(scale)) ** 2 or 1.0
        apart = self._spread(scale[None])[0] / (width * np.maximum(self.n * (self.n - 1), 1))
        total = q**2 - 2 * q * float(scale @ scale) / width
        return self._gwet(counts, self._mean(counts, 1 - apart), total)

    def _spread(self, scores: Floats) -> Floats:
        """Squared distances of the scores of a row, over all ordered pairs of its ratings, [draws, p]."""
        sums, squares = scores @ self.by_value.T, scores**2 @ self.by_value.T
        return np.asarray(2 * (self.n * squares - sums**2))

    def _spread_alpha(self, counts: Floats, scores: Floats) -> Floats:
        pairable = counts * self._is_pair
        frequencies = np.asarray(pairable @ self.by_value)
        observed = (pairable * self._spread(scores) / np.maximum(self.n - 1, 1)).sum(axis=1)
        sums, squares = (frequencies * scores).sum(axis=1), (frequencies * scores**2).sum(axis=1)
        return self._alpha(observed, 2 * (frequencies.sum(axis=1) * squares - sums**2), frequencies)

    def _alpha(self, observed: Floats, expected: Floats, frequencies: Floats) -> Floats:
        varied = (frequencies > 0).sum(axis=1) > 1
        n: Floats = frequencies.sum(axis=1)
        return 1 - (n - 1) * divided(observed, expected, where=varied)

    def _gwet(self, counts: Floats, agreed: Floats, total_weight: float) -> Floats:
        q, is_rated = len(self.scale), self.n > 0
        n = (counts * is_rated).sum(axis=1, keepdims=True)
        shares = divided((counts / np.maximum(self.n, 1)) @ self.by_value, n, where=n > 0)
        if q < 2:
            return np.full(len(counts), np.nan)
        by_chance = total_weight * (shares * (1 - shares)).sum(axis=1) / (q * (q - 1))
        return divided(agreed - by_chance, 1 - by_chance, where=by_chance < 1)

    def _mean(self, counts: Floats, of: Floats) -> Floats:
        n = (counts * self._is_pair).sum(axis=1)
        return divided((counts * self._is_pair) @ of, n, where=n > 0)


UnitStatistic = Callable[[Units, Floats], Floats]

RELIABILITY: dict[str, UnitStatistic] = {
    "percent": Units.percent,
    "alpha_nominal": Units.alpha_nominal,
    "alpha_ordinal": Units.alpha_ordinal,
    "alpha_interval": Units.alpha_interval,
    "ac1": Units.ac1,
    "ac2": Units.ac2,
}
