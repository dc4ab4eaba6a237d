"""The ledger of background work: ids, states and counts but no content, so it can be read without an organisation."""

import uuid

from django.conf import settings
from django.db import models

from legalqa.common.transitions import Transitions, sources
from legalqa.settings_queue import JobKind


class JobState(models.TextChoices):
    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Working"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"


class Lane(models.TextChoices):
    """Which workers may take a job, and when; `legalqa.jobs.turns` has the rules."""

    LONG = "long", "Long work"
    SHORT = "short", "Short work"
    ALWAYS = "always", "As long, and on any day"
    SPARE = "spare", "Beside other work"


OPEN_STATES = (JobState.QUEUED, JobState.RUNNING)
JOB_TRANSITIONS: Transitions[JobState] = {
    JobState.QUEUED: frozenset({JobState.RUNNING, JobState.FAILED, JobState.CANCELLED}),
    JobState.RUNNING: frozenset(JobState),  # also running: another worker takes over from a dead one
    JobState.DONE: frozenset(),
    JobState.FAILED: frozenset({JobState.QUEUED}),
    JobState.CANCELLED: frozenset({JobState.QUEUED}),
}


class Job(models.Model):
    """One piece of background work on one subject.

    `attempts` is raised and committed before the work, because a killed worker leaves no other trace; progress resets
    it to zero. `enqueued_at` is when the job joined the queue of its organisation; without it, its creator is about to
    work on the job. `lease` is the fencing token: every write of the work checks that it is still valid. A waiting job
    may have a `lease_until` without a lease: nobody should try again before that time.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organization_id = models.UUIDField()
    task = models.CharField(max_length=120)
    subject_id = models.UUIDField()
    corpus_id = models.UUIDField(null=True)  # whose wall applies; None for work that belongs to no corpus
    requested_by_id = models.UUIDField(null=True)
    state = models.CharField(max_length=12, choices=JobState, default=JobState.QUEUED)
    stage = models.CharField(max_length=40, default="")
    cursor = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    waits = models.PositiveSmallIntegerField(default=0)  # in a row, because something did not answer
    request_id = models.CharField(max_length=40, default="")  # of the request that started it: connects the logs
    reason = models.CharField(max_length=40, default="")
    lease = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    cancel_requested_at = models.DateTimeField(null=True)
    lane = models.CharField(max_length=6, choices=Lane, default=Lane.LONG)
    enqueued_at = models.DateTimeField(null=True)  # apart from updated_at, which says when work last moved
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization_id", "task", "subject_id"],
                condition=models.Q(state__in=["queued", "running"]),
                name="job_open_once",
            ),
            models.CheckConstraint(condition=models.Q(state__in=JobState.values), name="job_state_known"),
            models.CheckConstraint(condition=models.Q(lane__in=Lane.values), name="job_lane_known"),
        ]
        indexes = [
            models.Index(fields=["state", "lease_until"], name="job_due"),
            models.Index(fields=["organization_id", "corpus_id", "-created_at"], name="job_of_corpus"),
        ]

    def __str__(self) -> str:
        return f"{self.task} {self.state}"

    @property
    def kind(self) -> JobKind:
        return settings.JOB_TASKS[self.task]

    @property
    def is_open(self) -> bool:
        return self.state in OPEN_STATES

    @property
    def percent(self) -> int:
        return min(99, 100 * self.cursor // self.total) if self.total and self.is_open else 100 * (not self.is_open)

    @property
    def can_cancel(self) -> bool:
        return self.is_open and self.cancel_requested_at is None

    @property
    def can_retry(self) -> bool:
        return not self.is_open and self.state in sources(JOB_TRANSITIONS, JobState.QUEUED)


class Heartbeat(models.Model):
    """When something that should always be running was last seen at work."""

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at:%H:%M:%S}"


class DayUse(models.Model):
    """What an organisation used on one day (UTC), and when it last had its turn: counts and times, no content."""

    organization_id = models.UUIDField()
    day = models.DateField()
    n_bytes = models.BigIntegerField(default=0)
    processor_ms = models.BigIntegerField(default=0)
    turn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization_id", "day"], name="day_use_once")]

    def __str__(self) -> str:
        return f"{self.organization_id} {self.day}"
