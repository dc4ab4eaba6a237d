"""Background entry points, under the names that the queue and the ledger know."""

from judging.experiments.cases.work import case_evaluation_slice
from judging.experiments.services import experiments_repeat
from judging.experiments.work import experiment_slice
from judging.gold.generation.services import generation_slice
from legalqa.jobs.sliced import job_task

experiment_work = job_task(experiment_slice)
experiments_rerun = experiments_repeat
case_evaluation_work = job_task(case_evaluation_slice)
generation_work = job_task(generation_slice)
