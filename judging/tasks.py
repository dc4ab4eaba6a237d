"""Background entry points: ids in, nothing out."""

from judging.experiments.services import experiments_repeat
from judging.experiments.work import experiment_slice
from legalqa.jobs.sliced import job_task

experiment_work = job_task(experiment_slice)


def experiments_rerun() -> None:
    experiments_repeat()
