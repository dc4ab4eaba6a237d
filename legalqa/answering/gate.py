"""Answer or stay silent: a small logistic model over how well the best evidence fits the question."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from legalqa.answering.types import QuestionTerms, Sentence

WEIGHTS_FILE = Path(__file__).with_name("gate.v1.json")
FEATURES = ("best_cosine", "best_coverage", "passage_coverage", "unknown_share")


@dataclass(frozen=True, slots=True)
class Gate:
    """Coefficients, threshold and where they come from; made by `manage.py gate`, never by hand."""

    weights: tuple[float, ...]
    bias: float
    means: tuple[float, ...]
    scales: tuple[float, ...]
    threshold: float
    trained_on: tuple[str, ...]

    def probability(self, features: Sequence[float]) -> float:
        """The chance that the evidence answers the question, 0 to 1."""
        z = self.bias + sum(
            w * (f - m) / s for w, f, m, s in zip(self.weights, features, self.means, self.scales, strict=True)
        )
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))


@cache
def gate_load(path: Path = WEIGHTS_FILE) -> Gate:
    data = json.loads(path.read_text())
    return Gate(
        weights=tuple(data["weights"][name] for name in FEATURES),
        bias=data["bias"],
        means=tuple(data["means"][name] for name in FEATURES),
        scales=tuple(data["scales"][name] for name in FEATURES),
        threshold=data["threshold"],
        trained_on=tuple(data["trained_on"]),
    )


def gate_features(ranked: Sequence[Sentence], *, question: QuestionTerms) -> tuple[float, ...]:
    """How well the evidence fits, in the order of FEATURES; all 0 without evidence.

    Args:
        ranked: Scored sentences of one question, best first.
        question: The question's terms; unknown ones stand nowhere in the corpus, which speaks for silence.
    """
    if not ranked:
        return (0.0,) * len(FEATURES)
    passages: dict[int, frozenset[str]] = {}
    for sentence in ranked:
        passages[sentence.passage] = passages.get(sentence.passage, frozenset()) | sentence.terms
    unknown = sum(question.weights[term] for term in question.unknown if term in question.weights)
    return (
        max(s.cosine for s in ranked),
        max(min(1.0, s.coverage) for s in ranked[:5]),
        max(question.coverage(terms) for terms in passages.values()),
        unknown / question.mass,
    )
