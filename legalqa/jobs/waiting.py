"""Commands that work on a job themselves, to its end."""

from time import sleep

from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import Work, job_run


class JobCommand(LegalQACommand):
    """A command that starts background work and waits for it."""

    def wait(self, job: Job, work: Work) -> None:
        """Work on a job here until it has ended: without a running worker nobody else would.

        Raises:
            ApplicationError: it failed, or was cancelled.
        """
        while job.is_open:
            self.progress(f"{job.stage or 'waiting'} {job.percent} %")
            if job.lease is not None:
                sleep(0.3)  # a worker has it
            job_run(job_id=job.pk, work=work)
            job = Job.objects.get(pk=job.pk)
        if job.state != JobState.DONE:
            raise ApplicationError(f"It did not finish: {job.reason or job.state}.", code="not_done")
