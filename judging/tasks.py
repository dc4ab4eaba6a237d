"""Background entry points, under the names that the queue and the ledger know."""

from judging.experiments.services import experiments_repeat
from judging.experiments.work import experiment_slice
from legalqa.jobs.sliced import job_task

experiment_work = job_task(experiment_slice)
experiments_rerun = experiments_repeat
