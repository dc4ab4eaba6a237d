"""Background entry points: ids in, nothing out."""

from uuid import UUID

from legalqa.jobs.services import job_run
from retrieval.questions import services
from retrieval.questions.building import questions_slice


def questions_work(job_id: str) -> None:
    job_run(job_id=UUID(job_id), work=questions_slice)


def indexes_refresh() -> None:
    services.indexes_refresh()
