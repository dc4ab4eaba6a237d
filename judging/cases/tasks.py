"""Background entry points: ids in, nothing out."""

from uuid import UUID

from judging.cases.work import case_evaluation_slice
from legalqa.jobs.services import job_run


def case_evaluation_work(job_id: str) -> None:
    job_run(job_id=UUID(job_id), work=case_evaluation_slice)
