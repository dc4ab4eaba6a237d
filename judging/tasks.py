"""Background entry points: ids in, nothing out."""

from uuid import UUID

from judging.experiments.services import experiments_repeat
from judging.experiments.work import experiment_slice
from legalqa.jobs.services import job_run


def experiment_work(job_id: str) -> None:
    job_run(job_id=UUID(job_id), work=experiment_slice)


def experiments_rerun() -> None:
    experiments_repeat()
