"""Commands that work on a job themselves until it ends."""

from collections.abc import Callable
from time import sleep

from django.utils.module_loading import import_string

from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.pages import reason_words

PAUSE_S = 0.3  # between two looks at a job that a worker has or that was put off


def job_worked(job: Job, *, note: Callable[[str], None] = lambda _: None) -> Job:
    """Work on a job here until it has ended, in whatever state: without a running worker nobody else would."""
    while job.is_open:
        note(f"{job.stage if job.stage.isalpha() else 'working'} {job.percent} %")
        import_string(job.task)(job.pk)
        job = Job.objects.get(pk=job.pk)
        if job.is_open and job.lease_until is not None:
            sleep(PAUSE_S)
    return job


class JobCommand(LegalQACommand):
    """A command that starts background work and waits for it."""

    def wait_open(self, job: Job | None) -> None:
        """Finish a job that is already open, in whatever state it ends, so that this command can start its own."""
        if job is not None:
            job_worked(job, note=self.progress)

    def wait(self, job: Job) -> Job:
        """Work on a job here until it has ended.

        Raises:
            ApplicationError: it failed, or was cancelled.
        """
        job = job_worked(job, note=self.progress)
        if job.state != JobState.DONE:
            words = reason_words(job) or f"It did not finish: {job.reason or job.state}."
            raise ApplicationError(words, code=job.reason or "not_done")
        return job
