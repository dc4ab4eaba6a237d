"""Whose turn it is: the organisation that has waited longest, not the one that asked for most.

django-q2 is only the doorbell: a ring says that there is work, and the worker that hears it looks in the ledger for
the organisation whose last turn is longest ago. A ring that finds nothing to do is forgotten. A worker rings again
while anything is due; if it died, the sweeper rings.

Long work has WORKERS places on a machine. There are two more processes: one for work with a place of its own (answers
wait minutes for a language model, in one piece), and one for short jobs, so that a note is read within seconds while
the places are taken. Spare work (experiments) lets the other work of its organisation go first; if that does not end,
it gets a turn of ten seconds every SPARE_WAIT_S.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Case, Q, QuerySet, Value, When
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.brokers import get_broker
from django_q.tasks import async_task

from legalqa.common.processor import processor_s
from legalqa.jobs.models import OPEN_STATES, DayUse, Job, Lane
from legalqa.jobs.use import day_use_add, today

SPARE_WAIT_S = 60  # ours: with slices of 10 s, reading documents takes a sixth longer beside an experiment
ANY = Q()
APART = Q(task__in=[task for task, kind in settings.JOB_TASKS.items() if kind.is_apart])


def bell_ring() -> None:
    """Say that there is work, in the caller's transaction."""
    async_task(settings.BELL, task_name=settings.BELL)


def job_work() -> None:
    """Answer the doorbell: one slice for the organisation whose turn it is, if there is one that may be taken here."""
    with _job() as job:
        if job is None:
            return
        DayUse.objects.update_or_create(
            organization_id=job.organization_id, day=today(), defaults={"turn_at": timezone.now()}
        )
        with _measured(job.organization_id):
            import_string(job.task)(str(job.pk))
    if job_next() is not None:
        bell_ring()


def job_next(which: Q = ANY) -> Job | None:
    """The job to work on now, of those in `which`: the first of the organisation whose last turn is longest ago.

    Only enqueued jobs count: until it is enqueued, a job is its creator's to work on.
    """
    now = timezone.now()
    due = jobs_due(now).filter(which, enqueued_at__lte=now)
    waiting = set(due.order_by().values_list("organization_id", flat=True).distinct())
    if not waiting:
        return None
    served = DayUse.objects.filter(day=today(), organization_id__in=waiting).exclude(turn_at=None)
    turns = dict(served.values_list("organization_id", "turn_at"))
    never = datetime.min.replace(tzinfo=now.tzinfo)
    next_one = min(waiting, key=lambda pk: (turns.get(pk, never), pk))
    spare = Q(lane=Lane.SPARE)
    waited = now - timedelta(seconds=SPARE_WAIT_S)
    after = Case(When(spare & Q(enqueued_at__lt=waited), then=Value(0)), When(spare, then=Value(2)), default=Value(1))
    return due.filter(organization_id=next_one).order_by(after, "enqueued_at").first()


def jobs_due(now: datetime) -> "QuerySet[Job]":
    """Open jobs that nobody works on and that need not wait for a time, or for their organisation's next day."""
    due = Job.objects.filter(
        Q(lease_until=None) | Q(lease_until__lt=now), state__in=OPEN_STATES, task__in=list(settings.JOB_TASKS)
    )
    if not settings.DAY_PROCESSOR_S:
        return due
    used_up = DayUse.objects.filter(day=today(), processor_ms__gte=1000 * settings.DAY_PROCESSOR_S)
    return due.exclude(~Q(lane=Lane.ALWAYS), organization_id__in=used_up.values("organization_id"))


def job_sweep() -> int:
    """Ring for jobs whose worker died or whose ring was lost; returns how often.

    The supervisor runs this every JOB_SWEEP_S seconds. One ring per process is enough: a working process rings again.
    """
    now = timezone.now()
    late = now - timedelta(seconds=settings.JOB_SWEEP_S)
    due = jobs_due(now)
    with transaction.atomic():
        due.filter(enqueued_at=None, created_at__lt=late).update(enqueued_at=now)
        n_lost: int = min(settings.PROCESSES, due.filter(enqueued_at__lte=now).count()) - get_broker().queue_size()
        for _ in range(n_lost):
            bell_ring()
    return max(0, n_lost)


@contextmanager
def _job() -> Iterator[Job | None]:
    """The job that may be taken here; its place is held for the block."""
    for kind, n_places, which in (("work", settings.WORKERS, ~APART), ("apart", 1, APART)):
        with _place(kind, n_places) as is_free:
            job = job_next(which) if is_free else None
            if job is not None:
                yield job
                return
    yield job_next(Q(lane=Lane.SHORT))


@contextmanager
def _place(kind: str, n_places: int) -> Iterator[bool]:
    """Whether one of the places of a kind is free on this machine; if so, it is held for the block.

    The kernel releases it when its holder dies.
    """
    folder = Path(settings.VAR) / "run"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(n_places):
        with (folder / f"{kind}-{number}.lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            yield True
            return
    yield False


@contextmanager
def _measured(organization_id: UUID) -> Iterator[None]:
    """Count the processor time of the block, and of the processes that end in it, as the organisation's."""
    started = processor_s()
    try:
        yield
    finally:
        day_use_add(organization_id=organization_id, processor_ms=round(1000 * (processor_s() - started)))
