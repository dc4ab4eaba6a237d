"""Boosted trees over the passages of one question, kept as lists of numbers and scored in numpy.

Where a site has many questions of its own, trees find what a weighted sum cannot say: that a passage counts for more
when nothing else in its list has the question's words, or for less when every passage has them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Places = NDArray[np.int64]
SPREAD_FLOOR = 1e-6  # of a feature that is the same for every passage


@dataclass(frozen=True)
class Trees:
    """n trees of at most m nodes each; a leaf is its own child, so that every row may take `depth` steps.

    Attributes:
        feature: The column that a node looks at, [n, m].
        threshold: A row goes left where its value is not above, [n, m].
        left, right: Children by their places within the tree, [n, m].
        value: What a leaf adds, [n, m].
        base: Added to every score.
        depth: Steps from the root to the deepest leaf.
    """

    feature: Places
    threshold: Values
    left: Places
    right: Places
    value: Values
    base: float
    depth: int

    def score(self, rows: Values) -> Values:
        """The sum over the trees, [r], for rows [r, d]."""
        tree, row = np.arange(len(self.feature))[None, :], np.arange(len(rows))[:, None]
        at = np.zeros((len(rows), len(self.feature)), np.int64)
        for _ in range(self.depth):
            goes_left = rows[row, self.feature[tree, at]] <= self.threshold[tree, at]
            at = np.where(goes_left, self.left[tree, at], self.right[tree, at])
        return np.asarray(self.base + self.value[tree, at].sum(axis=1))

    def as_mapping(self) -> dict[str, Any]:
        return {
            "feature": self.feature.tolist(),
            "threshold": np.round(self.threshold, 6).tolist(),
            "left": self.left.tolist(),
            "right": self.right.tolist(),
            "value": np.round(self.value, 6).tolist(),
            "base": round(self.base, 6),
            "depth": self.depth,
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """The trees that `as_mapping` wrote."""
        places = (np.array(data[part], np.int64) for part in ("feature", "left", "right"))
        feature, left, right = places
        return cls(
            feature, np.array(data["threshold"]), left, right, np.array(data["value"]), data["base"], data["depth"]
        )


def against_the_list(features: Values, scores: Values) -> Values:
    """What trees look at: each feature and the linear score as it is, against the question's list, and the list's best.

    Args:
        features: Of the passages of one question, [n, d].
        scores: Of the linear order, [n].

    Returns:
        [n, 3 (d + 1)]: values; their distance from the list's mean in its standard deviations; the list's largest.
    """
    if not len(features):
        return np.zeros((0, 3 * (features.shape[1] + 1)))
    values = np.column_stack([features, scores])
    apart = (values - values.mean(axis=0)) / (values.std(axis=0) + SPREAD_FLOOR)
    return np.column_stack([values, apart, np.repeat(values.max(axis=0)[None], len(values), axis=0)])
