"""Classifiers of question complexity: trained on labelled questions, one in use for each number of classes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from corpora.models import Corpus
from judging.models import GoldSet
from legalqa.accounts.models import Organization
from legalqa.common.config import bytes_fingerprint
from legalqa.common.errors import ApplicationError, existing
from legalqa.encoder.weights import weights_drop
from legalqa.jobs.services import JobRefused, Lease
from legalqa.training.classifier.data import csv_rows, gold_set_rows
from legalqa.training.classifier.evaluation import held_out
from legalqa.training.classifier.fitting import TrainingSettings, rows_check
from legalqa.training.classifier.report import report_document
from legalqa.training.classifier.training import classifier_train, rows_fingerprint, training_rows
from legalqa.training.files import work_folder
from legalqa.training.stepping import steps_worked
from legalqa.training.versions.trainer import Finished, NewVersion, Trainer
from retrieval.complexity.reading import classifier_read
from retrieval.complexity.types import ClassifierError, LabelledText
from retrieval.complexity.zero_shot import zero_shot
from retrieval.models import ComplexityActivation, ComplexityClassifier

CHECKPOINT = "checkpoint.safetensors"


@dataclass(frozen=True, slots=True)
class ClassifierChoices:
    """The questions that a classifier is trained and tested on, what to call them, and how to train."""

    rows: Sequence[LabelledText]
    source: str
    settings: TrainingSettings


class ClassifierTrainer(Trainer[ComplexityClassifier, ClassifierChoices]):
    """Fits, or fine-tunes in steps; a corpus uses one version for each number of classes."""

    name = "classifier"
    model = ComplexityClassifier
    uses = ComplexityActivation
    slot = "n_classes"
    task = "legalqa.training.tasks.complexity_train"
    large = ("artefact", "data")

    def prepared(self, *, organization: Organization, corpus: Corpus, choices: ClassifierChoices) -> NewVersion:
        parameters = choices.settings
        try:
            rows_check(choices.rows, parameters)
            if parameters.kind == "zero-shot":
                zero_shot(parameters.n_classes, settings.NLI_MODEL)
        except ClassifierError as error:
            raise ApplicationError(str(error), code="cannot_train") from error
        columns = {
            "kind": parameters.kind,
            "n_classes": parameters.n_classes,
            "training": parameters.model_dump(mode="json"),
            "source": choices.source[:120],
            "data": [row.as_mapping() for row in choices.rows],
            "data_fingerprint": rows_fingerprint(choices.rows),
            "seed": parameters.seed,
        }
        return NewVersion(columns, {"kind": parameters.kind})

    def step(self, lease: Lease, version: ComplexityClassifier) -> Finished | None:
        """Train, then test what will be used; a fine-tuning keeps a checkpoint where the slice ends before it does."""
        try:
            return _trained(lease, version, TrainingSettings.model_validate(version.training))
        except ClassifierError:
            raise JobRefused("training_refused") from None

    def removed(self, version: ComplexityClassifier) -> None:
        if version.fingerprint:
            transaction.on_commit(partial(weights_drop, version.fingerprint))

    def slot_noted(self, slot: int) -> dict[str, Any]:
        return {"classes": slot}


CLASSIFIER = ClassifierTrainer()


def classifier_rows(*, corpus: Corpus, gold_set_id: UUID | None, text: str = "") -> tuple[list[LabelledText], str]:
    """The questions of a gold set, or of the text of a CSV, and what to call where they come from.

    Raises:
        NotFound: no such gold set of the corpus.
        ApplicationError: the CSV does not fit.
    """
    if gold_set_id is None:
        return csv_rows(text), "a CSV file"
    gold_set = existing(GoldSet.objects.filter(corpus=corpus, pk=gold_set_id).first(), "gold set")
    return gold_set_rows(gold_set=gold_set), f"gold set {gold_set.name}"


def _trained(lease: Lease, version: ComplexityClassifier, parameters: TrainingSettings) -> Finished | None:
    learned, tested = held_out([LabelledText.read(row) for row in version.data], parameters)
    file = work_folder(version.pk) / CHECKPOINT
    trained = classifier_train(
        learned, parameters, source=version.source, steps=lambda tuning, _: steps_worked(lease, tuning, file)
    )
    if trained is None:
        return None
    artefact = trained.classifier.as_bytes()
    report = report_document(
        classifier_read(artefact),
        learned=training_rows(learned, parameters),
        tested=tested,
        settings=parameters,
        seconds=trained.seconds,
        epochs=trained.epochs,
    )
    columns = {"artefact": artefact, "fingerprint": bytes_fingerprint(artefact), "report": report}
    return Finished(columns, "testing")
