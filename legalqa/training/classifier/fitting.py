"""Training the linear classifiers (HyPA-RAG 7.2) with scikit-learn, and the settings of every training."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from legalqa.common.config import Config
from legalqa.training.classifier.augmentation import Shares
from retrieval.complexity.linear import LinearClassifier
from retrieval.complexity.types import MAX_CLASSES, MIN_CLASSES, ClassifierError, LabelledText, for_classes

Kind = Literal["random", "zero-shot", "lr", "svm", "transformer"]
KINDS: Mapping[str, str] = {  # classifiers in the order of Tables 1 and 7
    "random": "Random labels",
    "zero-shot": "Zero-shot",
    "lr": "Logistic regression (TF-IDF)",
    "svm": "SVM (TF-IDF)",
    "transformer": "Transformer, fine-tuned",
}
MIN_ROWS = 20  # ours: below it neither side of a split says anything
MAX_ROWS = 20_000


class TrainingSettings(Config):
    """How a classifier is trained. Defaults of the paper, but for `balanced`, `max_tokens` and `learning_rate`.

    Attributes:
        kind: One of KINDS.
        n_classes: Classes of complexity, 2 to 5.
        seed: 0 or more. The paper's random state of logistic regression, used for every draw.
        balanced: Weigh classes by their rarity: real questions mostly need one passage, and a classifier that always
            says so is useless. With equally many questions of each class it changes nothing, but for a fine-tuned
            transformer: there a yes to "more than k passages" is weighed by the root of how many noes there are for it.
        test_share: Share of the questions that is kept for the report, between 0 and 1.
        validation_share: Share of the rest for stopping early, 0 to below 1; with 0 every epoch is done and the last
            one is used.
        iterations: Steps of the solver of logistic regression at most, 1 or more.
        max_words: Words of the TF-IDF vocabulary at most, the most frequent ones, 10 or more.
        learning_rate: Of fine-tuning at the end of the warm-up, between 0 and 1; the packaged encoder's. The paper's
            2e-5 is DistilBERT's, which is three times as large and moves more a step.
        batch: Questions a step of fine-tuning, 1 to 256.
        epochs: Passes over the questions at most, 1 to 50.
        weight_decay: Of AdamW, 0 or more.
        patience: 1 or more. Epochs with a worse figure than the best before training stops; of equal ones the last is
            the best.
        max_tokens: Of a question that fine-tuning reads, the model's own two marks counted, 8 to 256.
        shares: Changes that are added to the questions that are learned from; None for none.
    """

    kind: Kind
    n_classes: int = Field(default=3, ge=MIN_CLASSES, le=MAX_CLASSES)
    seed: int = 5
    balanced: bool = True
    test_share: float = Field(default=0.2, gt=0, lt=1)
    validation_share: float = Field(default=0.1, ge=0, lt=1)
    iterations: int = Field(default=1000, ge=1)
    max_words: int = Field(default=20_000, ge=10)
    learning_rate: float = Field(default=1e-4, gt=0, lt=1)
    batch: int = Field(default=32, ge=1, le=256)
    epochs: int = Field(default=10, ge=1, le=50)
    weight_decay: float = Field(default=0.01, ge=0)
    patience: int = Field(default=2, ge=1)
    max_tokens: int = Field(default=64, ge=8, le=256)
    shares: Shares | None = None


def rows_check(rows: Sequence[LabelledText], settings: TrainingSettings) -> None:
    """Raise ClassifierError where nothing can be learned from the rows: too few, too many, or a class without any."""
    if not MIN_ROWS <= len(rows) <= MAX_ROWS:
        raise ClassifierError(
            f"There are {len(rows)} questions with a class; training takes {MIN_ROWS} to {MAX_ROWS:,}."
        )
    counts = np.bincount(for_classes([row.label for row in rows], settings.n_classes), minlength=settings.n_classes)
    if (few := int(counts.argmin())) >= 0 and counts[few] < 2:
        raise ClassifierError(
            f"Only {counts[few]} of the {len(rows)} questions are of class {few}; "
            f"give at least 2 of each of the {settings.n_classes} classes, or train with fewer classes."
        )


def linear_train(
    texts: Sequence[str],
    labels: Sequence[int],
    settings: TrainingSettings,
    *,
    provenance: Mapping[str, Any] | None = None,
) -> LinearClassifier:
    """Fit TF-IDF and the linear model of `settings.kind` ("lr" or "svm").

    Raises:
        ClassifierError: the texts have no words, or fewer than two classes.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import SVC

    classes = for_classes(labels, settings.n_classes)
    if len(set(classes.tolist())) < settings.n_classes:
        raise ClassifierError("The training questions do not cover every class. Add more of them.")
    vectorizer = TfidfVectorizer(max_features=settings.max_words)
    try:
        matrix = vectorizer.fit_transform(texts)
    except ValueError as error:
        raise ClassifierError("The questions have no words to learn from. Add questions in words.") from error
    weight = "balanced" if settings.balanced else None
    if settings.kind == "lr":
        model = LogisticRegression(random_state=settings.seed, max_iter=settings.iterations, class_weight=weight)
    else:
        model = SVC(kernel="linear", class_weight=weight, break_ties=settings.n_classes > 2)
    model.fit(matrix, classes)
    weights = np.asarray(model.coef_.todense() if hasattr(model.coef_, "todense") else model.coef_, np.float64)
    bias = np.asarray(model.intercept_, np.float64)
    if settings.n_classes == 2:
        # scikit-learn keeps one row that speaks for class 1; ours are one a class, or one that speaks for class 0.
        is_lr = settings.kind == "lr"
        weights = np.vstack([-weights / 2, weights / 2]) if is_lr else -weights
        bias = np.concatenate([-bias / 2, bias / 2]) if is_lr else -bias
    vocabulary = {word: int(column) for word, column in vectorizer.vocabulary_.items()}
    return LinearClassifier(
        settings.kind,
        settings.n_classes,
        vocabulary,
        np.asarray(vectorizer.idf_, np.float64),
        weights,
        bias,
        provenance=provenance or {},
    )
