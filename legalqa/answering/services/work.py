"""An answer under way: its job, its progress, its end; and how a person stops it.

The job's rows come first, so nothing is lost with a process. Whoever asked works on it at once, in a thread of the web
process or in the command itself, and holds the job's lease; the sweeper rings the queue for a job whose lease ran out.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from decimal import Decimal
from threading import BoundedSemaphore, Thread
from time import monotonic, sleep
from uuid import UUID

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.utils import timezone

from corpora.models import Paragraph
from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.answering.models import Answer, AnswerState
from legalqa.answering.selectors import answer_get, answer_job
from legalqa.answering.services.finding import Asked, Found, evidence_find
from legalqa.answering.services.storing import Ending, answer_store, evidence_rows, trace_of
from legalqa.answering.services.writing import (
    Written,
    answer_write,
    ending_unwritten,
    ending_written,
    is_written,
    write_seconds,
)
from legalqa.answering.types import Generation
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.common.faults import crash_point
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import JobCancelled, JobLost, Lease, job_cancel, job_ring, job_run
from legalqa.llm.pricing import MILLION
from legalqa.llm.selectors import candidate_list
from legalqa.llm.types import Outcome, Role

logger = logging.getLogger(__name__)

TASK = "legalqa.answering.tasks.answer_work"
THREADS_MAX = max(1, (settings.DATABASE_POOL or 8) - 2)  # answers that a web process writes at once; others are queued
CHECKS_S = 10.0  # ours: for all checks of one answer; a statement takes milliseconds
FINISH_S = 150.0  # how long a caller that waits does so, beyond the deadline of the model
LOOK_S = 0.5  # between two looks whether a person cancelled
TELL_S = 1.0  # between two notes of how much has come
TOKEN_CHARS = 4  # of English, for what an answer has cost so far; the ledger counts tokens
FAULT = "A fault in the system stopped the answer. This says nothing about the documents."
CLOSED = "The corpus was closed to you while the answer was being written."

_threads = BoundedSemaphore(THREADS_MAX)


def answer_work(*, job_id: UUID) -> None:
    """Work on an answer; a second worker leaves at once."""
    job_run(job_id, _work)


def work_begin(*, job_id: UUID) -> None:
    """Work on an answer in a thread of this process, or leave it to the queue where enough are at work here."""
    if not _threads.acquire(blocking=False):
        job_ring(job_id=job_id)
        return

    def work() -> None:
        try:
            answer_work(job_id=job_id)
        except DatabaseError as error:  # the lease runs out, and the queue takes over
            logger.warning("an answer was left to the queue: %s", type(error).__name__)
        finally:
            _threads.release()
            connection.close()

    Thread(target=copy_context().run, args=(work,), name="answer", daemon=True).start()


def answer_finish(*, organization: Organization, job_id: UUID) -> Answer:
    """Work on an answer here until it is done, or wait for whoever does; it is returned as it stands where
    that takes FINISH_S longer than its model may.

    Raises:
        NotFound: the corpus was closed to the person meanwhile.
    """
    until = monotonic() + FINISH_S + write_seconds(organization=organization)
    while True:
        answer_work(job_id=job_id)
        with organization_scope(organization, user=None):
            subject_id = Job.objects.values_list("subject_id", flat=True).get(pk=job_id)
            answer = Answer.objects.select_related("question", "question__corpus").get(pk=subject_id)
        if answer.state != AnswerState.WORKING or monotonic() > until:
            break
        connection_give_back()
        sleep(LOOK_S)
    if answer.why == CLOSED:
        raise NotFound("corpus")
    return answer


def answer_cancel(*, organization: Organization, user: User, answer_id: UUID) -> Answer:
    """Stop an answer under way; what the model has written of it is thrown away.

    Raises:
        NotFound: no such answer of yours.
        Conflict: it is no longer under way.
    """
    answer = answer_get(organization=organization, user=user, answer_id=answer_id)
    if not _end(answer, AnswerState.CANCELLED, "You cancelled it. Nothing that the model had written was kept."):
        raise Conflict("The answer has ended already, so there is nothing to cancel.", code="answer_ended")
    job = answer_job(answer=answer)
    if job is not None:
        with suppress(Conflict):
            job_cancel(organization=organization, job_id=job.pk)
    audit(organization=organization, actor=user, action="answer.cancelled", subject_id=answer.pk)
    return answer


def answer_settle(answer: Answer) -> Answer:
    """Close an answer whose job has ended without it, by a cancel from the list of jobs or a last failed try."""
    if answer.state == AnswerState.WORKING:
        job = answer_job(answer=answer)
        if job is None or not job.is_open:
            is_cancelled = job is not None and job.state == JobState.CANCELLED
            state, why = (AnswerState.CANCELLED, "It was cancelled.") if is_cancelled else (AnswerState.FAILED, FAULT)
            _end(answer, state, why)
    return answer


def answer_give_up(*, job: Job) -> None:
    """The job's tries are used up: nobody works on the answer any more."""
    if job.task == TASK:
        with organization_scope(job.organization_id, user=None):
            answer = Answer.objects.filter(pk=job.subject_id).first()
            if answer is not None:
                _end(answer, AnswerState.FAILED, FAULT)


def _end(answer: Answer, state: AnswerState, why: str) -> bool:
    """Close an answer that is still under way, without claims; False where it has ended otherwise."""
    seconds = _seconds(answer)
    working = Answer.objects.filter(pk=answer.pk, state=AnswerState.WORKING)
    is_ours = bool(working.update(state=state, why=why, seconds=seconds, evidence=[]))
    if is_ours:
        answer.state, answer.why, answer.seconds, answer.evidence = state, why, seconds, []
    return is_ours


def _work(lease: Lease) -> bool:
    with organization_scope(lease.organization_id, user=None):
        answers = Answer.objects.select_related("organization", "question__asker", "question__corpus")
        answer = answers.filter(pk=lease.subject_id, state=AnswerState.WORKING).first()
    if answer is None:
        return True
    try:
        _make(lease, answer)
    except (JobLost, DatabaseError):
        raise
    except JobCancelled:
        _closed(answer, AnswerState.CANCELLED, "It was cancelled.")
        raise
    except NotFound:  # the corpus was walled or removed meanwhile: nothing of it may stay in the answer
        _closed(answer, AnswerState.FAILED, CLOSED)
    except ApplicationError as error:
        _closed(answer, AnswerState.FAILED, error.message)
    except Exception as error:
        logger.exception("answering failed: %s", type(error).__name__)
        _closed(answer, AnswerState.FAILED, FAULT)
    return True


def _closed(answer: Answer, state: AnswerState, why: str) -> None:
    with organization_scope(answer.organization, user=None):
        _end(answer, state, why)


def _make(lease: Lease, answer: Answer) -> None:
    """Search, write, check, store; each step is on the page as soon as it is done."""
    question = answer.question
    organization, user = answer.organization, question.asker
    asked = Asked.of_json(answer.asked, corpus_id=question.corpus_id, text=question.text, follows=question.follows_id)
    _tell(lease, answer, stage="searching")
    found = evidence_find(organization=organization, user=user, asked=asked)
    evidence, trace = evidence_rows(found, question.text), trace_of(found)
    if found.draft.state == "insufficient_evidence" or not is_written(organization=organization, asked=asked):
        _finish(lease, answer, found, lambda _: ending_unwritten(asked, found))
        return
    _tell(lease, answer, stage="writing", evidence=evidence, trace=trace)
    crash_point("answer.before_model")
    progress = _Progress(lease, answer, found)
    written = answer_write(
        organization=organization,
        user=user,
        asked=asked,
        found=found,
        on_delta=progress.heard,
        cancelled=progress.is_cancelled,
    )
    if written.reply.outcome is Outcome.CANCELLED:
        raise JobCancelled
    crash_point("answer.replied")
    _tell(lease, answer, stage="checking")
    until = monotonic() + CHECKS_S

    def has_time() -> bool:
        if progress.is_cancelled():
            raise JobCancelled
        return monotonic() < until

    _finish(lease, answer, found, lambda kept: ending_written(written, found, readable=kept, has_time=has_time))
    _log(written)


def _tell(lease: Lease, answer: Answer, *, stage: str, **values: object) -> None:
    """Move the job on and put what is known so far into the answer, for whoever watches, as the person who asked."""
    with _mine(answer):
        lease.advance(stage=stage)
        if values:
            Answer.objects.filter(pk=answer.pk, state=AnswerState.WORKING).update(**values)


def _finish(lease: Lease, answer: Answer, found: Found, end: Callable[[frozenset[int]], Ending]) -> None:
    """Check with no transaction open, then store; what the person may not read by then is in no claim."""
    with _mine(answer):
        readable = _readable(found)
    while True:
        connection_give_back()
        ending = end(readable)
        with _mine(answer):
            still = readable & _readable(found)
            if still == readable:
                _store(lease, answer, found, ending)
                return
        readable = still  # something was taken away meanwhile: check again without it


@contextmanager
def _mine(answer: Answer) -> Iterator[None]:
    """A transaction as the person who asked; NotFound where the corpus was closed to them."""
    with organization_scope(answer.organization, user=answer.question.asker):
        corpus_get(organization=answer.organization, corpus_id=answer.question.corpus_id)
        yield


def _readable(found: Found) -> frozenset[int]:
    ids = [passage.position.paragraph_id for passage in found.result.passages]
    return frozenset(Paragraph.objects.filter(pk__in=ids, document__removed_at=None).values_list("pk", flat=True))


def _store(lease: Lease, answer: Answer, found: Found, ending: Ending) -> None:
    lease.advance(stage="stored")
    mine = Answer.objects.select_for_update(of=("self",)).select_related("question", "question__corpus")
    current = mine.filter(pk=answer.pk, state=AnswerState.WORKING).first()
    if current is None:
        raise JobCancelled
    answer_store(current, found, ending, seconds=_seconds(answer))
    crash_point("answer.stored")


def _seconds(answer: Answer) -> float:
    return round((timezone.now() - answer.created_at).total_seconds(), 3)


def _log(written: Written) -> None:
    usage = written.reply.usage
    fields = {"outcome": written.reply.outcome.value, "tokens": usage.input_tokens + usage.output_tokens}
    logger.info("answer written", extra={"fields": fields})


class _Progress:
    """What the gateway calls while the model writes: at most one look at the database in LOOK_S or TELL_S seconds."""

    def __init__(self, lease: Lease, answer: Answer, found: Found) -> None:
        self._lease, self._answer = lease, answer
        with organization_scope(answer.organization, user=None):
            asked = candidate_list(organization=answer.organization, role=Role.ANSWER)
        self._price_out = asked[0].price_out / MILLION if asked else Decimal(0)
        n_read = sum(len(passage.text) for passage in found.result.passages[: found.n_read])
        self._cost_in = (asked[0].price_in / MILLION if asked else Decimal(0)) * n_read / TOKEN_CHARS
        self._looked = self._told = monotonic()
        self._is_cancelled = False
        self._written = 0

    def is_cancelled(self) -> bool:
        if not self._is_cancelled and monotonic() - self._looked >= LOOK_S:
            self._looked = monotonic()
            self._is_cancelled = not self._lease.renew()
            connection_give_back()  # the model writes on for minutes
        return self._is_cancelled

    def heard(self, piece: str) -> None:
        self._written += len(piece)
        if monotonic() - self._told < TELL_S:
            return
        self._told = monotonic()
        with organization_scope(self._answer.organization, user=None):
            working = Answer.objects.filter(pk=self._answer.pk, state=AnswerState.WORKING)
            cost = self._cost_in + self._price_out * self._written / TOKEN_CHARS
            working.update(generation=Generation(written=self._written, cost=str(cost), is_estimated=True))
        connection_give_back()
