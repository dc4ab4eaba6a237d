"""Whose turn it is: organisations in turn, a process free for short work, no work beyond the day's processor time."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.utils import timezone
from django_q.models import OrmQ
from pytest_django import Settings

from legalqa.jobs import turns
from legalqa.jobs.models import DayUse, Job, JobState, Lane
from legalqa.jobs.services import Lease, job_create, job_is_stalled, job_retry, job_run
from legalqa.jobs.turns import job_next, job_sweep, job_work
from legalqa.jobs.use import day_use_add, today, use_get
from tests.people import Firm

TASK = "corpora.tasks.document_ingest"
ANSWER = "legalqa.answering.tasks.answer_work"
LONG_AGO = timedelta(hours=1)


def queued(firm: Firm, *, lane: Lane = Lane.LONG, **values: Any) -> Job:
    job = job_create(**firm.by_manager, task=TASK, subject_id=uuid4(), lane=lane)
    Job.objects.filter(pk=job.pk).update(**values)
    return job


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[UUID]]:
    """The organisations whose jobs were worked on, in their order; every job needs two slices."""
    order: list[UUID] = []

    def work(lease: Lease) -> bool:
        order.append(lease.organization_id)
        done = lease.stage == "half"
        lease.advance(stage="half")
        return done

    for task in (TASK, ANSWER):
        # Tasks are named in rows, so that none of a test can be run: two of the product do this work instead.
        monkeypatch.setattr(task, lambda job_id: job_run(job_id=UUID(job_id), work=work))
    yield order


@pytest.fixture
def no_places() -> Iterator[None]:
    """Every place for long work is taken by another process."""
    with ExitStack() as held:
        for _ in range(settings.WORKERS):
            assert held.enter_context(turns._place("work", settings.WORKERS))
        yield


def answer_every_ring() -> None:
    while ring := OrmQ.objects.order_by("pk").first():
        ring.delete()
        job_work()


def test_a_small_firm_waits_for_one_slice_and_not_for_all_work_of_a_large_one(
    firm: Firm, rivals: Firm, served: list[UUID]
) -> None:
    for _ in range(12):
        queued(firm)
    job_work()
    queued(rivals)
    answer_every_ring()
    large, small = firm.organization.pk, rivals.organization.pk
    assert served[:5] == [large, small, large, small, large]
    assert set(Job.objects.values_list("state", flat=True)) == {JobState.DONE}


def test_an_organisation_that_has_not_had_a_turn_today_comes_first(firm: Firm, rivals: Firm) -> None:
    queued(firm, enqueued_at=timezone.now() - LONG_AGO)
    theirs = queued(rivals)
    DayUse.objects.create(organization_id=firm.organization.pk, day=today(), turn_at=timezone.now())
    assert job_next() == theirs


def test_the_jobs_of_one_organisation_are_taken_in_the_order_in_which_they_came(firm: Firm) -> None:
    first, _ = queued(firm), queued(firm)
    assert job_next() == first


def test_spare_work_lets_other_work_pass_until_it_has_waited_a_minute(firm: Firm) -> None:
    spare, other = queued(firm, lane=Lane.SPARE), queued(firm)
    assert job_next() == other
    Job.objects.filter(pk=spare.pk).update(enqueued_at=timezone.now() - timedelta(seconds=turns.SPARE_WAIT_S + 1))
    assert job_next() == spare, "an upload of a thousand files would keep it for ever"
    Job.objects.filter(pk=spare.pk).update(enqueued_at=timezone.now())
    other.delete()
    assert job_next() == spare


def test_while_every_place_is_taken_only_short_work_is_done(
    firm: Firm, rivals: Firm, served: list[UUID], no_places: None
) -> None:
    queued(firm)
    job_work()
    assert served == []
    queued(rivals, lane=Lane.SHORT)
    answer_every_ring()
    assert served == [rivals.organization.pk] * 2


def test_an_answer_is_worked_on_while_every_place_is_taken(firm: Firm, served: list[UUID], no_places: None) -> None:
    queued(firm, task=ANSWER)
    answer_every_ring()
    assert served == [firm.organization.pk] * 2


def test_an_answer_whose_model_does_not_reply_keeps_other_answers_waiting_and_no_files(
    firm: Firm, rivals: Firm, served: list[UUID]
) -> None:
    queued(firm, task=ANSWER)
    queued(rivals)
    with turns._place("apart", 1) as is_free:
        assert is_free
        answer_every_ring()
    assert served == [rivals.organization.pk] * 2


def test_a_place_is_free_again_after_the_work(firm: Firm, served: list[UUID]) -> None:
    queued(firm)
    answer_every_ring()
    assert len(served) == 2


def test_long_work_whose_rings_were_answered_in_vain_is_rung_for_by_who_has_worked(
    firm: Firm, served: list[UUID]
) -> None:
    queued(firm), queued(firm)
    OrmQ.objects.all().delete()
    job_work()
    answer_every_ring()
    assert len(served) == 4


def test_a_job_that_was_not_enqueued_is_left_to_who_created_it_until_the_sweep(firm: Firm) -> None:
    job = job_create(organization=firm.organization, task=TASK, subject_id=uuid4(), user=None, is_enqueued=False)
    assert job_next() is None
    assert job_sweep() == 0, "the process that created it may be about to begin"
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - LONG_AGO)
    assert job_sweep() == 1
    assert job_next() == job


def test_after_a_fault_a_job_is_not_tried_again_at_once(firm: Firm, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(lease: Lease) -> bool:
        raise ZeroDivisionError

    # As above: one task of the product does this work instead.
    monkeypatch.setattr("corpora.tasks.document_ingest", lambda job_id: job_run(job_id=UUID(job_id), work=fail))
    job = queued(firm)
    job_work()
    assert job_next() is None
    Job.objects.filter(pk=job.pk).update(enqueued_at=timezone.now())
    assert job_next() == job


def test_a_task_that_is_not_on_the_list_is_never_started(firm: Firm) -> None:
    queued(firm, task="os.system")
    assert job_next() is None


def test_the_sweep_enqueues_a_job_whose_worker_died_once_its_lease_has_run_out(firm: Firm) -> None:
    now = timezone.now()
    job = queued(firm, state=JobState.RUNNING, lease=uuid4(), lease_until=now + LONG_AGO)
    OrmQ.objects.all().delete()
    assert job_sweep() == 0
    Job.objects.filter(pk=job.pk).update(lease_until=now - LONG_AGO)
    assert job_sweep() == 1
    assert job_sweep() == 0, "it has just been enqueued"
    assert OrmQ.objects.count() == 1


def test_the_sweep_does_not_flood_a_long_queue(firm: Firm) -> None:
    for _ in range(20):
        queued(firm)
    assert job_sweep() == 0, "rings wait already"
    OrmQ.objects.all().delete()
    assert job_sweep() == settings.WORKERS + 2, "one for each process; each worker rings again"


def test_processor_time_is_counted_for_the_organisation_that_used_it(
    firm: Firm, rivals: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = iter([10.0, 12.5])
    monkeypatch.setattr(turns, "processor_s", lambda: next(spent))  # seconds that nobody has to burn
    monkeypatch.setattr("corpora.tasks.document_ingest", lambda _: None)  # as above
    queued(firm)
    job_work()
    assert use_get(organization=firm.organization).processor_s_today == 2.5
    assert use_get(organization=rivals.organization).processor_s_today == 0


def test_work_beyond_the_processor_time_of_a_day_waits_for_the_next_day(
    firm: Firm, rivals: Firm, settings: Settings
) -> None:
    settings.DAY_PROCESSOR_S = 100
    job = queued(firm, updated_at=timezone.now() - LONG_AGO)
    day_use_add(organization_id=firm.organization.pk, processor_ms=100_000)
    assert job_next() is None
    assert use_get(organization=firm.organization).is_waiting
    assert not job_is_stalled(), "the queue is not frozen, and must not be started again"
    OrmQ.objects.all().delete()
    assert job_sweep() == 0
    theirs = queued(rivals)
    assert job_next() == theirs
    theirs.delete()
    DayUse.objects.update(day=today() - timedelta(days=1))
    assert job_next() == job


def test_an_answer_does_not_wait_for_the_next_day(firm: Firm, settings: Settings) -> None:
    settings.DAY_PROCESSOR_S = 100
    answer = queued(firm, lane=Lane.ALWAYS)
    day_use_add(organization_id=firm.organization.pk, processor_ms=100_000)
    assert job_next() == answer


def test_a_job_that_is_tried_again_takes_its_place_at_the_end(firm: Firm) -> None:
    failed = queued(firm, state=JobState.FAILED)
    other = queued(firm)
    job_retry(organization=firm.organization, job_id=failed.pk)
    assert job_next() == other
