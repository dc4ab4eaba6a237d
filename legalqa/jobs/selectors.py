"""Reading the ledger: for one organisation, or as ages and counts for operators."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db.models import Model, Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string

from legalqa.accounts.models import Organization
from legalqa.common.errors import Conflict, NotFound, existing
from legalqa.jobs.models import OPEN_STATES, Heartbeat, Job

S = TypeVar("S", bound=Model)


def job_get(*, organization: Organization, job_id: UUID) -> Job:
    return job_present(job=Job.objects.filter(organization_id=organization.pk, pk=job_id).first())


def job_corpus(*, organization: Organization, corpus_id: UUID, even_leaving: bool = False) -> Any:
    """The corpus of some jobs, if its wall allows; its app is in a higher layer, so settings name it (JOB_CORPUS).

    Raises:
        NotFound, Conflict: as `corpora.selectors.corpus_get`.
    """
    corpus_get = import_string(settings.JOB_CORPUS)
    return corpus_get(organization=organization, corpus_id=corpus_id, even_leaving=even_leaving)


def job_list(*, organization: Organization, corpus_id: UUID, state: str = "") -> QuerySet[Job]:
    """The background work on a corpus, newest first; with `state`, only jobs in that state."""
    jobs = Job.objects.filter(organization_id=organization.pk, corpus_id=corpus_id).order_by("-created_at", "pk")
    return jobs.filter(state=state) if state else jobs


def job_seen(*, organization: Organization, job_id: UUID) -> Job:
    """A job whose corpus you may see; for those outside its wall there is no such job.

    Always two queries: a foreign job, a missing one and one behind a wall must take equally long.
    """
    job = Job.objects.filter(organization_id=organization.pk, pk=job_id).first()
    corpus_id = (job and job.corpus_id) or organization.pk
    try:
        job_corpus(organization=organization, corpus_id=corpus_id, even_leaving=True)
    except NotFound:
        raise NotFound("job") from None
    return job_present(job=job)


def job_by_hand(*, organization: Organization, job_id: UUID) -> Job:
    """A job that people may cancel or retry in the list or by its endpoint.

    Raises:
        NotFound: as `job_seen`.
        Conflict: jobs of its kind are stopped elsewhere, or not at all.
    """
    job = job_seen(organization=organization, job_id=job_id)
    if not job.kind.by_hand:
        message = f"“{job.kind.label}” cannot be stopped or retried here. Use the page of the corpus."
        raise Conflict(message, code="job_not_by_hand")
    return job


def job_present(*, job: Job | None) -> Job:
    """The job.

    Raises:
        NotFound: there is none.
    """
    return existing(job, "job")


def job_latest_by_subject(
    *, organization: Organization, subject_ids: Iterable[UUID], task: str = ""
) -> dict[UUID, Job]:
    """The newest job of each subject, of any task unless one is named."""
    jobs = Job.objects.filter(organization_id=organization.pk, subject_id__in=list(subject_ids)).order_by("created_at")
    jobs = jobs.filter(task=task) if task else jobs
    return {job.subject_id: job for job in jobs}


def with_jobs(*, organization: Organization, rows: Iterable[S]) -> list[tuple[S, Job | None]]:
    """Rows that jobs work on, each with its newest job."""
    subjects = list(rows)
    jobs = job_latest_by_subject(organization=organization, subject_ids=[row.pk for row in subjects])
    return [(row, jobs.get(row.pk)) for row in subjects]


def job_latest(*, organization: Organization, subject_id: UUID, task: str = "") -> Job | None:
    """The newest job of one subject."""
    return job_latest_by_subject(organization=organization, subject_ids=[subject_id], task=task).get(subject_id)


def jobs_open(*, organization: Organization | UUID) -> QuerySet[Job]:
    """The jobs that are running or waiting."""
    organization_id = organization if isinstance(organization, UUID) else organization.pk
    return Job.objects.filter(organization_id=organization_id, state__in=OPEN_STATES)


def subjects_at_work(*, organization: Organization) -> list[UUID]:
    """The subjects of open jobs."""
    return list(jobs_open(organization=organization).values_list("subject_id", flat=True))


def queue_silent_s() -> float | None:
    """Seconds since the queue last showed that it works, by its heartbeat or a held lease; None if it never has."""
    now = timezone.now()
    if Job.objects.filter(lease__isnull=False, lease_until__gt=now).exists():
        return 0.0
    beat = Heartbeat.objects.filter(name="queue").first()
    return None if beat is None else max(0.0, (now - beat.at).total_seconds())


def jobs_stuck() -> int:
    """Open jobs that nobody works on and that have not moved for ten minutes, or ten times JOB_STALLED_S."""
    now = timezone.now()
    limit = now - timedelta(seconds=max(600, 10 * settings.JOB_STALLED_S))
    is_free = Q(lease_until=None) | Q(lease_until__lt=now)
    return Job.objects.filter(is_free, state__in=OPEN_STATES, updated_at__lt=limit).count()
