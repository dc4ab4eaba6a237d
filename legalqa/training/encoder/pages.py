"""What the page about what retrieves shows: encoder and ranker in use, their versions, the report of one encoder."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import reverse

from corpora.models import Corpus, TrainedEncoder
from corpora.selectors import (
    activation_list,
    corpus_get,
    encoder_get,
    encoder_in_use,
    encoder_list,
    encoder_switch_pending,
)
from judging.gold.services import GoldSetCounts, gold_set_list, gold_sets_elsewhere
from legalqa.accounts.models import Organization
from legalqa.common.errors import Conflict, NotFound
from legalqa.encoder.client import NAME
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.training import comparisons
from legalqa.training.encoder.forms import NUMBERS, Choices, EncoderForm
from legalqa.training.encoder.services import MIN_QUESTIONS
from legalqa.training.ranker.forms import RankerForm
from legalqa.training.ranker.pages import over_words, ranker_page


@dataclass(frozen=True, slots=True)
class EncoderRow:
    """A version in the list: what it is, how far it is, and whether searches use it."""

    version: TrainedEncoder
    job: Job | None
    is_in_use: bool
    is_next: bool
    url: str

    @property
    def is_working(self) -> bool:
        return self.job is not None and self.job.is_open

    @property
    def state(self) -> str:
        return comparisons.job_state(self.job, is_ready=self.version.is_ready)

    @property
    def stage(self) -> str:
        return comparisons.STAGES.get(self.job.stage, "") if self.job is not None and self.is_working else ""

    @property
    def reason(self) -> str:
        if self.job is None or self.version.is_ready:
            return ""
        return comparisons.REASONS.get(self.job.reason, "")

    @property
    def gain(self) -> dict[str, Any] | None:
        return comparisons.gain(self.version.report)


def encoder_forms(*, organization: Organization, corpus_id: UUID) -> dict[str, Choices]:
    """The gold sets that a corpus can learn from, and those of other corpora."""
    own = gold_set_list(organization=organization, corpus_id=corpus_id)
    others = gold_sets_elsewhere(organization=organization, corpus_id=corpus_id)
    return {
        "gold_sets": [(str(row.gold_set.pk), _gold_words(row)) for row in own],
        "elsewhere": [(str(row.gold_set.pk), f"{row.gold_set.corpus.name}: {_gold_words(row)}") for row in others],
    }


def _gold_words(row: GoldSetCounts) -> str:
    return f"{row.gold_set.name} ({row.words})"


def retrieving_page(
    *,
    organization: Organization,
    corpus_id: UUID,
    encoder_form: EncoderForm | None = None,
    ranker_form: RankerForm | None = None,
) -> dict[str, Any]:
    """The whole page: what `state_page` shows, and the two forms."""
    context = state_page(organization=organization, corpus_id=corpus_id)
    choices = encoder_forms(organization=organization, corpus_id=corpus_id)
    own = gold_set_list(organization=organization, corpus_id=corpus_id)
    return context | {
        "encoder_form": encoder_form or EncoderForm(**choices),
        "ranker_form": ranker_form or RankerForm(gold_sets=choices["gold_sets"]),
        "has_gold_sets": bool(own),
        "n_answerable": sum(row.n_answerable for row in own),
        "min_questions": MIN_QUESTIONS,
    }


def state_page(*, organization: Organization, corpus_id: UUID) -> dict[str, Any]:
    """What is in use and the versions: the part that is asked for again while something is at work."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    switch = switch_state(organization=organization, corpus=corpus)
    versions = list(encoder_list(corpus=corpus))
    jobs = job_latest_by_subject(organization=organization, subject_ids=[version.pk for version in versions])
    rows = [
        EncoderRow(
            version,
            jobs.get(version.pk),
            version.is_ready and version.name == corpus.encoder,
            switch is not None and switch["encoder_id"] == version.pk,
            reverse("encoder_detail", args=(organization.slug, corpus.pk, version.pk)),
        )
        for version in versions
    ]
    rankers = ranker_page(organization=organization, corpus=corpus, encoders={v.name: v for v in versions if v.name})
    is_switching = switch is not None and switch["job"].is_open
    return rankers | {
        "corpus": corpus,
        "rows": rows,
        "in_use": encoder_in_use(corpus=corpus),
        "can_roll_back": activation_list(corpus=corpus).exists() and not is_switching,
        "switch": switch,
        "is_switching": is_switching,
        "is_working": is_switching or any(row.is_working for row in rows) or rankers["is_ranker_working"],
    }


def switch_state(*, organization: Organization, corpus: Corpus) -> dict[str, Any] | None:
    """The switch that is at work, or that stopped before its end; None where there is none."""
    pending = encoder_switch_pending(corpus=corpus)
    if pending is None:
        return None
    job = job_latest_by_subject(organization=organization, subject_ids=[pending.pk]).get(pending.pk)
    if job is None:
        return None
    return {
        "job": job,
        "encoder_id": pending.encoder_id,
        "to": f"version {pending.encoder.number}" if pending.encoder is not None else "the packaged encoder",
        "state": comparisons.job_state(job, is_ready=False),
        "reason": "" if job.is_open else comparisons.REASONS.get(job.reason, ""),
    }


def switch_job(*, organization: Organization, corpus_id: UUID) -> Job:
    """The job of the switch that is at work or stopped.

    Raises:
        NotFound: no such corpus.
        Conflict: nothing is being switched.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    found = switch_state(organization=organization, corpus=corpus)
    if found is None:
        raise Conflict(
            "The corpus is not switching encoders. Nothing is to be cancelled or gone on with.", code="no_switch"
        )
    job: Job = found["job"]
    return job


def report_page(*, organization: Organization, corpus_id: UUID, encoder_id: UUID) -> dict[str, Any]:
    """The report of a version.

    Raises:
        NotFound: no such corpus or version, or it is not ready.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    version = encoder_get(corpus=corpus, encoder_id=encoder_id)
    if not version.is_ready:
        raise NotFound("report")
    report = version.report
    elsewhere = comparisons.elsewhere_rows(organization=organization, report=report)
    switch = switch_state(organization=organization, corpus=corpus)
    encoders = {found.name: found for found in encoder_list(corpus=corpus) if found.name}
    return {
        "corpus": corpus,
        "version": version,
        "report": report,
        "verdict": comparisons.verdict_words(report, elsewhere, what="encoder"),
        "tables": comparisons.comparison_rows(report),
        "elsewhere": elsewhere,
        "before": over_words(report.get("provenance", {}).get("before", NAME), encoders),
        "loss": comparisons.loss_curve(report),
        "settings": [(label, version.training.get(name)) for name, (label, *_) in NUMBERS.items()],
        "is_in_use": version.name == corpus.encoder,
        "is_switching": switch is not None and switch["job"].is_open,
    }
