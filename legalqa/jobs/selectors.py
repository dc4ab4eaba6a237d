"""Reading the ledger, always for one organisation."""

from collections.abc import Iterable
from uuid import UUID

from legalqa.accounts.models import Organization
from legalqa.common.errors import NotFound
from legalqa.jobs.models import Job


def job_get(*, organization: Organization, job_id: UUID) -> Job:
    job = Job.objects.filter(organization_id=organization.pk, pk=job_id).first()
    if job is None:
        raise NotFound("job")
    return job


def job_latest_by_subject(*, organization: Organization, subject_ids: Iterable[UUID]) -> dict[UUID, Job]:
    """The newest job of each subject."""
    jobs = Job.objects.filter(organization_id=organization.pk, subject_id__in=list(subject_ids)).order_by("created_at")
    return {job.subject_id: job for job in jobs}
