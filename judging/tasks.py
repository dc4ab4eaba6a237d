"""Background entry points: ids in, nothing out."""

from uuid import UUID

from judging.complexity.services import training_work
from judging.encoders import services as encoders
from judging.ranking import services as rankers
from judging.tuning import services as tunings


def tuning_work(job_id: str) -> None:
    tunings.tuning_work(job_id=UUID(job_id))


def complexity_train(job_id: str) -> None:
    training_work(job_id=UUID(job_id))


def encoder_train(job_id: str) -> None:
    encoders.training_work(job_id=UUID(job_id))


def ranker_train(job_id: str) -> None:
    rankers.ranker_work(job_id=UUID(job_id))
