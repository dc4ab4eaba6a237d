"""How complex a question is: the rows to learn from, and the prediction. Plain values, no Django."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Probabilities = NDArray[np.float64]
Labels = NDArray[np.int64]

MIN_CLASSES, MAX_CLASSES = 2, 5  # classes of complexity of a corpus
COLUMNS = ("question", "label", "group", "change", "original")  # of a labelled question, in files and rows


class ClassifierError(ValueError):
    """A classifier that cannot be read, trained or used: which one, what is wrong, what to do."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a classifier makes of one question.

    Attributes:
        label: 0 for one piece of evidence, 1 for two, … the last class for as many or more.
        probabilities: One for each class, summing to 1. Not calibrated: they say how sure the model is of itself.
        n_classes: How many classes the classifier knows.
        model: The kind of classifier, such as "svm".
        version: "packaged", or the corpus's own number of it.
        fingerprint: SHA-256 of the classifier.
    """

    label: int
    probabilities: tuple[float, ...]
    n_classes: int
    model: str
    version: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A question to learn from.

    Attributes:
        text: The question, as it is or changed.
        label: Its class among as many as the file has; `for_classes` folds the upper ones together.
        group: Questions of one group stay on one side of every split: a document, or the original of its changes.
        change: How it was changed, "" where it was not.
        original: The question before the change, "" where there was none.
    """

    text: str
    label: int
    group: str = ""
    change: str = ""
    original: str = ""

    def as_mapping(self) -> dict[str, Any]:
        return dict(zip(COLUMNS, astuple(self), strict=True))

    @classmethod
    def read(cls, row: dict[str, Any]) -> "LabelledText":
        return cls(*(row[name] for name in COLUMNS))


def label_of(n_passages: int, n_classes: int) -> int:
    """The class of a question that needs this many passages: one is 0, two is 1, the last class takes the rest (H4).

    Raises:
        ValueError: a question without a passage has no class.
    """
    if n_passages < 1:
        raise ValueError("A question that no passage answers has no complexity class.")
    return min(n_passages, n_classes) - 1


def for_classes(labels: Sequence[int], n_classes: int) -> Labels:
    """Labels of more classes folded into fewer: with two, 0 stays and all others are 1."""
    return np.minimum(np.asarray(labels, np.int64), n_classes - 1)


class Classifier(Protocol):
    """Anything that gives probabilities to texts and can be written down without code."""

    @property
    def kind(self) -> str:
        """A name of `training.KINDS`."""
        ...

    @property
    def n_classes(self) -> int:
        """How many classes it tells apart."""
        ...

    def probabilities(self, texts: Sequence[str]) -> Probabilities:
        """How likely each class is for each text.

        Returns:
            Probabilities [n, n_classes] of n texts, rows summing to 1; not calibrated.
        """
        ...

    def decide(self, probabilities: Probabilities) -> Labels:
        """The classes that it assigns to questions, from its probabilities [n, n_classes].

        Returns:
            Classes [n], 0 to n_classes - 1.
        """
        ...

    def as_bytes(self) -> bytes:
        """The classifier as JSON or safetensors."""
        ...


class MostLikely:
    """Classifiers whose classes are independent of each other: they decide for the one with the largest probability."""

    def decide(self, probabilities: Probabilities) -> Labels:
        """The most likely class of each question, the lowest of equals."""
        return np.asarray(probabilities.argmax(axis=1), np.int64)


def ordered_probabilities(scores: NDArray[np.floating[Any]]) -> Probabilities:
    """Probabilities [n, c] from the scores of the c - 1 questions "is it of class k or above?", [n, c - 1].

    A class is reached with no more than the chance of the class below it, so that the differences are a distribution.
    """
    from scipy.special import expit

    reached = np.minimum.accumulate(expit(np.asarray(scores, np.float64)), axis=1)
    edges = np.pad(reached, ((0, 0), (1, 1)), constant_values=((0.0, 0.0), (1.0, 0.0)))
    return np.asarray(edges[:, :-1] - edges[:, 1:])


def middle_class(probabilities: Probabilities) -> Labels:
    """The class in the middle of each distribution [n, c]: the last one that is reached with a chance above one half.

    For ordered classes this one is least far off on average; the most likely class may be at an end.
    """
    reached = probabilities[:, ::-1].cumsum(axis=1)[:, ::-1]
    return np.asarray((reached[:, 1:] > 0.5).sum(axis=1), np.int64)


def labels_of(classifier: Classifier, texts: Sequence[str]) -> Labels:
    """The class of each of n texts, [n]: the decision that pages, endpoints, mapping and evaluation share."""
    return classifier.decide(classifier.probabilities(texts))
