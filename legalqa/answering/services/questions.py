"""From a question to the stored answer: search, gate, quote or write, check, and keep every step.

A strategy that is quick is worked at once, and all is stored in one go. For a slow one, question and answer are rows
before the work begins, and the work is a job (`legalqa.answering.services.work`).
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from uuid import UUID

from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit
from legalqa.answering.models import ANSWER_TRANSITIONS, Answer, AnswerState, StepState
from legalqa.answering.selectors import FORMER_MAX, answer_get_own, answer_of_question, questions_former
from legalqa.answering.services.answers import answer_create, answer_store, paragraphs_readable, steps_store
from legalqa.answering.services.work import TASK, answer_finish, work_begin
from legalqa.answering.strategies.base import Strategy, Work
from legalqa.answering.strategies.registry import strategy_for
from legalqa.answering.strategies.search import CORPUS_EMPTY
from legalqa.answering.types import Ending, Question
from legalqa.common.errors import ApplicationError, Conflict, ResourceDown
from legalqa.common.transitions import moved
from legalqa.jobs.models import Lane
from legalqa.jobs.services import job_create
from retrieval.pipelines.presets import preset_get
from retrieval.selectors import has_passages
from retrieval.services.search import query_check
from retrieval.types import Filters

logger = logging.getLogger(__name__)
MAX_TEMPERATURE = 2.0
FAULT = "A fault in the system stopped the answer; the documents were not fully searched."


def question_ask(*, question: Question, beside: Callable[[Answer], None] | None = None) -> Answer:
    """Answer a question from one corpus, cited, or say that the documents do not answer it; returns when it is done.

    By the strategy that its settings name. Opens its own short transactions; no transaction is open while the encoder
    or a model works. A fault inside is stored as a failed answer and never looks like "no law found".

    Args:
        question: What is asked.
        beside: Of an experiment: called in the transaction that stores the answer.

    Raises:
        NotFound: no such corpus, or you have no access to it; no such earlier question of yours.
        ApplicationError: the question is empty or too long, its temperature is out of range, or the corpus holds
            nothing searchable yet.
    """
    question, strategy = _opened(question)
    if not strategy.is_slow or question.is_experiment:  # an experiment is a job already, and outlives its process
        return _answer_now(question, strategy, beside)
    answer, job_id = _queue(question, strategy)
    return answer_finish(answer=answer, job_id=job_id, seconds=strategy.seconds(organization=question.organization))


def question_start(*, question: Question, is_awaited: bool = False) -> Answer:
    """As `question_ask`, but returns at once with the answer under way, where its strategy is slow.

    Args:
        question: What is asked.
        is_awaited: The caller wants an answer under way whatever the strategy.
    """
    question, strategy = _opened(question)
    if not (is_awaited or strategy.is_slow):
        return _answer_now(question, strategy)
    answer, job_id = _queue(question, strategy)
    work_begin(organization=question.organization, job_id=job_id)
    return answer


def question_like(*, question: Question, answer_id: UUID) -> Question:
    """The question with the settings of one of the person's answers.

    Method with every change, class and temperature; the choice of documents too, where the corpus is the same. Opens
    its own short transaction.

    Raises:
        NotFound: no such answer of theirs.
    """
    with question.scope():
        answer = answer_get_own(organization=question.organization, user=question.user, answer_id=answer_id)
        return _with_settings_of(answer, question)


def question_following(*, question: Question) -> Question:
    """A follow-up with the settings of the question that it follows, as `question_like` keeps them.

    Opens its own short transaction.

    Raises:
        NotFound: no such earlier question of theirs.
    """
    assert question.follows is not None
    with question.scope():
        answer = answer_of_question(
            organization=question.organization, user=question.user, question_id=question.follows
        )
        return _with_settings_of(answer, question)


def _with_settings_of(answer: Answer, question: Question) -> Question:
    if not answer.asked:  # an answer from before settings were kept with it
        return replace(question, preset=preset_get(answer.preset))
    former = answer.as_question()
    return replace(
        question,
        preset=former.preset,
        filters=former.filters if former.corpus_id == question.corpus_id else Filters(),
        temperature=former.temperature,
        complexity=former.complexity,
    )


def question_again(*, organization: Organization, user: User, answer_id: UUID) -> Answer:
    """Ask the question of an answer again with the same settings, because its source has changed; both stay, linked.

    Opens its own short transactions.

    Raises:
        NotFound: no such answer of theirs.
        ApplicationError: as `question_ask`.
    """
    with organization_scope(organization, user=user):
        old = answer_get_own(organization=organization, user=user, answer_id=answer_id)
        if old.state == AnswerState.WORKING:
            raise Conflict("The answer is still being written. Wait until it has ended.", code="answer_working")
        row = old.question
        question = (
            old.as_question()
            if old.asked
            else Question(organization, user, row.corpus_id, row.text, preset_get(old.preset), follows=row.follows_id)
        )
    return question_start(question=replace(question, user=user, again_of=old.pk))


def _opened(question: Question) -> tuple[Question, Strategy]:
    """The question, checked, with the words of those that it follows up; and the strategy that answers it."""
    query_check(text=question.text)
    heat = question.temperature
    if heat is not None and not 0 <= heat <= MAX_TEMPERATURE:
        raise ApplicationError(
            f"The temperature is {heat}; give a number from 0 to {MAX_TEMPERATURE:g}.", code="temperature"
        )
    organization, user = question.organization, question.user
    former = tuple(query_check(text=text) for text in question.former[:FORMER_MAX])
    if question.follows is not None:
        with question.scope():
            former = questions_former(
                organization=organization, user=user, corpus_id=question.corpus_id, question_id=question.follows
            )
    strategy = strategy_for(question.policy.mode, organization=organization, is_experiment=question.is_experiment)
    return replace(question, former=former), strategy


def _answer_now(question: Question, strategy: Strategy, beside: Callable[[Answer], None] | None = None) -> Answer:
    started, work = perf_counter(), Work(strategy.plan)
    ending: Ending | None = None
    try:
        proposal = strategy.answer(question, work)
        with question.scope():
            readable = paragraphs_readable(evidence=proposal.evidence)
        ending = proposal.check(readable)
        work.note(*ending.parts)
        work.end()
    except ApplicationError:
        raise
    except Exception as error:
        if question.is_experiment and isinstance(error, ResourceDown):
            raise  # its job waits until that is back
        logger.exception("answering failed: %s", type(error).__name__)
        work.end(StepState.STOPPED)
    seconds = perf_counter() - started
    with question.scope():
        answer = answer_create(question=question, strategy=strategy.name)
        if ending is None:
            answer.state = moved(ANSWER_TRANSITIONS, answer.state, AnswerState.FAILED)
            answer.why, answer.seconds = FAULT, round(seconds, 3)
            answer.save()
            steps_store(answer=answer, steps=work.steps)
        else:
            answer_store(answer=answer, ending=ending, steps=work.steps, seconds=seconds)
        if not question.is_experiment:  # that one was noted as a whole when it began
            audit(
                organization=question.organization,
                actor=question.user,
                action="question.asked",
                subject_id=answer.question_id,
            )
        if beside is not None:
            beside(answer)
    return answer


def _queue(question: Question, strategy: Strategy) -> tuple[Answer, UUID]:
    """Write question, answer and job in one transaction: from here on the question cannot be lost."""
    organization, user = question.organization, question.user
    with question.scope():
        corpus = corpus_get(organization=organization, corpus_id=question.corpus_id)
        if not has_passages(corpus=corpus):
            raise ApplicationError(CORPUS_EMPTY, code="corpus_empty")
        answer = answer_create(question=question, strategy=strategy.name)
        answer.save()
        job = job_create(
            organization=organization, task=TASK, subject_id=answer.pk, user=user, lane=Lane.ALWAYS, is_enqueued=False
        )
        audit(organization=organization, actor=user, action="question.asked", subject_id=answer.question_id)
    return answer, job.pk
