"""Training one classifier from rows to artefact, in steps that a checkpoint file survives."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

from django.conf import settings

from judging.measures.classification import macro_f1
from legalqa.common.config import fingerprint_of
from legalqa.encoder.client import classifier_folder
from legalqa.training.classifier.augmentation import augment
from legalqa.training.classifier.finetuning import FineTuning
from legalqa.training.classifier.fitting import TrainingSettings, linear_train
from retrieval.complexity.baselines import RandomClassifier
from retrieval.complexity.linear import LinearClassifier
from retrieval.complexity.transformer import TransformerClassifier
from retrieval.complexity.types import Classifier, LabelledText
from retrieval.complexity.zero_shot import zero_shot

SAVED_EVERY = 25  # steps between two checkpoints of a training at the command line


@dataclass(frozen=True, slots=True)
class Trained:
    """A classifier with how long it took, in seconds of this machine, and the epochs of a fine-tuning."""

    classifier: Classifier
    seconds: float
    epochs: tuple[dict[str, float | None], ...] = ()


def rows_fingerprint(rows: Sequence[LabelledText]) -> str:
    """SHA-256 of the rows, order included."""
    return fingerprint_of([row.as_mapping() for row in rows])


def training_rows(rows: Sequence[LabelledText], parameters: TrainingSettings) -> list[LabelledText]:
    """The rows to learn from: those given, and changed ones beside them where the settings ask for it."""
    if parameters.shares is None:
        return list(rows)
    plain = [row for row in rows if not row.change]
    return [*rows, *augment(plain, shares=parameters.shares, seed=parameters.seed).rows]


def provenance_of(rows: Sequence[LabelledText], parameters: TrainingSettings, *, source: str) -> dict[str, Any]:
    """What a classifier says about where it comes from."""
    return {
        "source": source,
        "questions": len(rows),
        "data": rows_fingerprint(rows),
        "training": parameters.model_dump(mode="json"),
        "date": date.today().isoformat(),  # noqa: DTZ011 - the day on which somebody ran it, where they are
    }


def classifier_train(
    rows: Sequence[LabelledText],
    parameters: TrainingSettings,
    *,
    source: str,
    work: Path,
    note: Callable[[str], None] = lambda _: None,
) -> Trained:
    """Train a classifier to the end; one that is fine-tuned goes on from its checkpoint after a death.

    Args:
        rows: To learn from, without those kept for testing.
        parameters: Kind and parameters.
        source: What the rows are, for people.
        work: Folder of checkpoints.
        note: Says how far it is.

    Raises:
        ClassifierError: the rows do not do, or a model that is needed is not there.
    """
    learned = training_rows(rows, parameters)
    provenance = provenance_of(rows, parameters, source=source)
    started = perf_counter()
    if parameters.kind == "transformer":
        return _fine_tune(learned, parameters, provenance, work, note)
    if parameters.kind == "random":
        return Trained(RandomClassifier(parameters.n_classes, parameters.seed), 0.0)
    if parameters.kind == "zero-shot":
        return Trained(zero_shot(parameters.n_classes, settings.NLI_MODEL), 0.0)
    texts, labels = [row.text for row in learned], [row.label for row in learned]
    classifier = linear_train(texts, labels, parameters, provenance=provenance)
    return Trained(classifier, perf_counter() - started)


def fine_tuning(learned: Sequence[LabelledText], parameters: TrainingSettings) -> FineTuning:
    """The fine-tuning of rows, at its beginning."""
    return FineTuning(
        [row.text for row in learned],
        [row.label for row in learned],
        parameters,
        folder=classifier_folder(),
        score=lambda truth, predicted: macro_f1(truth, predicted, n_classes=parameters.n_classes),
        n_threads=settings.COMPLEXITY_THREADS or None,
    )


def _fine_tune(
    learned: Sequence[LabelledText],
    parameters: TrainingSettings,
    provenance: dict[str, Any],
    work: Path,
    note: Callable[[str], None],
) -> Trained:
    tuning = fine_tuning(learned, parameters)
    file = work / f"{rows_fingerprint(learned)[:16]}-{parameters.fingerprint()[:16]}.safetensors"
    tuning.load(file)
    while not tuning.advance():
        if tuning.progress.step % SAVED_EVERY == 0:
            tuning.save(file)
            note(f"step {tuning.progress.step} of {tuning.n_steps}")
    tuning.save(file)
    return Trained(TransformerClassifier.read(tuning.artefact(provenance)), tuning.progress.seconds, epochs_of(tuning))


def with_provenance(classifier: Classifier, provenance: dict[str, Any]) -> Classifier:
    """The classifier with what it says about where it comes from; baselines say nothing."""
    if isinstance(classifier, TransformerClassifier):
        return classifier.with_provenance(provenance)
    if isinstance(classifier, LinearClassifier):
        return replace(classifier, provenance=provenance)
    return classifier


def epochs_of(tuning: FineTuning) -> tuple[dict[str, float | None], ...]:
    """The epochs as the report shows them."""
    return tuple({"epoch": e.number, "loss": e.loss, "score": e.score} for e in tuning.progress.epochs)


def with_kind(parameters: TrainingSettings, **changes: Any) -> TrainingSettings:
    """The settings with some changed, checked again."""
    return TrainingSettings.model_validate(parameters.model_dump() | changes)
