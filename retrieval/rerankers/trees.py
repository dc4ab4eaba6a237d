"""Boosted trees over the passages of one question, kept as lists of numbers and scored in numpy.

Where a site has many questions of its own, trees find what a weighted sum cannot say: that a passage counts for more
when nothing else in its list has the question's words, for less when every passage has them, or for more when others of
its document, or those beside it, do well too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Places = NDArray[np.int64]
SPREAD_FLOOR = 1e-6  # least spread by which a feature is divided: it may be the same for every passage
TOP = 10  # ours: passages that an answer is read from
NOTHING_NEAR = -2.0  # ours: standard deviations, about what the worst of a list has
NEAR = (
    "document", "within 1", "within 3", "within 8", "within 25", "best within 3", "best within 10",
    "better", "in the first", "better within 3",
)  # fmt: skip


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


def looked_at(features: Values, scores: Values, *, n: int) -> Values:
    """What trees look at: features and linear scores against their list, then those of the passages near each.

    Those of the neighbours come last, so that trees grown before it was looked at still find their columns.

    Args:
        features: Of the passages of one question, [r, n + 2]: behind the n features the document's number and place.
        scores: Of the linear order, [r].
        n: How many of the columns are features.
    """
    own = against_the_list(np.column_stack([features[:, :n], scores]))
    return np.column_stack([own, against_the_list(near_the_best(features[:, n], features[:, n + 1], scores))])


def against_the_list(values: Values) -> Values:
    """Values of the passages of one question as they are, against the question's list, and the list's best.

    Returns:
        [r, 3 d] of [r, d]: values; their distance from the list's mean in its standard deviations; the list's largest.
    """
    if not len(values):
        return np.zeros((0, 3 * values.shape[1]))
    apart = (values - values.mean(axis=0)) / (values.std(axis=0) + SPREAD_FLOOR)
    return np.column_stack([values, apart, np.repeat(values.max(axis=0)[None], len(values), axis=0)])


def near_the_best(documents: Values, places: Values, scores: Values) -> Values:
    """How the other passages of each passage's document fare by the linear order: a question's passages are adjacent.

    Args:
        documents: The number of each passage's document, [r].
        places: Where it is; passages of one document follow each other, [r].
        scores: Of the linear order, [r].

    Returns:
        [r, len(NEAR)]: chance mass of the other passages of the document, all of them and those at most this many
        places away; the best of those near, in standard deviations; how many fare better, anywhere and beside it; how
        many are among the first TOP.
    """
    if not len(scores):
        return np.zeros((0, len(NEAR)))
    mass = np.exp(scores - scores.max())
    mass /= mass.sum()
    apart = (scores - scores.mean()) / (scores.std() + SPREAD_FLOOR)
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(len(scores))
    same = documents[:, None] == documents[None, :]
    same &= ~np.eye(len(scores), dtype=np.bool_)
    away = np.abs(places[:, None] - places[None, :])
    better = same & (ranks[None, :] < ranks[:, None])
    near = [same & (away <= reach) for reach in (1, 3, 8, 25)]
    best = [np.where(same & (away <= reach), apart[None, :], NOTHING_NEAR).max(axis=1) for reach in (3, 10)]
    counts = (better, same & (ranks < TOP)[None, :], better & (away <= 3))
    return np.column_stack([same @ mass, *(one @ mass for one in near), *best, *(one.sum(axis=1) for one in counts)])
