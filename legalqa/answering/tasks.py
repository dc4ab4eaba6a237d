"""Background entry points: ids in, nothing out."""

from legalqa.answering import services
from legalqa.answering.clauses.services import clauses_work
from legalqa.answering.services.contradictions import contradictions_work
from legalqa.jobs.models import Job

answer_work = services.answer_work
contradictions_find = contradictions_work
clauses_read = clauses_work


def answer_failed(job_id: str) -> None:
    services.answer_give_up(job=Job.objects.get(pk=job_id))
