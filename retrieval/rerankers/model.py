"""The evidence ranker's model: weights kept as JSON and scored in numpy.

A model is numbers under names, so reading one runs nothing. Trained by `manage.py ranker train`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from retrieval.rerankers.features import GROUPS, NAMES
from retrieval.rerankers.trees import Trees, looked_at

FIRST = 5  # the probability speaks of a gold passage among this many
TREES = "trees"  # the name of their part of a score
MODEL_FILE = Path(__file__).with_name("ranker.v1.json")
Values = NDArray[np.float64]


class ModelError(ValueError):
    """A model file that does not fit this code: which one, what is wrong, what to do."""


@dataclass(frozen=True)
class Linear:
    """weights · (x - means) / scales + bias; columns behind those that it has a weight for are not read."""

    weights: Values
    means: Values
    scales: Values
    bias: float

    def score(self, features: Values) -> Values:
        """Scores [n] of features [n, d]."""
        return np.asarray((features[:, : len(self.means)] - self.means) / self.scales @ self.weights + self.bias)

    def shares(self, features: Values) -> Values:
        """What each feature adds to the score, [n, d]; with the bias they sum to it."""
        return np.asarray((features[:, : len(self.means)] - self.means) / self.scales * self.weights)

    @classmethod
    def read(cls, data: Mapping[str, Any], names: Sequence[str]) -> Self:
        weights, means, scales = (np.array([data[part][n] for n in names]) for part in ("weights", "means", "scales"))
        return cls(weights, means, scales, data["bias"])

    def as_mapping(self, names: Sequence[str]) -> dict[str, Any]:
        parts = {"weights": self.weights, "means": self.means, "scales": self.scales}
        rounded = {k: dict(zip(names, np.round(v, 6).tolist(), strict=True)) for k, v in parts.items()}
        return {**rounded, "bias": round(self.bias, 6)}


@dataclass(frozen=True)
class RankerModel:
    """Scores passages, and says how likely one of the first five answers.

    Attributes:
        order: Over all features: what passages of one question are ordered by.
        confidence: Over `CONFIDENCE_NAMES`: the log-odds that a gold passage is in the first five.
        provenance: Collections, date, seed, figures; not read by the code.
        trees: Where there were questions enough, trees over the features and the order; they have the last word.
    """

    order: Linear
    confidence: Linear
    provenance: Mapping[str, Any]
    trees: Trees | None = None

    def scores(self, features: Values) -> Values:
        """The order of passages, [n]; comparable within one question only."""
        linear = self.order.score(features)
        return linear if self.trees is None else self.trees.score(looked_at(features, linear, n=len(NAMES)))

    def parts(self, features: Values) -> dict[str, Values]:
        """What each group of features adds to a passage's score, against the mean passage of training, [n].

        Trees do not add up by features: what they change of the linear score is a part of its own.
        """
        shares = self.order.shares(features)
        parts = {group: shares[:, [NAMES.index(name) for name in names]].sum(axis=1) for group, names in GROUPS.items()}
        if self.trees is not None:
            parts[TREES] = self.scores(features) - self.order.score(features)
        return parts

    def probability(self, features: Values, scores: Values) -> float:
        """The calibrated chance, 0 to 1, that a gold passage is among the best five."""
        odds = float(self.confidence.score(confidence_features(features, scores)[None, :])[0])
        return float(1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))))

    def as_mapping(self) -> dict[str, Any]:
        document = {
            "features": list(NAMES),
            "order": self.order.as_mapping(NAMES),
            "confidence": self.confidence.as_mapping(CONFIDENCE_NAMES),
            "provenance": dict(self.provenance),
        }
        return document if self.trees is None else {**document, "trees": self.trees.as_mapping()}

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
            Linear.read(data["order"], NAMES),
            Linear.read(data["confidence"], CONFIDENCE_NAMES),
            data["provenance"],
            Trees.read(data["trees"]) if "trees" in data else None,
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
    first, ranked = features[order[:FIRST]], scores[order]

    def column(name: str) -> Values:
        return np.asarray(first[:, NAMES.index(name)])

    rest = ranked[FIRST:30] if len(ranked) > FIRST else ranked[-1:]
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
            ranked[0] - ranked[min(FIRST, len(ranked)) - 1],
            column("bm25_of_mass").max(),
            column("question_length")[0],
        ]
    )


@cache
def model_load() -> RankerModel:
    """The packaged ranker; its file is read once a process."""
    return RankerModel.read(json.loads(MODEL_FILE.read_text()))
