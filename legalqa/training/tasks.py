"""Background entry points: ids in, nothing out."""

from uuid import UUID

from legalqa.training.classifier.services import training_work
from legalqa.training.encoder import services as encoders
from legalqa.training.ranker import services as rankers
from legalqa.training.tuning import services as tunings


def tuning_work(job_id: str) -> None:
    tunings.tuning_work(job_id=UUID(job_id))


def complexity_train(job_id: str) -> None:
    training_work(job_id=UUID(job_id))


def encoder_train(job_id: str) -> None:
    encoders.training_work(job_id=UUID(job_id))


def ranker_train(job_id: str) -> None:
    rankers.ranker_work(job_id=UUID(job_id))
