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

Steps = Callable[[FineTuning, str], bool]  # does steps on data of this fingerprint; True where all are done


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
    steps: Steps,
) -> Trained | None:
    """Train a classifier; None where it is fine-tuned and not all of its steps are done.

    Args:
        rows: To learn from, without those kept for testing.
        parameters: Kind and parameters.
        source: What the rows are, for people.
        steps: Does the steps of a fine-tuning, from its last checkpoint on.

    Raises:
        ClassifierError: the rows do not do, or a model that is needed is not there.
    """
    learned = training_rows(rows, parameters)
    provenance = provenance_of(rows, parameters, source=source)
    started = perf_counter()
    if parameters.kind == "random":
        return Trained(RandomClassifier(parameters.n_classes, parameters.seed), 0.0)
    if parameters.kind == "zero-shot":
        return Trained(zero_shot(parameters.n_classes, settings.NLI_MODEL), 0.0)
    texts, labels = [row.text for row in learned], [row.label for row in learned]
    if parameters.kind != "transformer":
        classifier = linear_train(texts, labels, parameters, provenance=provenance)
        return Trained(classifier, perf_counter() - started)
    tuning = FineTuning(
        texts,
        labels,
        parameters,
        folder=classifier_folder(),
        score=lambda truth, predicted: macro_f1(truth, predicted, n_classes=parameters.n_classes),
        n_threads=settings.COMPLEXITY_THREADS or None,
    )
    provenance = provenance_of(learned, parameters, source=source)  # changed questions are told apart: steps are kept
    if not steps(tuning, provenance["data"]):
        return None
    epochs = tuple({"epoch": e.number, "loss": e.loss, "score": e.score} for e in tuning.progress.epochs)
    return Trained(TransformerClassifier.read(tuning.artefact(provenance)), tuning.progress.seconds, epochs)


def steps_to_end(folder: Path, note: Callable[[str], None]) -> Steps:
    """All steps at once, with checkpoints in a folder; `note` says how far they are."""

    def steps(tuning: FineTuning, data: str) -> bool:
        file = folder / f"{data[:16]}-{tuning.settings.fingerprint()[:16]}.safetensors"
        tuning.load(file)
        while not tuning.advance():
            if tuning.progress.step % SAVED_EVERY == 0:
                tuning.save(file)
                note(f"step {tuning.progress.step} of {tuning.n_steps}")
        tuning.save(file)
        return True

    return steps


def with_provenance(classifier: Classifier, provenance: dict[str, Any]) -> Classifier:
    """The classifier with what it says about where it comes from; baselines say nothing."""
    if isinstance(classifier, TransformerClassifier):
        return classifier.with_provenance(provenance)
    if isinstance(classifier, LinearClassifier):
        return replace(classifier, provenance=provenance)
    return classifier
