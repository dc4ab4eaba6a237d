"""The class of a question, by the classifier that its corpus uses."""

from contextlib import nullcontext
from functools import lru_cache
from uuid import UUID

from corpora.models import Corpus
from legalqa.accounts.scoping import organization_scope, scope_is_active
from legalqa.common.errors import ApplicationError
from retrieval.complexity.reading import classifier_read, packaged
from retrieval.complexity.types import Classifier, ClassifierError, Prediction
from retrieval.models import ComplexityActivation, ComplexityClassifier

KEPT = 4  # ours: classifiers held in memory; a transformer's artefact is 21 MB


def complexity_predict(*, corpus: Corpus, text: str, n_classes: int = 3) -> Prediction:
    """The class of a question: how many pieces of evidence an answer to it is likely to need.

    Opens its own short transaction where no organisation is active. It takes about a millisecond; a fine-tuned
    transformer is asked of the encoder's process in some ten, so call it outside any transaction.

    Args:
        corpus: Whose classifier is used; the packaged one where the corpus has none in use.
        text: The question.
        n_classes: 2 or 3, or as many as a classifier of the corpus was trained for.

    Raises:
        ApplicationError: there is no classifier of this many classes.
    """
    classifier, version, fingerprint = classifier_in_use(corpus=corpus, n_classes=n_classes)
    try:
        probabilities = classifier.probabilities([text])
    except ClassifierError as error:
        raise ApplicationError(str(error), code="classifier_unusable") from error
    chances = tuple(round(float(value), 6) for value in probabilities[0])
    label = int(classifier.decide(probabilities)[0])
    return Prediction(label, chances, n_classes, classifier.kind, version, fingerprint)


def classifier_in_use(*, corpus: Corpus, n_classes: int) -> tuple[Classifier, str, str]:
    """The classifier that a corpus uses, its version and its fingerprint.

    Raises:
        ApplicationError: there is none with so many classes.
    """
    with nullcontext() if scope_is_active() else organization_scope(corpus.organization_id, user=None):
        rows = ComplexityActivation.objects.filter(corpus=corpus, n_classes=n_classes).order_by("-pk")
        row = rows.values("classifier_id", "classifier__number", "classifier__fingerprint").first()
        try:
            if row is None or row["classifier_id"] is None:
                classifier, fingerprint = packaged(n_classes)
                return classifier, "packaged", fingerprint
            return _held(row["classifier_id"]), str(row["classifier__number"]), row["classifier__fingerprint"]
        except ClassifierError as error:
            raise ApplicationError(str(error), code="no_classifier") from error


@lru_cache(maxsize=KEPT)
def _held(classifier_id: UUID) -> Classifier:
    """A trained version, kept in memory: once ready it never changes, and only those who may use it know its id."""
    artefact = ComplexityClassifier.objects.values_list("artefact", flat=True).get(pk=classifier_id)
    return classifier_read(bytes(artefact or b""))
