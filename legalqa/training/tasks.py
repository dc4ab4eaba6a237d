"""Background entry points: ids in, nothing out."""

from legalqa.jobs.sliced import job_task
from legalqa.training.registry import version_slice
from legalqa.training.tuning.services import tuning_slice

version_train = job_task(version_slice)
tuning_work = job_task(tuning_slice)
complexity_train = encoder_train = ranker_train = reader_train = version_train  # so the ledger says what is trained
