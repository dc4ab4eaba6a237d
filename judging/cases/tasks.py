"""Background entry points: ids in, nothing out."""

from judging.cases.work import case_evaluation_slice
from legalqa.jobs.sliced import job_task

case_evaluation_work = job_task(case_evaluation_slice)
