"""The ledger: claims, leases, sweeps, cancels and retries."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone
from django_q.models import OrmQ

from legalqa.common.errors import Conflict, NotFound, ResourceDown
from legalqa.common.logs import log_context
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.selectors import queue_silent_s
from legalqa.jobs.services import (
    JobLost,
    JobRefused,
    Lease,
    heartbeat_write,
    job_cancel,
    job_create,
    job_is_stalled,
    job_retry,
    job_run,
)
from legalqa.jobs.turns import job_sweep
from legalqa.settings_queue import JobKind
from tests.people import Firm

TASK = "corpora.tasks.document_ingest"
LONG_AGO = timedelta(seconds=settings.JOB_STALLED_S + settings.JOB_LEASE_S + 1)


def queued(firm: Firm) -> Job:
    return job_create(**firm.by_manager, task=TASK, subject_id=uuid4())


def change(job: Job, **values: Any) -> None:
    Job.objects.filter(pk=job.pk).update(**values)


def finish(lease: Lease) -> bool:
    return True


def stop_halfway(lease: Lease) -> bool:
    return False


def never(lease: Lease) -> bool:
    pytest.fail("nobody should work on this job")


def die(job: Job) -> None:
    """Claim the job and vanish, as a killed worker does."""

    def vanish(lease: Lease) -> bool:
        raise SystemExit

    with pytest.raises(SystemExit):
        job_run(job_id=job.pk, work=vanish)


def let_the_lease_run_out(job: Job) -> None:
    change(job, lease_until=timezone.now() - timedelta(seconds=1))


def test_a_job_is_enqueued_in_the_transaction_that_creates_it(firm: Firm) -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        queued(firm)
        raise ZeroDivisionError
    assert not Job.objects.exists()
    assert not OrmQ.objects.exists()
    queued(firm)
    assert OrmQ.objects.count() == 1


def test_a_second_delivery_finds_a_living_lease_and_leaves(firm: Firm) -> None:
    job = queued(firm)

    def work(lease: Lease) -> bool:
        job_run(job_id=job.pk, work=never)
        return True

    job_run(job_id=job.pk, work=work)
    job.refresh_from_db()
    assert (job.state, job.lease, job.lease_until) == (JobState.DONE, None, None)


def test_a_finished_job_is_not_worked_on_again(firm: Firm) -> None:
    job = queued(firm)
    job_run(job_id=job.pk, work=finish)
    job_run(job_id=job.pk, work=never)


def test_an_attempt_is_counted_before_the_work(firm: Firm) -> None:
    job = queued(firm)
    die(job)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.RUNNING, 1)


def test_who_lost_the_lease_stores_nothing(firm: Firm) -> None:
    job = queued(firm)

    def work(lease: Lease) -> bool:
        let_the_lease_run_out(job)
        job_run(job_id=job.pk, work=finish)  # another worker takes it meanwhile, and ends it
        with transaction.atomic():
            firm.organization.name = "Written by the one who lost"
            firm.organization.save()
            lease.advance(stage="indexing")
        return True

    job_run(job_id=job.pk, work=work)
    firm.organization.refresh_from_db()
    assert firm.organization.name == "Harding & Stone"
    job.refresh_from_db()
    assert (job.state, job.stage) == (JobState.DONE, "")


def test_a_worker_that_outlived_its_lease_is_no_death(firm: Firm) -> None:
    job = queued(firm)
    die(job)

    def be_overtaken(lease: Lease) -> bool:
        change(job, lease_until=timezone.now() - LONG_AGO)
        die(job)  # another worker has claimed it meanwhile
        lease.advance(stage="indexing")
        return True

    change(job, lease_until=timezone.now() - LONG_AGO)
    job_run(job_id=job.pk, work=be_overtaken)

    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.RUNNING, 2), "the one that died, and the one at work"


def test_a_lost_lease_cannot_be_renewed_or_advanced(firm: Firm) -> None:
    job = queued(firm)

    def work(lease: Lease) -> bool:
        change(job, lease=uuid4())
        assert not lease.renew()
        for move in (lease.begin, lease.advance):
            with pytest.raises(JobLost):
                move(stage="indexing")
        return True

    job_run(job_id=job.pk, work=work)
    job.refresh_from_db()
    assert job.state == JobState.RUNNING, "it belongs to the other one"


def test_progress_clears_the_attempts_and_a_mere_beginning_does_not(firm: Firm) -> None:
    job = queued(firm)

    def work(lease: Lease) -> bool:
        lease.begin(stage="reading")
        job.refresh_from_db()
        assert (job.attempts, job.stage) == (1, "reading")
        lease.advance(stage="indexing", cursor=3, total=9)
        job.refresh_from_db()
        assert (job.attempts, job.stage, job.cursor, job.total) == (0, "indexing", 3, 9)
        return True

    job_run(job_id=job.pk, work=work)


def test_a_job_whose_worker_dies_each_time_is_given_up(firm: Firm) -> None:
    job = queued(firm)
    for _ in range(settings.JOB_ATTEMPTS):
        die(job)
        let_the_lease_run_out(job)
    job_run(job_id=job.pk, work=never)
    job.refresh_from_db()
    assert (job.state, job.reason) == (JobState.FAILED, "crashed")


def test_a_job_with_a_fault_is_tried_again_and_then_given_up(firm: Firm) -> None:
    job = queued(firm)

    def work(lease: Lease) -> bool:
        raise ZeroDivisionError

    for attempt in range(1, settings.JOB_ATTEMPTS + 1):
        job_run(job_id=job.pk, work=work)
        job.refresh_from_db()
        assert (job.state, job.attempts, job.reason) == (JobState.QUEUED, attempt, "fault")
    job_run(job_id=job.pk, work=never)
    job.refresh_from_db()
    assert (job.state, job.reason) == (JobState.FAILED, "fault")


def test_a_refused_job_fails_at_once_with_its_reason(firm: Firm) -> None:
    job = queued(firm)

    def work(lease: Lease) -> bool:
        raise JobRefused("damaged")

    job_run(job_id=job.pk, work=work)
    job.refresh_from_db()
    assert (job.state, job.reason) == (JobState.FAILED, "damaged")


def test_a_job_whose_slice_is_over_is_enqueued_again(firm: Firm) -> None:
    job = queued(firm)
    OrmQ.objects.all().delete()
    job_run(job_id=job.pk, work=stop_halfway)
    job.refresh_from_db()
    assert (job.state, job.lease) == (JobState.QUEUED, None)
    assert OrmQ.objects.count() == 1


def test_a_waiting_job_is_cancelled_at_once(firm: Firm) -> None:
    job = job_cancel(organization=firm.organization, job_id=queued(firm).pk)
    assert (job.state, job.reason) == (JobState.CANCELLED, "cancelled")
    job_run(job_id=job.pk, work=never)


def test_a_job_at_work_is_cancelled_at_its_next_step(firm: Firm) -> None:
    job = queued(firm)

    def work(lease: Lease) -> bool:
        assert job_cancel(organization=firm.organization, job_id=job.pk).state == JobState.RUNNING
        assert not lease.renew()
        lease.advance(stage="indexing")
        pytest.fail("it should have stopped")

    job_run(job_id=job.pk, work=work)
    job.refresh_from_db()
    assert (job.state, job.stage) == (JobState.CANCELLED, "")


def test_a_job_that_has_ended_cannot_be_cancelled(firm: Firm) -> None:
    job = queued(firm)
    job_run(job_id=job.pk, work=finish)
    with pytest.raises(Conflict, match="has already ended"):
        job_cancel(organization=firm.organization, job_id=job.pk)


def test_a_cancelled_job_that_is_tried_again_begins_with_no_attempts(firm: Firm) -> None:
    job = queued(firm)
    change(
        job,
        state=JobState.CANCELLED,
        attempts=2,
        reason="cancelled",
        stage="reading",
        cancel_requested_at=timezone.now(),
    )
    OrmQ.objects.all().delete()
    again = job_retry(organization=firm.organization, job_id=job.pk)
    assert (again.state, again.attempts, again.reason, again.stage) == (JobState.QUEUED, 0, "", "")
    assert again.cancel_requested_at is None
    assert OrmQ.objects.count() == 1


def test_only_an_ended_job_is_tried_again_and_only_when_no_later_one_is_open(firm: Firm) -> None:
    job = queued(firm)
    with pytest.raises(Conflict, match="failed or cancelled"):
        job_retry(organization=firm.organization, job_id=job.pk)
    change(job, state=JobState.FAILED)
    job_create(organization=firm.organization, task=TASK, subject_id=job.subject_id, user=None)
    with pytest.raises(Conflict, match="already doing this"):
        job_retry(organization=firm.organization, job_id=job.pk)


def refuse(**subject: Any) -> None:
    raise Conflict(f"Not now: {subject['subject_id']}")


def test_a_job_stays_as_it_is_where_its_kind_refuses_a_retry(firm: Firm, settings: Any) -> None:
    settings.JOB_TASKS = {TASK: JobKind("Wait", before_retry=f"{__name__}.refuse")}
    job = queued(firm)
    change(job, state=JobState.FAILED, reason="crashed", attempts=3)
    with pytest.raises(Conflict, match=f"Not now: {job.subject_id}"):
        job_retry(organization=firm.organization, job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.reason, job.attempts) == (JobState.FAILED, "crashed", 3)


def test_a_job_of_another_organization_does_not_exist(firm: Firm, rivals: Firm) -> None:
    job = queued(firm)
    for act in (job_cancel, job_retry):
        with pytest.raises(NotFound):
            act(organization=rivals.organization, job_id=job.pk)


def test_a_subject_has_one_open_job_a_task(firm: Firm) -> None:
    job = queued(firm)
    with pytest.raises(IntegrityError, match="job_open_once"), transaction.atomic():
        job_create(organization=firm.organization, task=TASK, subject_id=job.subject_id, user=None)


def test_work_that_waits_while_nobody_works_is_stalled(firm: Firm) -> None:
    job = queued(firm)
    assert not job_is_stalled(), "it has only just come"
    change(job, updated_at=timezone.now() - LONG_AGO)
    assert job_is_stalled()
    change(job, enqueued_at=timezone.now())
    assert job_is_stalled(), "ringing is not working"


def test_a_dead_worker_with_nobody_to_take_over_is_stalled(firm: Firm) -> None:
    job = queued(firm)
    die(job)
    change(job, updated_at=timezone.now() - LONG_AGO)
    assert not job_is_stalled(), "its lease has not run out"
    change(job, lease_until=timezone.now() - LONG_AGO)
    assert job_is_stalled()


def test_a_queue_that_works_on_other_jobs_is_not_stalled(firm: Firm) -> None:
    waiting, other = queued(firm), queued(firm)
    change(waiting, updated_at=timezone.now() - LONG_AGO)
    job_run(job_id=other.pk, work=finish)
    assert not job_is_stalled(), "another job has just ended"
    change(other, updated_at=timezone.now() - LONG_AGO)
    assert job_is_stalled()


def wait_for_it(lease: Lease) -> bool:
    raise ResourceDown("the encoder is away")


def test_an_outage_is_waited_for_and_uses_up_no_attempts(firm: Firm) -> None:
    job = queued(firm)
    waited = []
    for _ in range(settings.JOB_ATTEMPTS + 4):
        job_run(job_id=job.pk, work=wait_for_it)
        job.refresh_from_db()
        assert job.lease_until is not None
        waited.append((job.lease_until - timezone.now()).total_seconds())
        job_run(job_id=job.pk, work=never)
        let_the_lease_run_out(job)

    assert (job.state, job.attempts, job.lease) == (JobState.QUEUED, 0, None)
    assert [round(seconds) for seconds in waited] == [2, 4, 8, 16, 32, 60, 60]
    assert job_sweep() == 0, "it was enqueued just now"
    job_run(job_id=job.pk, work=finish)
    assert Job.objects.get().state == JobState.DONE


def test_progress_forgets_the_waits(firm: Firm) -> None:
    job = queued(firm)
    job_run(job_id=job.pk, work=wait_for_it)
    let_the_lease_run_out(job)

    def work(lease: Lease) -> bool:
        lease.advance(stage="indexing", cursor=1, total=2)
        return wait_for_it(lease)

    job_run(job_id=job.pk, work=work)

    job.refresh_from_db()
    assert job.waits == 1


def test_a_job_that_waits_for_something_is_cancelled_at_once_and_is_nobody_at_work(firm: Firm) -> None:
    job = queued(firm)
    job_run(job_id=job.pk, work=wait_for_it)

    assert queue_silent_s() is None
    job_cancel(organization=firm.organization, job_id=job.pk)

    assert Job.objects.get().state == JobState.CANCELLED


def test_a_job_remembers_the_request_that_asked_for_it(firm: Firm) -> None:
    with log_context(request_id="ab" * 16):
        job = queued(firm)
    assert Job.objects.get(pk=job.pk).request_id == "ab" * 16


def test_the_queue_is_seen_at_work_by_its_heartbeat_or_by_a_held_lease(firm: Firm) -> None:
    assert queue_silent_s() is None
    heartbeat_write()
    assert (queue_silent_s() or 0) < 60
    job = queued(firm)

    def work(lease: Lease) -> bool:
        assert queue_silent_s() == 0
        return True

    job_run(job_id=job.pk, work=work)
