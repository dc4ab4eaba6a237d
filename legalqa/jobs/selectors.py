"""Reading the ledger: for one organisation, or for operators as ages and counts."""

from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from legalqa.accounts.models import Organization
from legalqa.common.errors import existing
from legalqa.jobs.models import OPEN_STATES, Heartbeat, Job


def job_get(*, organization: Organization, job_id: UUID) -> Job:
    return job_present(job=Job.objects.filter(organization_id=organization.pk, pk=job_id).first())


def job_present(*, job: Job | None) -> Job:
    """The job.

    Raises:
        NotFound: there is none.
    """
    return existing(job, "job")


def job_latest_by_subject(
    *, organization: Organization, subject_ids: Iterable[UUID], task: str = ""
) -> dict[UUID, Job]:
    """The newest job of each subject, of any task where none is named."""
    jobs = Job.objects.filter(organization_id=organization.pk, subject_id__in=list(subject_ids)).order_by("created_at")
    jobs = jobs.filter(task=task) if task else jobs
    return {job.subject_id: job for job in jobs}


def job_latest(*, organization: Organization, subject_id: UUID, task: str = "") -> Job | None:
    """The newest job of one subject."""
    return job_latest_by_subject(organization=organization, subject_ids=[subject_id], task=task).get(subject_id)


def subjects_at_work(*, organization: Organization) -> list[UUID]:
    """The subjects that an open job works on or waits for."""
    jobs = Job.objects.filter(organization_id=organization.pk, state__in=OPEN_STATES)
    return list(jobs.values_list("subject_id", flat=True))


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
