"""Making a task of the queue from work that is done slice by slice."""

from functools import wraps
from typing import Protocol
from uuid import UUID

from legalqa.jobs.services import Work, job_run


class Task(Protocol):
    """Claims a job and does its next slice; of two simultaneous calls, one returns at once."""

    def __call__(self, job_id: UUID | str) -> None: ...


def job_task(work: Work) -> Task:
    """Make a task, which is called with the job's id, from a function that does one slice under a lease."""

    @wraps(work)
    def task(job_id: UUID | str) -> None:
        job_run(job_id=job_id if isinstance(job_id, UUID) else UUID(job_id), work=work)

    return task
