"""The evidence ranker's model: a linear part and boosted trees, kept as JSON and scored in numpy.

No pickle: a model is numbers in named lists, so reading one runs nothing. Trained by `manage.py ranker train`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from retrieval.rankers.features import GROUPS, NAMES

MODEL_FILE = Path(__file__).with_name("ranker.v1.json")
Values = NDArray[np.float64]


class ModelError(ValueError):
    """A model file that does not fit this code: which one, what is wrong, what to do."""


@dataclass(frozen=True)
class Linear:
    """weights · (x - means) / scales + bias."""

    weights: Values
    means: Values
    scales: Values
    bias: float

    def score(self, features: Values) -> Values:
        """Scores [n] of features [n, d]."""
        return np.asarray((features - self.means) / self.scales @ self.weights + self.bias)

    def shares(self, features: Values) -> Values:
        """What each feature adds to the score, [n, d]; with the bias they sum to it."""
        return np.asarray((features - self.means) / self.scales * self.weights)

    @classmethod
    def read(cls, data: Mapping[str, Any], names: Sequence[str]) -> Self:
        return cls(
            *(np.array([data[part][name] for name in names]) for part in ("weights", "means", "scales")), data["bias"]
        )

    def as_mapping(self, names: Sequence[str]) -> dict[str, Any]:
        parts = {"weights": self.weights, "means": self.means, "scales": self.scales}
        rounded = {k: dict(zip(names, np.round(v, 6).tolist(), strict=True)) for k, v in parts.items()}
        return {**rounded, "bias": round(self.bias, 6)}


@dataclass(frozen=True)
class Trees:
    """A sum of regression trees: node by node the feature asked, its threshold, and where to go (<= goes left).

    Trees lie behind each other; `roots` says where each starts. A leaf points to itself.
    """

    roots: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: Values
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    value: Values
    depth: int
    base: float

    def score(self, features: Values) -> Values:
        """Scores [n] of features [n, d]: every row walks down all trees at once."""
        node = np.repeat(self.roots[None, :], len(features), axis=0)
        row = np.arange(len(features))[:, None]
        for _ in range(self.depth):
            goes_left = features[row, self.feature[node]] <= self.threshold[node]
            node = np.where(goes_left, self.left[node], self.right[node])
        return np.asarray(self.value[node].sum(axis=1) + self.base)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        whole = {name: np.array(data[name], np.int64) for name in ("roots", "feature", "left", "right")}
        real = {name: np.array(data[name], np.float64) for name in ("threshold", "value")}
        return cls(**whole, **real, depth=data["depth"], base=data["base"])

    def as_mapping(self) -> dict[str, Any]:
        whole = {name: getattr(self, name).tolist() for name in ("roots", "feature", "left", "right")}
        return {
            **whole,
            "threshold": [float(f"{v:.8g}") for v in self.threshold],
            "value": [float(f"{v:.6g}") for v in self.value],
            "depth": self.depth,
            "base": self.base,
        }


@dataclass(frozen=True)
class RankerModel:
    """Scores passages, and says how likely one of the first five answers.

    Attributes:
        linear: Over all features.
        trees: Over the same; None in a model of the linear part alone.
        confidence: Over `CONFIDENCE_NAMES`: the log-odds that a gold passage stands in the first five.
        answerable: Over the same: the log-odds that the corpus answers the question at all.
        threshold: The probability of being answerable from which an answer is given.
        provenance: Collections, date, seed, figures; not read by the code.
    """

    linear: Linear
    trees: Trees | None
    confidence: Linear
    answerable: Linear
    threshold: float
    provenance: Mapping[str, Any]

    def scores(self, features: Values) -> Values:
        """The order of passages, [n]: the mean of the two parts' log-odds."""
        if self.trees is None:
            return self.linear.score(features)
        return np.asarray(0.5 * (self.linear.score(features) + self.trees.score(features)))

    def parts(self, features: Values) -> dict[str, Values]:
        """What each group of features adds to a passage's score in the linear part, against the mean passage [n]."""
        shares = self.linear.shares(features)
        return {group: shares[:, [NAMES.index(name) for name in names]].sum(axis=1) for group, names in GROUPS.items()}

    def probabilities(self, features: Values, scores: Values) -> tuple[float, float]:
        """The calibrated chances, 0 to 1, that a gold passage is among the best five, and that there is one at all."""
        measured = confidence_features(features, scores)[None, :]
        found, answerable = (float(part.score(measured)[0]) for part in (self.confidence, self.answerable))
        return _chance(found), _chance(answerable)

    def as_mapping(self) -> dict[str, Any]:
        return {
            "features": list(NAMES),
            "linear": self.linear.as_mapping(NAMES),
            "trees": None if self.trees is None else self.trees.as_mapping(),
            "confidence": self.confidence.as_mapping(CONFIDENCE_NAMES),
            "answerable": self.answerable.as_mapping(CONFIDENCE_NAMES),
            "threshold": self.threshold,
            "provenance": dict(self.provenance),
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """The model that `as_mapping` wrote.

        Raises:
            ModelError: it was trained on other features than this code measures.
        """
        if tuple(data.get("features", ())) != NAMES:
            raise ModelError(
                "The ranker's model was trained on other features. Train it with `manage.py ranker train`."
            )
        return cls(
            Linear.read(data["linear"], NAMES),
            None if data["trees"] is None else Trees.read(data["trees"]),
            Linear.read(data["confidence"], CONFIDENCE_NAMES),
            Linear.read(data["answerable"], CONFIDENCE_NAMES),
            data["threshold"],
            data["provenance"],
        )


CONFIDENCE_NAMES = (
    "top_cosine", "mean_cosine", "top_coverage", "mean_coverage", "top_window", "pairs", "top_score",
    "margin", "spread", "top_mass", "question_length",
)  # fmt: skip


def confidence_features(features: Values, scores: Values) -> Values:
    """How well the first five passages fit, in the order of CONFIDENCE_NAMES; all 0 without passages."""
    if not len(scores):
        return np.zeros(len(CONFIDENCE_NAMES))
    order = np.argsort(-scores, kind="stable")
    first, ranked = features[order[:5]], scores[order]

    def column(name: str) -> Values:
        return np.asarray(first[:, NAMES.index(name)])

    rest = ranked[5:30] if len(ranked) > 5 else ranked[-1:]
    return np.array(
        [
            column("cosine").max(),
            column("cosine").mean(),
            column("coverage_title").max(),
            column("coverage").mean(),
            column("window").max(),
            column("pairs_mass").max(),
            ranked[0],
            ranked[0] - rest.mean(),
            ranked[0] - ranked[min(4, len(ranked) - 1)],
            column("bm25_of_mass").max(),
            column("question_length")[0],
        ]
    )


def _chance(log_odds: float) -> float:
    return float(1.0 / (1.0 + np.exp(-np.clip(log_odds, -30.0, 30.0))))


@cache
def model_load(path: Path = MODEL_FILE) -> RankerModel:
    return RankerModel.read(json.loads(path.read_text()))
