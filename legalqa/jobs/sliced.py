"""Work that is done slice by slice, as a task of the queue."""

from functools import wraps
from typing import Protocol
from uuid import UUID

from legalqa.jobs.services import Work, job_run


class Task(Protocol):
    """Claims a job and does the next slice of it; of two calls at once, one leaves."""

    def __call__(self, job_id: UUID | str) -> None: ...


def job_task(work: Work) -> Task:
    """Make the task of some work: what does one slice of it under a lease is then called with the job's id."""

    @wraps(work)
    def task(job_id: UUID | str) -> None:
        job_run(job_id=job_id if isinstance(job_id, UUID) else UUID(job_id), work=work)

    return task
