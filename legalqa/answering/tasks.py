"""Background entry points: ids in, nothing out."""

from uuid import UUID

from legalqa.answering import services
from legalqa.answering.clauses.services import clauses_work
from legalqa.answering.services import contradictions
from legalqa.jobs.models import Job


def answer_work(job_id: str) -> None:
    services.answer_work(job_id=UUID(job_id))


def answer_failed(job_id: str) -> None:
    services.answer_give_up(job=Job.objects.get(pk=job_id))


def contradictions_find(job_id: str) -> None:
    contradictions.contradictions_work(job_id=UUID(job_id))


def clauses_read(job_id: str) -> None:
    clauses_work(job_id=UUID(job_id))
