"""Linear classifiers: the same as scikit-learn's, kept as JSON."""

import json

import numpy as np
import pytest

from legalqa.training.classifier.fitting import TrainingSettings, linear_train, rows_check
from retrieval.complexity.linear import LinearClassifier, pairwise_scores
from retrieval.complexity.reading import classifier_read, packaged
from retrieval.complexity.types import ClassifierError, LabelledText, label_of

TEXTS = [
    *(f"When is the rent of flat {n} due?" for n in range(12)),
    *(f"What are the rent and the deposit of flat {n}?" for n in range(12)),
    *(f"How do all duties of landlord and tenant of flat {n} fit together?" for n in range(12)),
]
LABELS = [n // 12 for n in range(36)]


def trained(kind: str, n_classes: int = 3) -> LinearClassifier:
    return linear_train(TEXTS, LABELS, TrainingSettings.model_validate({"kind": kind, "n_classes": n_classes}))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", ["lr", "svm"])
def test_a_classifier_calls_every_question_as_scikit_learn_does(kind: str, n_classes: int) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    asked = ["When is it due?", "What are the duties and the deposit?", "rent", "", "How do rent and due fit?"]
    vectorizer = TfidfVectorizer()
    matrix, labels = vectorizer.fit_transform(TEXTS), np.minimum(LABELS, n_classes - 1)
    if kind == "lr":
        model = LogisticRegression(random_state=5, max_iter=1000, class_weight="balanced").fit(matrix, labels)
    else:
        model = SVC(kernel="linear", class_weight="balanced", break_ties=n_classes > 2).fit(matrix, labels)

    ours = trained(kind, n_classes).probabilities(asked)

    assert ours.argmax(axis=1).tolist() == model.predict(vectorizer.transform(asked)).tolist()
    assert ours.sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize("kind", ["lr", "svm"])
def test_a_classifier_comes_back_from_its_bytes(kind: str, tmp_path: object) -> None:
    before = trained(kind)

    after = classifier_read(before.as_bytes())

    assert after.probabilities(TEXTS) == pytest.approx(before.probabilities(TEXTS), abs=1e-3)
    assert after.as_bytes() == before.as_bytes()


def test_the_words_of_a_class_are_those_that_speak_for_it() -> None:
    words = trained("svm").top_words(3)

    assert [found[0][0] for found in words] == ["when", "deposit", "how"] or "deposit" in dict(words[1])
    assert "duties" in dict(trained("lr").top_words(8)[2])


def test_pairs_are_won_by_votes_and_then_by_how_clearly() -> None:
    assert pairwise_scores(np.array([1.0, 1.0, 1.0]), 3).argmax() == 0
    assert pairwise_scores(np.array([0.1, -3.0, 0.2]), 3).argmax() == 2  # one vote each


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_small_classifier_comes_with_the_product(n_classes: int) -> None:
    classifier, fingerprint = packaged(n_classes)

    assert classifier.n_classes == n_classes
    assert len(classifier.as_bytes()) < 1_000_000
    assert len(fingerprint) == 64
    assert isinstance(classifier, LinearClassifier)
    assert {"source", "data", "reached"} <= set(classifier.provenance)


def test_no_five_class_classifier_is_packaged() -> None:
    with pytest.raises(ClassifierError, match="5 classes"):
        packaged(5)


@pytest.mark.parametrize(
    "data",
    [b"{}", b"{nonsense", json.dumps({"kind": "oracle"}).encode(), b'{"kind":"lr","format":9}', b"\x10" * 64],
    ids=["empty", "no JSON", "unknown kind", "another format", "no safetensors"],
)
def test_what_is_no_classifier_is_refused(data: bytes) -> None:
    with pytest.raises(ClassifierError):
        classifier_read(data)


def test_training_needs_questions_of_every_class() -> None:
    rows = [LabelledText(f"question {n}", n % 2) for n in range(30)]

    rows_check(rows, TrainingSettings(kind="lr", n_classes=2))
    with pytest.raises(ClassifierError, match="class 2"):
        rows_check(rows, TrainingSettings(kind="lr", n_classes=3))
    with pytest.raises(ClassifierError, match="5 questions"):
        rows_check(rows[:5], TrainingSettings(kind="lr", n_classes=2))


def test_the_class_of_a_question_is_how_many_passages_it_needs() -> None:
    assert [label_of(n, 3) for n in (1, 2, 3, 9)] == [0, 1, 2, 2]
    assert [label_of(n, 2) for n in (1, 2, 3)] == [0, 1, 1]
    with pytest.raises(ValueError, match="no complexity"):
        label_of(0, 3)
