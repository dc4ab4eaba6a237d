"""Background entry points: ids in, nothing out."""

from uuid import UUID

from legalqa.answering import services


def answer_work(job_id: str) -> None:
    services.answer_work(job_id=UUID(job_id))
