"""What the pages show of the rankers of a corpus: which is in use, the versions, and the report of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import reverse

from corpora.models import Corpus, TrainedEncoder
from corpora.selectors import corpus_get, encoder_list
from legalqa.accounts.models import Organization
from legalqa.common.errors import NotFound
from legalqa.encoder.client import NAME
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_latest_by_subject
from legalqa.training import comparisons
from retrieval.models import TrainedRanker
from retrieval.rerankers.versions import activation_list, ranker_get, ranker_in_use, ranker_list


@dataclass(frozen=True, slots=True)
class RankerRow:
    """A version in the list: what it is, how far it is, and whether searches use it.

    `over` names the encoder that it was trained over; `is_other` where searches use another one now, and `is_waiting`
    where it comes into use with that one.
    """

    version: TrainedRanker
    job: Job | None
    is_in_use: bool
    over: str
    is_other: bool
    is_waiting: bool
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


def ranker_page(
    *, organization: Organization, corpus: Corpus, encoders: Mapping[str, TrainedEncoder]
) -> dict[str, Any]:
    """The rankers of a corpus, and which is in use over the encoder that it uses."""
    versions = list(ranker_list(corpus=corpus))
    jobs = job_latest_by_subject(organization=organization, subject_ids=[version.pk for version in versions])
    used = ranker_in_use(corpus=corpus)
    others = {version.encoder for version in versions} - {corpus.encoder}
    newest = [activation_list(corpus=corpus, encoder=name).first() for name in others]
    waiting = {found.ranker_id for found in newest if found is not None}
    rows = [
        RankerRow(
            version,
            jobs.get(version.pk),
            used is not None and used.pk == version.pk,
            over_words(version.encoder, encoders),
            version.encoder != corpus.encoder,
            version.pk in waiting,
            reverse("ranker_detail", args=(organization.slug, corpus.pk, version.pk)),
        )
        for version in versions
    ]
    return {
        "ranker_rows": rows,
        "ranker_used": used,
        "can_roll_back_ranker": activation_list(corpus=corpus, encoder=corpus.encoder).exists(),
        "is_ranker_working": any(row.is_working for row in rows),
    }


def over_words(name: str, encoders: Mapping[str, TrainedEncoder]) -> str:
    """The encoder of a ranker in words."""
    if name == NAME:
        return "the packaged encoder"
    return f"encoder version {encoders[name].number}" if name in encoders else "an encoder that was removed"


def report_page(*, organization: Organization, corpus_id: UUID, ranker_id: UUID) -> dict[str, Any]:
    """The report of a version.

    Raises:
        NotFound: no such corpus or version, or it is not ready.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    version = ranker_get(corpus=corpus, ranker_id=ranker_id)
    if not version.is_ready:
        raise NotFound("report")
    used, report = ranker_in_use(corpus=corpus), version.report
    elsewhere = comparisons.elsewhere_rows(organization=organization, report=report)
    encoders = {found.name: found for found in encoder_list(corpus=corpus) if found.name}
    return {
        "corpus": corpus,
        "version": version,
        "report": report,
        "over": over_words(version.encoder, encoders),
        "is_other": version.encoder != corpus.encoder,
        "verdict": comparisons.verdict_words(report, elsewhere, what="ranker"),
        "tables": comparisons.comparison_rows(report),
        "elsewhere": elsewhere,
        "before": _before(report),
        "is_in_use": used is not None and used.pk == version.pk,
    }


def _before(report: Mapping[str, Any]) -> str:
    number = report.get("provenance", {}).get("before", "packaged")
    return "the packaged ranker" if number == "packaged" else f"ranker version {number}"
