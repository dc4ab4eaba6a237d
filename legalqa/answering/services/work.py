"""The work around an answer under way: its job, its steps, its end; and how a person stops it.

The job's rows come first, so nothing is lost with a process. The process that was asked works on it at once, in a
thread of the web process or in the command itself, and holds the job's lease; the sweeper rings the queue for a job
whose lease ran out.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from contextvars import copy_context
from decimal import Decimal
from threading import Thread
from time import monotonic, sleep
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.db.models import QuerySet

from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.accounts.services import audit
from legalqa.answering.models import Answer, AnswerState
from legalqa.answering.selectors import answer_get_own, answer_job
from legalqa.answering.services.answers import (
    answer_end,
    answer_store,
    paragraphs_readable,
    seconds_since,
    steps_store,
)
from legalqa.answering.strategies.base import Names, Work
from legalqa.answering.strategies.registry import strategy_for
from legalqa.answering.types import Ending, Generation
from legalqa.common.errors import ApplicationError, Conflict, NotFound, TooMany, Unavailable
from legalqa.common.faults import crash_point
from legalqa.common.work import Places
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import JobCancelled, JobLost, Lease, job_cancel, job_enqueue
from legalqa.jobs.sliced import job_task
from legalqa.llm.pricing import MILLION
from legalqa.llm.selectors import candidate_list
from legalqa.llm.types import Role

logger = logging.getLogger(__name__)

TASK = "legalqa.answering.tasks.answer_work"
FINISH_S = 150.0  # how long a caller that waits does so, beyond what the strategy may take
LOOK_S = 0.5  # between two looks whether a person cancelled
TELL_S = 1.0  # between two notes of how much has come
THREADS_EACH = 3  # ours: threads of one organisation, so that one whose model is slow leaves some to the others
TOKEN_CHARS = 4  # characters of English a token, to show costs so far; the ledger counts tokens
FAULT = "A fault in the system stopped the answer. This says nothing about the documents."
CLOSED = "The corpus was closed to you while the answer was being written."


def threads_max(*, pool: int) -> int:
    """How many answers a process writes at once, the rest being queued: two connections stay free for pages.

    Args:
        pool: How many connections the process keeps open; 0 if each thread has one of its own.
    """
    return max(1, (pool or 8) - 2)


THREADS = Places(
    of_one=THREADS_EACH, of_all=threads_max(pool=settings.DATABASE_POOL), refusal="Enough answers are being written."
)


def work_begin(*, organization: Organization, job_id: UUID) -> None:
    """Work on an answer in a thread of this process, or leave it to the queue if enough threads are at work."""
    held = ExitStack()
    try:
        held.enter_context(THREADS.one(organization.pk))
    except (TooMany, Unavailable):
        job_enqueue(job_id=job_id)
        return

    def work() -> None:
        with held:
            try:
                answer_work(job_id=job_id)
            except DatabaseError as error:  # the lease runs out, and the queue takes over
                logger.warning("an answer was left to the queue: %s", type(error).__name__)
            finally:
                connection.close()

    Thread(target=copy_context().run, args=(work,), name="answer", daemon=True).start()


def answer_finish(*, answer: Answer, job_id: UUID, seconds: float) -> Answer:
    """Work on an answer here until it is done, or wait for the process that does.

    Args:
        answer: Under way.
        job_id: Its job.
        seconds: What its strategy may take; after FINISH_S more the answer is returned unfinished.

    Raises:
        NotFound: the corpus was closed to the person meanwhile.
    """
    until = monotonic() + FINISH_S + seconds
    while True:
        answer_work(job_id=job_id)
        with organization_scope(answer.organization, user=None):
            answers = Answer.objects.select_related("organization", "question", "question__corpus")
            answer = answers.get(organization=answer.organization, pk=answer.pk)
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
    answer = answer_get_own(organization=organization, user=user, answer_id=answer_id)
    why = "You cancelled it. Nothing that the model had written was kept."
    if not answer_end(answer=answer, state=AnswerState.CANCELLED, why=why):
        raise Conflict("The answer has ended already, so there is nothing to cancel.", code="answer_ended")
    job = answer_job(answer=answer)
    if job is not None:
        with suppress(Conflict):
            job_cancel(organization=organization, job_id=job.pk)
    audit(organization=organization, actor=user, action="answer.cancelled", subject_id=answer.pk)
    return answer


def answer_settle(*, answer: Answer) -> Answer:
    """Close an answer whose job ended without closing it: cancelled in the list of jobs, or out of attempts."""
    if answer.state == AnswerState.WORKING:
        job = answer_job(answer=answer)
        if job is None or not job.is_open:
            is_cancelled = job is not None and job.state == JobState.CANCELLED
            state, why = (AnswerState.CANCELLED, "It was cancelled.") if is_cancelled else (AnswerState.FAILED, FAULT)
            answer_end(answer=answer, state=state, why=why)
    return answer


def answer_give_up(*, job: Job) -> None:
    """The job has no attempts left: nobody works on the answer any more."""
    if job.task == TASK:
        with organization_scope(job.organization_id, user=None):
            answer = Answer.objects.filter(organization_id=job.organization_id, pk=job.subject_id).first()
            if answer is not None:
                answer_end(answer=answer, state=AnswerState.FAILED, why=FAULT)


@job_task
def answer_work(*, lease: Lease) -> bool:
    """Work on an answer; a second worker leaves at once."""
    with organization_scope(lease.organization_id, user=None):
        answers = Answer.objects.select_related("organization", "question__asker", "question__corpus")
        working = answers.filter(organization_id=lease.organization_id, state=AnswerState.WORKING)
        answer = working.filter(pk=lease.subject_id).first()
    if answer is None:
        return True
    try:
        _answer(lease, answer)
    except (JobLost, DatabaseError):
        raise
    except JobCancelled:
        _close(answer, AnswerState.CANCELLED, "It was cancelled.")
        raise
    except NotFound:  # the corpus was walled or removed meanwhile: nothing of it may stay in the answer
        _close(answer, AnswerState.FAILED, CLOSED)
    except ApplicationError as error:
        _close(answer, AnswerState.FAILED, error.message)
    except Exception as error:
        logger.exception("answering failed: %s", type(error).__name__)
        _close(answer, AnswerState.FAILED, FAULT)
    return True


def _close(answer: Answer, state: AnswerState, why: str) -> None:
    with organization_scope(answer.organization, user=None):
        answer_end(answer=answer, state=state, why=why)


def _answer(lease: Lease, answer: Answer) -> None:
    """Let the strategy search and write, check with no transaction open, then store.

    What the person may not read by then is in no claim.
    """
    question = answer.as_question()
    strategy = strategy_for(answer.strategy or question.policy.mode, organization=question.organization)
    work = UnderWay(lease, answer, strategy.plan)
    proposal = strategy.answer(question, work)
    with work.as_asker():
        readable = paragraphs_readable(evidence=proposal.evidence)
    while True:
        connection_give_back()
        ending = proposal.check(readable)
        with work.as_asker():
            still = readable & paragraphs_readable(evidence=proposal.evidence)
            if still == readable:
                work.store(ending)
                return
        readable = still  # something was taken away meanwhile: check again without it


class UnderWay(Work):
    """Saves each step as it begins, with the evidence so far; looks for a cancel and adds up what the model costs."""

    def __init__(self, lease: Lease, answer: Answer, plan: Sequence[Names]) -> None:
        super().__init__(plan)
        self._lease, self._answer = lease, answer
        self._cost_in = self._price_out = Decimal(0)
        self._last_look = self._last_note = monotonic()
        self._is_cancelled = False
        self._n_chars = 0

    def begin(
        self, name: str, label: str = "", sentence: str = "", *, evidence: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        super().begin(name, label, sentence)
        with self.as_asker() if evidence else self._as_system():
            self._lease.advance(stage=name)
            steps_store(answer=self._answer, steps=self.steps)
            if evidence:
                self._working().update(evidence=list(evidence))
                self._price(evidence)

    def is_cancelled(self) -> bool:
        if not self._is_cancelled and monotonic() - self._last_look >= LOOK_S:
            self._last_look = monotonic()
            self._is_cancelled = not self._lease.renew()
            connection_give_back()  # the model writes on for minutes
        return self._is_cancelled

    def stop_if_cancelled(self) -> None:
        if self.is_cancelled():
            raise JobCancelled

    def heard(self, piece: str) -> None:
        self._n_chars += len(piece)
        if monotonic() - self._last_note < TELL_S:
            return
        self._last_note = monotonic()
        cost = self._cost_in + self._price_out * self._n_chars / TOKEN_CHARS
        with self._as_system():
            self._working().update(generation=Generation(written=self._n_chars, cost=str(cost), is_estimated=True))
        connection_give_back()

    def store(self, ending: Ending) -> None:
        """Keep the ending and all steps, in a transaction of the person; JobCancelled where the answer has ended."""
        self._lease.advance(stage="stored")
        answer = self._working().select_for_update(of=("self",)).select_related("question", "question__corpus").first()
        if answer is None:
            raise JobCancelled
        self.note(*ending.parts)
        self.end()
        answer_store(answer=answer, ending=ending, steps=self.steps, seconds=seconds_since(answer=self._answer))
        crash_point("answer.stored")

    @contextmanager
    def as_asker(self) -> Iterator[None]:
        """A transaction as the person who asked; NotFound where the corpus was closed to them."""
        question = self._answer.question
        with organization_scope(self._answer.organization, user=question.asker):
            corpus_get(organization=self._answer.organization, corpus_id=question.corpus_id)
            yield

    def _as_system(self) -> AbstractContextManager[object]:
        return organization_scope(self._answer.organization, user=None)

    def _working(self) -> QuerySet[Answer]:
        return Answer.objects.filter(
            organization=self._answer.organization, pk=self._answer.pk, state=AnswerState.WORKING
        )

    def _price(self, evidence: Sequence[Mapping[str, Any]]) -> None:
        candidates = candidate_list(organization=self._answer.organization, role=Role.ANSWER)
        if candidates:
            n_chars = sum(len(str(row["text"])) for row in evidence if row["read"])
            self._price_out = candidates[0].price_out / MILLION
            self._cost_in = candidates[0].price_in / MILLION * n_chars / TOKEN_CHARS
