"""Stopping the work on a corpus, and trying it again: behind its wall, and only where people may."""

from uuid import UUID

from corpora.selectors import corpus_of_job
from legalqa.accounts.models import Organization
from legalqa.common.errors import Conflict
from legalqa.jobs import services as jobs
from legalqa.jobs.models import Job
from legalqa.jobs.selectors import job_get


def corpus_job_cancel(*, organization: Organization, job_id: UUID) -> Job:
    """Ask a job of a corpus to stop; a working one stops at its next step.

    Raises:
        NotFound: no such job, or you have no access to its corpus.
        Conflict: it has ended, or cannot be stopped by hand.
    """
    _check(organization, job_id)
    return jobs.job_cancel(organization=organization, job_id=job_id)


def corpus_job_retry(*, organization: Organization, job_id: UUID) -> Job:
    """Try a failed or cancelled job of a corpus again, from where it stopped.

    Raises:
        NotFound: no such job, or you have no access to its corpus.
        Conflict: it is open or done, or cannot be started by hand.
    """
    _check(organization, job_id)
    return jobs.job_retry(organization=organization, job_id=job_id)


def _check(organization: Organization, job_id: UUID) -> None:
    corpus_of_job(organization=organization, job_id=job_id)
    kind = job_get(organization=organization, job_id=job_id).kind
    if not kind.by_hand:
        message = f"“{kind.label}” cannot be stopped or started here. Use the page of the corpus."
        raise Conflict(message, code="job_not_by_hand")
