"""What every classifier that learns here keeps: probabilities, alike for the same text, and after storage."""

from functools import cache

import numpy as np
import pytest

from legalqa.training.classifier.fitting import KINDS, TrainingSettings, linear_train
from retrieval.complexity.baselines import RandomClassifier
from retrieval.complexity.reading import classifier_read, packaged
from retrieval.complexity.types import Classifier, labels_of

SIMPLE, DOUBLE = "When is the rent due?", "What are the rent and the deposit of the flat, and who keeps them?"
TEXTS = [f"{text} Case {number}." for number in range(10) for text in (SIMPLE, DOUBLE)]
# A model of entailment is none of the package's, and a fine-tuned one takes minutes: they have tests of their own.
ELSEWHERE = {"zero-shot", "transformer"}
ROWS = ("random", "lr", "svm", "packaged 2", "packaged 3")
each = pytest.mark.parametrize("name", ROWS)


@cache
def classifier(name: str) -> Classifier:
    if name.startswith("packaged"):
        return packaged(int(name.split()[1]))[0]
    if name == "random":
        return RandomClassifier(2, 7)
    return linear_train(TEXTS, [0, 1] * 10, TrainingSettings.model_validate({"kind": name, "n_classes": 2}))


def test_every_kind_has_a_row_here_or_tests_of_its_own() -> None:
    assert set(KINDS) == {name for name in ROWS if not name.startswith("packaged")} | ELSEWHERE


@each
def test_probabilities_are_one_row_for_each_text_and_sum_to_one(name: str) -> None:
    probabilities = classifier(name).probabilities([SIMPLE, DOUBLE, ""])

    assert probabilities.shape == (3, classifier(name).n_classes)
    assert np.allclose(probabilities.sum(axis=1), 1.0)
    assert (probabilities >= 0).all()


@each
def test_the_same_text_gets_the_same_class_alone_and_among_others(name: str) -> None:
    together = labels_of(classifier(name), [SIMPLE, DOUBLE, SIMPLE])

    assert together[0] == together[2] == labels_of(classifier(name), [SIMPLE])[0]
    assert set(together) <= set(range(classifier(name).n_classes))


@each
def test_a_stored_classifier_decides_as_it_did(name: str) -> None:
    again = classifier_read(classifier(name).as_bytes())

    assert again.kind == classifier(name).kind
    assert labels_of(again, TEXTS).tolist() == labels_of(classifier(name), TEXTS).tolist()
    # Weights are stored with four decimals.
    assert np.allclose(again.probabilities(TEXTS), classifier(name).probabilities(TEXTS), atol=1e-3)
