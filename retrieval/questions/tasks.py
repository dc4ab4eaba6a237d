"""Background entry points: ids in, nothing out."""

from legalqa.jobs.sliced import job_task
from retrieval.questions import services
from retrieval.questions.building import questions_slice

questions_work = job_task(questions_slice)


def indexes_refresh() -> None:
    services.indexes_refresh()
