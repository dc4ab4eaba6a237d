"""The report of a trained version: figures on unseen questions, and the words that it goes by."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from judging.measures.classification import classification, macro_f1, macro_f1_difference, macro_f1_interval
from judging.measures.intervals import Interval
from judging.measures.values import Undefined
from legalqa.training.classifier.augmentation import Shares
from legalqa.training.classifier.evaluation import LengthClassifier, changed_form, figures_document, lengths
from legalqa.training.classifier.fitting import TrainingSettings, linear_train
from legalqa.training.classifier.splitting import length_matched
from retrieval.complexity.linear import TOP_WORDS, LinearClassifier, words_of
from retrieval.complexity.types import Classifier, ClassifierError, LabelledText, Probabilities, for_classes, labels_of

CURVE = (0.1, 0.25, 0.5, 0.75, 1.0)  # shares of the training questions that the learning curve is drawn at
CURVE_ROWS = 4000  # ours: above it five more trainings take minutes
LEFT_OUT_WORD_BY_WORD = 40  # questions of which each word is left out once, to see what it did
SEEN_TWICE = 2  # a word must be in this many of them


def report_document(
    classifier: Classifier,
    *,
    learned: Sequence[LabelledText],
    tested: Sequence[LabelledText],
    settings: TrainingSettings,
    seconds: float,
    epochs: Sequence[dict[str, float | None]] = (),
) -> dict[str, Any]:
    """Everything that the report page shows.

    Args:
        classifier: As it will be used: read back from its artefact.
        learned: The rows it was trained on, changed ones included.
        tested: Rows kept from it, unchanged ones.
        settings: How it was trained.
        seconds: Of training.
        epochs: Of a fine-tuning: number, loss, score on the validation questions.
    """
    n_classes, seed = settings.n_classes, settings.seed
    truth = for_classes([row.label for row in tested], n_classes).tolist()
    texts = [row.text for row in tested]
    chances = classifier.probabilities(texts)
    predicted = classifier.decide(chances).tolist()
    variants = changed_form(tested, shares=settings.shares or Shares(), seed=seed)
    on_changed = labels_of(classifier, [row.text for row in variants]).tolist()
    by_length = labels_of(LengthClassifier.train(learned, settings), texts).tolist()
    alike = length_matched(lengths(tested), truth, seed=seed)

    def interval(called: Sequence[int], places: Sequence[int] | None = None) -> dict[str, Any]:
        at = range(len(truth)) if places is None else places
        score = macro_f1_interval([truth[i] for i in at], [called[i] for i in at], n_classes=n_classes, seed=seed)
        return interval_document(score)

    return {
        "n_train": len(learned),
        "n_changed": sum(bool(row.change) for row in learned),
        "n_test": len(tested),
        "seconds": round(seconds, 1),
        "figures": figures_document(classification(truth, predicted, n_classes=n_classes)),
        "f1": interval(predicted),
        "changed": interval(on_changed),
        "matched": interval(predicted, alike) | {"n": len(alike)},
        "length": interval(by_length),
        "length_matched": interval(by_length, alike),
        "over_length": interval_document(
            macro_f1_difference(truth, predicted, by_length, n_classes=n_classes, seed=seed)
        ),
        "asked": [
            [row.text, true, called, round(float(chances[at, called]), 3)]
            for at, (row, true, called) in enumerate(zip(tested, truth, predicted, strict=True))
        ],
        "curve": learning_curve(learned, tested, settings),
        "epochs": list(epochs),
        "words": words_it_goes_by(classifier, tested, chances),
        "is_by_weights": isinstance(classifier, LinearClassifier),
    }


def interval_document(interval: Interval | Undefined) -> dict[str, Any]:
    """A figure with its interval as JSON; the value is null where there is none."""
    if isinstance(interval, Undefined):
        return {"value": None, "low": None, "high": None}
    return {"value": round(interval.value, 4), "low": round(interval.low, 4), "high": round(interval.high, 4)}


def learning_curve(
    learned: Sequence[LabelledText], tested: Sequence[LabelledText], settings: TrainingSettings
) -> list[dict[str, Any]]:
    """Macro F1 on the kept questions after learning from a part of the others; linear models only.

    A flat end says that more questions of this kind will not help. For a fine-tuned model the curve of logistic
    regression on the same questions is used instead: five fine-tunings would take an hour.
    """
    kind = settings.kind if settings.kind in ("lr", "svm") else "lr"
    if settings.kind in ("random", "zero-shot") or len(learned) > CURVE_ROWS:
        return []
    of_kind = settings.model_copy(update={"kind": kind})
    order = np.random.default_rng(settings.seed).permutation(len(learned))
    truth = for_classes([row.label for row in tested], settings.n_classes).tolist()
    points = []
    for share in CURVE:
        rows = [learned[at] for at in order[: round(share * len(learned))]]
        try:
            model = linear_train([r.text for r in rows], [r.label for r in rows], of_kind)
        except ClassifierError:  # so few have not every class
            continue
        called = labels_of(model, [row.text for row in tested]).tolist()
        score = macro_f1(truth, called, n_classes=settings.n_classes)
        points.append({"n": len(rows), "f1": round(score, 4), "kind": kind})
    return points


def words_it_goes_by(
    classifier: Classifier, tested: Sequence[LabelledText], chances: Probabilities
) -> list[list[tuple[str, float]]]:
    """For each class the words that speak most for it: weights, or what leaving a word out takes from the class."""
    if isinstance(classifier, LinearClassifier):
        return classifier.top_words()
    if classifier.kind != "transformer":
        return []
    drops: list[dict[str, list[float]]] = [defaultdict(list) for _ in range(classifier.n_classes)]
    for label in range(classifier.n_classes):
        sure = np.argsort(-chances[:, label], kind="stable")[: LEFT_OUT_WORD_BY_WORD // classifier.n_classes]
        for at in sure:
            for word, drop in _drops(classifier, tested[int(at)].text, label, float(chances[at, label])):
                drops[label][word].append(drop)
    return [_largest(drop) for drop in drops]


def _drops(classifier: Classifier, text: str, label: int, chance: float) -> list[tuple[str, float]]:
    """What each word of a text adds to the probability of a class."""
    words = text.split()
    without = [" ".join(words[:at] + words[at + 1 :]) for at in range(len(words))]
    if not words:
        return []
    chances, drops = classifier.probabilities(without)[:, label], []
    for word, value in zip(words, chances, strict=True):
        drops += [(name, chance - float(value)) for name in words_of(word)[:1]]
    return drops


def _largest(drops: dict[str, list[float]]) -> list[tuple[str, float]]:
    means = {word: float(np.mean(values)) for word, values in drops.items() if len(values) >= SEEN_TWICE}
    best = sorted(means, key=lambda word: -means[word])[:TOP_WORDS]
    return [(word, round(means[word], 3)) for word in best if means[word] > 0]
