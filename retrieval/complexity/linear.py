"""TF-IDF and a linear model, kept as JSON and scored in numpy: loading one runs no code and needs no scikit-learn.

Words, weights and scores are those of scikit-learn's `TfidfVectorizer`, `LogisticRegression` and `SVC(kernel="linear")`
with their defaults, which the paper used (HyPA-RAG 7.2).
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from retrieval.complexity.types import ClassifierError, MostLikely, Probabilities

FORMAT = 1
Values = NDArray[np.float64]
_WORD = re.compile(r"(?u)\b\w\w+\b")  # scikit-learn's
TOP_WORDS = 15


def words_of(text: str) -> list[str]:
    """The words that count: two letters or digits and more, in small letters."""
    return _WORD.findall(text.lower())


@dataclass(frozen=True)
class LinearClassifier(MostLikely):
    """Scores of a question are weights · tf-idf + bias.

    Attributes:
        kind: "lr" or "svm".
        n_classes: How many classes, 2 to 5.
        vocabulary: Word to column.
        idf: Of each column, [v].
        weights: [p, v]: a row for each class (lr), or for each pair of classes i < j (svm; positive speaks for i).
        bias: [p].
        sharpness: What scores are multiplied with before the softmax, above 0; larger is surer.
        provenance: Data, date, seed, figures; not read by the code.

    Source: HyPA-RAG 7.2 (TF-IDF with logistic regression or a linear SVM), as scikit-learn computes them.
    """

    kind: str
    n_classes: int
    vocabulary: Mapping[str, int]
    idf: Values
    weights: Values
    bias: Values
    sharpness: float = 1.0
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def probabilities(self, texts: Sequence[str]) -> Probabilities:
        """The softmax over each text's scores."""
        scores = np.array([self._scores(text) for text in texts]).reshape(len(texts), self.n_classes)
        return softmax(self.sharpness * scores)

    def _scores(self, text: str) -> Values:
        counts = Counter(self.vocabulary[word] for word in words_of(text) if word in self.vocabulary)
        columns = np.fromiter(counts, np.int64, len(counts))
        values = np.fromiter(counts.values(), np.float64, len(counts)) * self.idf[columns]
        norm = float(np.linalg.norm(values))
        scores = self.weights[:, columns] @ (values / norm if norm else values) + self.bias
        return scores if self.kind == "lr" else pairwise_scores(scores, self.n_classes)

    def class_weights(self) -> Values:
        """What each word adds to each class, [c, v]; for pairs the mean of those that the class takes part in."""
        if self.kind == "lr":
            return self.weights
        total = np.zeros((self.n_classes, self.weights.shape[1]))
        for row, (first, second) in enumerate(_pairs(self.n_classes)):
            total[first] += self.weights[row]
            total[second] -= self.weights[row]
        return total / (self.n_classes - 1)

    def top_words(self, n: int = TOP_WORDS) -> list[list[tuple[str, float]]]:
        """The words that speak most for each class, with their weights."""
        names, words = sorted(self.vocabulary, key=self.vocabulary.__getitem__), []
        for weights in self.class_weights() - self.class_weights().mean(axis=0):
            best = np.argsort(-weights, kind="stable")[:n]
            words.append([(names[at], round(float(weights[at]), 3)) for at in best if weights[at] > 0])
        return words

    def as_bytes(self) -> bytes:
        names = sorted(self.vocabulary, key=self.vocabulary.__getitem__)
        document = {
            "format": FORMAT,
            "kind": self.kind,
            "classes": self.n_classes,
            "words": names,
            "idf": np.round(self.idf, 4).tolist(),
            "weights": np.round(self.weights, 4).tolist(),
            "bias": np.round(self.bias, 6).tolist(),
            "sharpness": round(self.sharpness, 4),
            "provenance": dict(self.provenance),
        }
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """The classifier that `as_bytes` wrote.

        Raises:
            ClassifierError: it is of another format, or its parts do not fit together.
        """
        if document.get("format") != FORMAT:
            raise ClassifierError("The classifier was written by another version. Train it again.")
        n_classes, names = int(document["classes"]), document["words"]
        idf, bias = np.array(document["idf"], np.float64), np.array(document["bias"], np.float64)
        weights = np.array(document["weights"], np.float64).reshape(len(bias), -1)
        n_rows = n_classes if document["kind"] == "lr" else n_classes * (n_classes - 1) // 2
        if weights.shape != (n_rows, len(names)) or len(idf) != len(names):
            raise ClassifierError("The classifier's weights do not fit its words. Train it again.")
        vocabulary = {word: place for place, word in enumerate(names)}
        return cls(
            document["kind"],
            n_classes,
            vocabulary,
            idf,
            weights,
            bias,
            document["sharpness"],
            document.get("provenance", {}),
        )


def pairwise_scores(decisions: Values, n_classes: int) -> Values:
    """One score a class from the decisions of all pairs: its votes, and between equals how clearly they were won.

    Source: scikit-learn's `_ovr_decision_function`.
    """
    votes, sums = np.zeros(n_classes), np.zeros(n_classes)
    for decision, (first, second) in zip(decisions, _pairs(n_classes), strict=True):
        votes[first if decision > 0 else second] += 1
        sums[first] += decision
        sums[second] -= decision
    return np.asarray(votes + sums / (3 * (np.abs(sums) + 1)))


def _pairs(n_classes: int) -> list[tuple[int, int]]:
    return [(first, second) for first in range(n_classes) for second in range(first + 1, n_classes)]


def softmax(scores: Values) -> Probabilities:
    """Rows of scores [n, c] as probabilities."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
