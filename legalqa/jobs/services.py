"""How background work survives: claim with a lease, count before working, fence every write, sweep what was lost.

django-q2 is only the doorbell (`turns` says who is served). It redelivers late, loses track of workers that die
and may deliver twice; the ledger is right whatever it does. Shape and rules: the state machine that survived 19 and 40
random kills without loss.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Thread
from time import monotonic
from typing import Protocol
from uuid import UUID, uuid4

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection, models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.module_loading import import_string

from legalqa.accounts.models import Organization, User
from legalqa.common.disk import is_disk_full
from legalqa.common.errors import Conflict, ResourceDown, existing
from legalqa.common.faults import crash_point
from legalqa.common.logs import log_context, request_id
from legalqa.common.transitions import moved
from legalqa.jobs.models import JOB_TRANSITIONS, OPEN_STATES, Heartbeat, Job, JobState, Lane
from legalqa.jobs.selectors import jobs_open
from legalqa.jobs.turns import bell_ring, jobs_due

SLICE_MAX_S = {Lane.SHORT: 3, Lane.SPARE: 10}  # ours: otherwise a job of many pieces would keep the others waiting
WAIT_MAX_S = 60  # between two tries to reach something that did not answer

logger = logging.getLogger(__name__)


class JobLost(Exception):
    """The lease ran out and somebody else owns the job, or it is no longer open: write nothing more."""


class JobCancelled(Exception):
    """A person asked to stop the job."""


class JobLater(Exception):
    """This try is over and recorded; the next one comes after this many seconds. It counts as progress."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class JobRefused(Exception):
    """The work cannot be done, and another try would end the same way; `reason` is a code."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a job.

    `stage` is how far the job had got, "" for a new one or one that a person retries; `stops_at` is when the current
    slice should end, in seconds of `monotonic()`.
    """

    job_id: UUID
    organization_id: UUID
    subject_id: UUID
    token: UUID
    attempt: int
    stage: str
    stops_at: float
    request_id: str

    @property
    def is_over(self) -> bool:
        return monotonic() >= self.stops_at

    def advance(self, *, stage: str, cursor: int = 0, total: int = 0) -> None:
        """Record progress, inside the transaction that stores the work it reports; this resets the attempts.

        Raises:
            JobLost: the lease is no longer ours.
            JobCancelled: a person asked to stop the job.
        """
        self._move(stage=stage, cursor=cursor, total=total, attempts=0, waits=0)

    def begin(self, *, stage: str) -> None:
        """Record which step is about to be tried; the attempt stays counted, because nothing is done yet.

        Raises:
            JobLost, JobCancelled: as `advance`.
        """
        self._move(stage=stage, cursor=0, total=0)

    def _move(self, **values: str | int) -> None:
        now = timezone.now()
        until = now + timedelta(seconds=settings.JOB_LEASE_S)
        if self._mine().filter(cancel_requested_at=None).update(**values, lease_until=until, updated_at=now):
            return
        raise JobCancelled if self._mine().exists() else JobLost

    def finish(self) -> None:
        """End the job, inside the transaction that found nothing left to do: later changes need a new job."""
        _end(self, JobState.DONE, "")

    def renew(self) -> bool:
        """Keep the lease during one long step; False if the step should be given up."""
        until = timezone.now() + timedelta(seconds=settings.JOB_LEASE_S)
        return bool(self._mine().filter(cancel_requested_at=None).update(lease_until=until))

    def _mine(self) -> "models.QuerySet[Job]":
        return Job.objects.filter(pk=self.job_id, lease=self.token, state=JobState.RUNNING)


def job_create(
    *,
    organization: Organization | UUID,
    task: str,
    subject_id: UUID,
    user: User | None,
    corpus_id: UUID | None = None,
    total: int = 0,
    lane: Lane = Lane.LONG,
    is_enqueued: bool = True,
) -> Job:
    """Write the job's row and enqueue it, both in the caller's transaction or neither.

    With `corpus_id`, those who see that corpus see the job. `lane` says which workers may take it. If not
    `is_enqueued`, the caller works on it at once; if the caller never starts or dies, the sweeper enqueues it.
    """
    organization_id = organization if isinstance(organization, UUID) else organization.pk
    job = Job.objects.create(
        organization_id=organization_id,
        task=task,
        subject_id=subject_id,
        corpus_id=corpus_id,
        requested_by_id=user.pk if user else None,
        total=total,
        lane=lane,
        request_id=request_id(),
    )
    if is_enqueued:
        _enqueue(job)
    return job


def job_enqueue(*, job_id: UUID) -> None:
    """Enqueue a job that its creator was meant to work on."""
    with transaction.atomic():
        _enqueue(Job.objects.get(pk=job_id))


def job_ensure(
    *, organization: UUID, task: str, subject_id: UUID, corpus_id: UUID | None = None, lane: Lane = Lane.LONG
) -> None:
    """Create the job unless there already is an open one for the same subject."""
    if not jobs_open(organization=organization).filter(task=task, subject_id=subject_id).exists():
        job_create(
            organization=organization, task=task, subject_id=subject_id, user=None, corpus_id=corpus_id, lane=lane
        )


class Work(Protocol):
    """One bounded slice of a job; returns whether everything is done."""

    def __call__(self, *, lease: Lease) -> bool: ...


def job_run(*, job_id: UUID, work: Work) -> None:
    """Claim the job and call `work`, which does one bounded slice.

    A second delivery finds a live lease and leaves. If `work` dies, the lease runs out and the sweeper rings the queue
    again; after JOB_ATTEMPTS tries without progress the job is `failed`, for people to see.
    """
    lease = _claim(job_id)
    if lease is None:
        return
    started = monotonic()
    ids = {"job": str(lease.job_id), "organization": str(lease.organization_id), "subject": str(lease.subject_id)}
    with log_context(**ids, request_id=lease.request_id):
        crash_point("job.claimed")
        outcome = _worked(lease, work)
        fields = {"outcome": outcome, "attempt": lease.attempt, "ms": round(1000 * (monotonic() - started))}
        logger.info("job slice", extra={"fields": fields})
    crash_point("job.finished")


def _worked(lease: Lease, work: Work) -> str:
    """Do one slice and record how it ended; returns that in a word."""
    try:
        with _renewing(lease):
            is_done = work(lease=lease)
    except JobLost:
        logger.warning("job %s: lease lost, another worker has it", lease.job_id)
        _try_return(lease)
        return "lost"
    except JobCancelled:
        _end(lease, JobState.CANCELLED, "cancelled")
        return "cancelled"
    except JobRefused as refusal:
        _end(lease, JobState.FAILED, refusal.reason)
        return refusal.reason
    except JobLater as later:
        until = timezone.now() + timedelta(seconds=later.seconds)
        state = moved(JOB_TRANSITIONS, JobState.RUNNING, JobState.QUEUED)
        lease._mine().update(state=state, lease=None, lease_until=until, attempts=0, updated_at=timezone.now())
        return "later"
    except Exception as error:  # the ledger must say so; the attempt counts, the sweeper tries again
        if isinstance(error, ResourceDown) or is_disk_full(error):
            logger.warning("job %s waits: %s", lease.job_id, type(error).__name__)
            _put_off(lease)
            return "waiting"
        logger.exception("job %s: %s", lease.job_id, type(error).__name__)
        _give_back(lease, reason="fault")
        return "fault"
    if is_done:
        _end(lease, JobState.DONE, "")
        return "done"
    _give_back(lease, reason="")
    return "continues"


@contextmanager
def _renewing(lease: Lease) -> Iterator[None]:
    """Renew the lease while the block runs, so that it expires if the worker dies, not if a step takes long.

    The queue's own timeout ends a worker that hangs.
    """
    is_over = Event()

    def keep() -> None:
        while not is_over.wait(settings.JOB_LEASE_S / 4):
            try:
                lease.renew()
            except DatabaseError:
                logger.warning("job %s: the lease could not be renewed; trying again", lease.job_id)
                connection.close()
        connection.close()

    thread = Thread(target=copy_context().run, args=(keep,), name="lease", daemon=True)  # with the log's context
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join(settings.JOB_LEASE_S)


def _claim(job_id: UUID) -> Lease | None:
    with transaction.atomic():
        job = Job.objects.select_for_update(skip_locked=True).filter(pk=job_id, state__in=OPEN_STATES).first()
        now = timezone.now()
        if job is None or (job.lease_until is not None and job.lease_until > now):
            return None
        if job.cancel_requested_at is not None:
            _close(job, JobState.CANCELLED, "cancelled")
            return None
        if job.attempts >= settings.JOB_ATTEMPTS:
            _close(job, JobState.FAILED, job.reason or "crashed")
            if task := job.kind.on_failure:  # nobody will work on it any more, so tell its app
                import_string(task)(str(job.pk))
            return None
        job.attempts += 1
        job.state, job.lease = moved(JOB_TRANSITIONS, job.state, JobState.RUNNING), uuid4()
        job.lease_until = now + timedelta(seconds=settings.JOB_LEASE_S)
        job.save(update_fields=["attempts", "state", "lease", "lease_until", "updated_at"])
    stops_at = monotonic() + min(SLICE_MAX_S.get(Lane(job.lane), settings.JOB_SLICE_S), settings.JOB_SLICE_S)
    return Lease(
        job.pk, job.organization_id, job.subject_id, job.lease, job.attempts, job.stage, stops_at, job.request_id
    )


def _close(job: Job, state: JobState, reason: str) -> None:
    job.state = moved(JOB_TRANSITIONS, job.state, state)
    job.reason, job.lease, job.lease_until = reason, None, None
    job.save(update_fields=["state", "reason", "lease", "lease_until", "updated_at"])


def _end(lease: Lease, state: JobState, reason: str) -> None:
    state = moved(JOB_TRANSITIONS, JobState.RUNNING, state)
    lease._mine().update(state=state, reason=reason, lease=None, lease_until=None, updated_at=timezone.now())


def _try_return(lease: Lease) -> None:
    """Uncount the attempt of a worker that outlived its lease: it was slow, not dead. Its successor's stays counted."""
    job = Job.objects.filter(pk=lease.job_id, state__in=OPEN_STATES, attempts__gt=1).exclude(lease=lease.token)
    job.update(attempts=models.F("attempts") - 1)


def _give_back(lease: Lease, *, reason: str) -> None:
    with transaction.atomic():
        now = timezone.now()
        again = now + timedelta(seconds=settings.JOB_SWEEP_S)  # not at once: the fault may pass
        state = moved(JOB_TRANSITIONS, JobState.RUNNING, JobState.QUEUED)
        n_rows = lease._mine().update(
            state=state, lease=None, lease_until=None, reason=reason, enqueued_at=again, updated_at=now
        )
        if n_rows and not reason:
            _enqueue(Job.objects.get(pk=lease.job_id))


def _put_off(lease: Lease) -> None:
    """Put the job off, twice as long each time; an outage does not count as a failed try."""
    with transaction.atomic():
        job = lease._mine().select_for_update().first()
        if job is None:
            return
        job.state, job.lease = moved(JOB_TRANSITIONS, job.state, JobState.QUEUED), None
        job.attempts, job.waits = max(0, job.attempts - 1), job.waits + 1
        job.lease_until = timezone.now() + timedelta(seconds=min(WAIT_MAX_S, 2**job.waits))
        job.save(update_fields=["state", "lease", "attempts", "waits", "lease_until", "updated_at"])


def _enqueue(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(enqueued_at=timezone.now())
    bell_ring()


def _locked(organization: Organization, job_id: UUID) -> Job:
    jobs = Job.objects.select_for_update().filter(organization_id=organization.pk, pk=job_id)
    return existing(jobs.first(), "job")


def job_cancel(*, organization: Organization, job_id: UUID) -> Job:
    """Ask the job to stop; a waiting one stops at once, a working one at its next step.

    Raises:
        NotFound: no such job in this organisation.
        Conflict: it has already ended.
    """
    with transaction.atomic():
        job = _locked(organization, job_id)
        if not job.is_open:
            raise Conflict("The job has already ended, so there is nothing to cancel.", code="job_ended")
        job.cancel_requested_at = timezone.now()
        job.save(update_fields=["cancel_requested_at", "updated_at"])
        if job.lease is None or job.lease_until is None or job.lease_until < timezone.now():
            _close(job, JobState.CANCELLED, "cancelled")
    return job


def job_retry(*, organization: Organization, job_id: UUID) -> Job:
    """Enqueue a failed or cancelled job again, from where it stopped, after whatever its kind does before a retry.

    Raises:
        NotFound: no such job in this organisation.
        Conflict: it is still open, or done, or its kind refuses (`JobKind.before_retry`).
    """
    with transaction.atomic():
        job = _locked(organization, job_id)
        if not job.can_retry:
            raise Conflict(
                f"This job is {job.state}; only a failed or cancelled one can be retried.", code="job_not_failed"
            )
        if jobs_open(organization=organization).filter(task=job.task, subject_id=job.subject_id).exists():
            raise Conflict(
                "A later job is already doing this. Wait for it, or cancel it first.", code="job_open_already"
            )
        stage = None
        if before_retry := job.kind.before_retry:
            try:
                stage = import_string(before_retry)(organization=organization, subject_id=job.subject_id)
            except JobRefused as refusal:
                raise Conflict(job.kind.reasons[refusal.reason], code=refusal.reason) from refusal
        job.state = moved(JOB_TRANSITIONS, job.state, JobState.QUEUED)
        job.attempts, job.reason, job.stage, job.cancel_requested_at = 0, "", stage or "", None
        job.waits, job.request_id = 0, request_id()
        fields = ["state", "attempts", "waits", "reason", "stage", "cancel_requested_at", "request_id", "updated_at"]
        job.save(update_fields=fields)
        _enqueue(job)
    return job


def job_is_stalled() -> bool:
    """Whether work has been due for JOB_STALLED_S seconds and nobody works: the queue's processes are frozen.

    Work changes `updated_at`, enqueueing does not.
    """
    now = timezone.now()
    limit = now - timedelta(seconds=settings.JOB_STALLED_S)
    never_begun = Q(state=JobState.QUEUED, attempts=0, stage="")
    is_held = Q(lease__isnull=False, lease_until__gt=now)
    is_anyone_at_work = Job.objects.filter(is_held | Q(~never_begun, updated_at__gt=limit)).exists()
    return not is_anyone_at_work and jobs_due(now).filter(updated_at__lt=limit).exists()


def heartbeat_write() -> None:
    """Note that the queue works; the supervisor sends it this task every half minute."""
    Heartbeat.objects.update_or_create(name="queue", defaults={"at": timezone.now()})
