"""A training in steps as the slice of a job: a crash loses only the work after the last slice."""

from pathlib import Path
from typing import Any

from legalqa.common.faults import crash_point
from legalqa.jobs.services import Lease
from legalqa.training.checkpoints import StepTraining
from legalqa.training.versions.trainer import progress_store

STEPS_SAID = 5  # steps between two looks at the lease


def steps_worked(lease: Lease, tuning: StepTraining[Any], file: Path) -> bool:
    """Do steps from where `file` left off until all are done or the lease's time is over; True where all are done.

    Raises:
        JobLost, JobCancelled: as `Lease.advance`.
    """
    tuning.load(file)
    while not (is_done := tuning.advance()):
        crash_point("training.stepped")
        if tuning.progress.step % STEPS_SAID == 0:
            progress_store(lease, stage="training", cursor=tuning.progress.step, total=tuning.n_steps)
        if lease.is_over:
            break
    tuning.save(file)
    progress_store(lease, stage="training", cursor=tuning.progress.step, total=tuning.n_steps)
    return is_done
