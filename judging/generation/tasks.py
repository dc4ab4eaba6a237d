"""Background entry points: ids in, nothing out."""

from uuid import UUID

from judging.generation.services import generation_slice
from legalqa.jobs.services import job_run


def generation_work(job_id: str) -> None:
    job_run(job_id=UUID(job_id), work=generation_slice)
