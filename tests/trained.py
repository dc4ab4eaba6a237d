"""Encoders, rankers and readers as a training leaves them, with the report that it writes and none of the hours."""

import hashlib
from typing import Any

from django.utils import timezone

from corpora.models import Corpus, TrainedEncoder, TrainedState
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import TrainedReader
from legalqa.common.config import bytes_fingerprint
from legalqa.encoder.client import NAME
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import job_create
from legalqa.training.encoder.evaluation import MEASURES
from legalqa.training.encoder.finetuning import EncoderTraining
from legalqa.training.encoder.services import ENCODER
from legalqa.training.ranker.services import RANKER
from legalqa.training.reader.own import MEASURES as READER_MEASURES
from legalqa.training.reader.services import READER, OwnReaderTraining
from retrieval.models import TrainedRanker
from retrieval.rerankers.model import model_load
from retrieval.rerankers.versions import model_fingerprint
from tests.people import Firm
from tests.readers import random_artefact


def row_of(
    title: str, *, gain: float, half: float = 0.02, measures: tuple[str, ...] = MEASURES, **more: Any
) -> dict[str, Any]:
    """A line of before and after: every measure goes from .6 up or down by `gain`, give or take `half`."""
    difference = {"value": gain, "low": gain - half, "high": gain + half, "undefined": ""}
    return {
        "name": more.pop("name", "default"),
        "title": title,
        "questions": 412,
        "before": dict.fromkeys(measures, 0.6),
        "after": dict.fromkeys(measures, 0.6 + gain),
        "difference": dict.fromkeys(measures, difference),
        **more,
    }


def report_of(*, gain: float = 0.041, elsewhere: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    """A report as `legalqa.training.encoder.report` writes it."""
    return {
        "questions": {"learned": 618, "held_out": 412, "documents_held_out": 14},
        "rows": [row_of("Meaning search alone", name="dense", gain=2 * gain), row_of("The default preset", gain=gain)],
        "elsewhere": list(elsewhere),
        "training": {
            "seconds": 512.4,
            "steps": 20,
            "losses": [round(2.4 / (1 + at / 6), 4) for at in range(20)],
            "pairs": 618,
            "negatives": 7300,
        },
        "provenance": {"before": NAME},
    }


def trained_encoder(firm: Firm, corpus: Corpus, *, source: str, report: dict[str, Any]) -> TrainedEncoder:
    """A ready version of the corpus, which searches do not use; it has no weights, so nothing can be encoded."""
    with organization_scope(firm.organization, user=firm.owner):
        number = TrainedEncoder.objects.filter(corpus=corpus).count() + 1
        version = TrainedEncoder.objects.create(
            organization=firm.organization,
            corpus=corpus,
            number=number,
            state=TrainedState.READY,
            training=EncoderTraining().model_dump(mode="json"),
            source=source,
            data=b"",
            data_fingerprint="0" * 64,
            report=report,
            artefact=b"none",
            fingerprint=hashlib.sha256(f"{source} {number}".encode()).hexdigest(),
            created_by=firm.owner,
            finished_at=timezone.now(),
        )
        _job_done(firm, ENCODER.task, version)
    return version


def trained_ranker(firm: Firm, corpus: Corpus, *, source: str, report: dict[str, Any]) -> TrainedRanker:
    """A ready version over the encoder in use: the packaged model under another name, which searches do not use."""
    model = model_load().as_mapping()
    with organization_scope(firm.organization, user=firm.owner):
        version = TrainedRanker.objects.create(
            organization=firm.organization,
            corpus=corpus,
            number=TrainedRanker.objects.filter(corpus=corpus).count() + 1,
            state=TrainedState.READY,
            encoder=corpus.encoder,
            training={},
            source=source,
            report=report
            | {
                "rows": report["rows"][-1:],
                "calibration": {"before": 0.11, "after": 0.06},
                "provenance": {"before": "packaged"},
            },
            model=model,
            fingerprint=model_fingerprint(model),
            created_by=firm.owner,
            finished_at=timezone.now(),
        )
        _job_done(firm, RANKER.task, version)
    return version


def trained_reader(firm: Firm, corpus: Corpus, *, source: str, gain: float = 0.041) -> TrainedReader:
    """A ready version with heads drawn at random, which answers do not use."""
    artefact = random_artefact(note=source)
    report = report_of(gain=gain)
    with organization_scope(firm.organization, user=firm.owner):
        version = TrainedReader.objects.create(
            organization=firm.organization,
            corpus=corpus,
            number=TrainedReader.objects.filter(corpus=corpus).count() + 1,
            state=TrainedState.READY,
            training=OwnReaderTraining().model_dump(mode="json"),
            source=source,
            data=b"",
            data_fingerprint="0" * 64,
            report=report
            | {
                "main": "first",
                "questions": {"learned": 70, "learned_unanswered": 12, "held_out": 30, "held_out_unanswered": 5},
                "rows": [row_of("The passages that an answer reads", gain=gain, measures=READER_MEASURES)],
                "calibration": {"before": 0.11, "after": 0.06},
                "provenance": {"before": "packaged"},
            },
            artefact=artefact,
            fingerprint=bytes_fingerprint(artefact),
            created_by=firm.owner,
            finished_at=timezone.now(),
        )
        _job_done(firm, READER.task, version)
    return version


def _job_done(firm: Firm, task: str, version: Any) -> None:
    job = job_create(**firm.by_owner, task=task, subject_id=version.pk, corpus_id=version.corpus_id, is_enqueued=False)
    Job.objects.filter(pk=job.pk).update(state=JobState.DONE)
