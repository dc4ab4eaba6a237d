"""Background entry points: ids in, nothing out."""

from uuid import UUID

from judging import complexity_services, tunings


def tuning_work(job_id: str) -> None:
    tunings.tuning_work(job_id=UUID(job_id))


def complexity_train(job_id: str) -> None:
    complexity_services.training_work(job_id=UUID(job_id))
