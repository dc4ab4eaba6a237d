"""Orders of the driver about fine-tunings of classifiers, over an encoder of a few thousand numbers."""

from pathlib import Path
from time import monotonic, sleep
from typing import Any
from uuid import UUID

LABELS = ("When is the rent of flat {} due?", "What are rent and deposit of flat {}?", "How do all duties of {} fit?")
WAIT_S = 60


def trainings_begin(organization: str, corpus: str, encoder: str) -> dict[str, Any]:
    """A fine-tuning from beginning to end, and then another of the same kind that has done two slices of a step."""
    version, job = _begin(organization, corpus)
    whole = training_go_on(organization, version, job, encoder)
    version, job = _begin(organization, corpus)
    half = training_go_on(organization, version, job, encoder, slices=2)
    return {"whole": whole, "half": half, "version": version, "job": job}


def training_begin(organization: str, corpus: str) -> dict[str, str]:
    """A fine-tuning for the workers of a running product."""
    version, job = _begin(organization, corpus)
    return {"version": version, "job": job}


def training_go_on(organization: str, version: str, job: str, encoder: str, slices: int = 0) -> dict[str, Any]:
    """Work this many slices of one step each on a training, or to its end for 0, and say what is stored."""
    from django.conf import settings

    from legalqa.accounts.scoping import organization_scope
    from legalqa.jobs.models import Job
    from legalqa.training.classifier.services import CHECKPOINT
    from legalqa.training.files import work_folder
    from legalqa.training.tasks import complexity_train
    from retrieval.models import ComplexityClassifier

    settings.COMPLEXITY_ENCODER, settings.COMPLEXITY_THREADS = _encoder(encoder), 1
    settings.ENCODER_SERVER = False  # where no encoder process runs, this one scores the questions of the report
    settings.JOB_SLICE_S = 0 if slices else WAIT_S
    deadline, n = monotonic() + WAIT_S, 0
    while Job.objects.get(pk=job).is_open and monotonic() < deadline and (not slices or n < slices):
        complexity_train(job)
        n += 1
        sleep(0 if slices else 0.1)  # the lease of a worker that was killed has to run out first
    with organization_scope(UUID(organization), user=None):
        found = ComplexityClassifier.objects.get(pk=version)
    return {
        "job": Job.objects.get(pk=job).state,
        "state": found.state,
        "fingerprint": found.fingerprint,
        "f1": found.report.get("f1"),
        "has_checkpoint": (work_folder(found.pk) / CHECKPOINT).is_file(),
    }


def _begin(organization: str, corpus: str) -> tuple[str, str]:
    from legalqa.accounts.models import Organization
    from legalqa.accounts.scoping import organization_scope
    from legalqa.training.classifier.fitting import TrainingSettings
    from legalqa.training.classifier.services import CLASSIFIER, ClassifierChoices
    from retrieval.complexity.types import LabelledText

    with organization_scope(UUID(organization), user=None):
        rows = [LabelledText(text.format(n), label) for label, text in enumerate(LABELS) for n in range(10)]
        settings = TrainingSettings(kind="transformer", batch=8, epochs=2, learning_rate=1e-2)
        version, job = CLASSIFIER.start(
            organization=Organization.objects.get(pk=organization),
            user=None,
            corpus_id=UUID(corpus),
            choices=ClassifierChoices(rows, "a test", settings),
        )
    return str(version.pk), str(job.pk)


def _encoder(folder: str) -> str:
    from tests.encoders import small_encoder

    return folder if (Path(folder) / "model.safetensors").is_file() else str(small_encoder(Path(folder)))
