"""From a question to the stored answer: search, gate, quote or write, check, keep the whole trail.

Where no model writes, the answer is made at once and stored in one go. Where one does, question and answer are rows
before the work begins, and the work is a job: whoever asked does it in their own process, at once, and the queue takes
up what a killed process left (`legalqa.answering.services.working`).
"""

import logging
from collections.abc import Sequence
from time import perf_counter
from typing import Any
from uuid import UUID

from corpora.selectors import corpus_get
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit, reply_note
from legalqa.answering.models import Answer, AnswerState, Question
from legalqa.answering.selectors import FORMER_MAX, answer_get, former_questions
from legalqa.answering.services.finding import Asked, evidence_find
from legalqa.answering.services.storing import Ending, answer_create, answer_store
from legalqa.answering.services.working import TASK, answer_finish, work_begin
from legalqa.answering.services.writing import ending_unwritten, is_written
from legalqa.common.errors import ApplicationError
from legalqa.jobs.models import Lane
from legalqa.jobs.services import job_create
from retrieval.presets import Preset, preset_get
from retrieval.selectors import corpus_size
from retrieval.services import query_check
from retrieval.types import Filters

logger = logging.getLogger(__name__)
MAX_TEMPERATURE = 2.0
FAULT = "A fault in the system stopped the answer; the documents were not fully searched."


def question_ask(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    text: str,
    preset: Preset,
    filters: Filters | None = None,
    follows: UUID | None = None,
    temperature: float | None = None,
    complexity: int | None = None,
    history: Sequence[str] = (),
) -> Answer:
    """Answer a question from one corpus, cited, or say that the documents do not answer it; returns when it is done.

    In the documents' own words, or in a model's where the preset leaves or asks for that and the organisation has one.
    Opens its own short transactions; no transaction is open while the encoder or the model works. A fault inside is
    stored as a failed answer and never looks like "no law found".

    Args:
        organization: Whose documents they are.
        user: Who asks; None for the system.
        corpus_id: The corpus.
        text: The question.
        preset: How to search and answer.
        filters: In which documents.
        follows: A former question of the same person that this one follows up.
        temperature: Of the model that writes, 0 to MAX_TEMPERATURE.
        complexity: The question's class, where the person sets it.
        history: The words of questions before this one, oldest first, where they are not rows of ours.

    Raises:
        NotFound: no such corpus, or you stand outside its wall; no such former question of yours.
        ApplicationError: the question is empty or too long, or the corpus holds nothing searchable yet.
    """
    asked = _asked(organization, user, corpus_id, text, preset, filters, follows, temperature, complexity, history)
    if not is_written(organization=organization, asked=asked):
        return _answer_now(organization, user, asked)
    _, job_id = _start(organization, user, asked)
    return answer_finish(organization=organization, job_id=job_id)


def question_start(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    text: str,
    preset: Preset,
    filters: Filters | None = None,
    follows: UUID | None = None,
    temperature: float | None = None,
    complexity: int | None = None,
    history: Sequence[str] = (),
    is_awaited: bool = False,
) -> Answer:
    """As `question_ask`, but returns at once with the answer under way, where a model writes it.

    Args:
        is_awaited: The caller wants an answer under way even where no model writes.
    """
    asked = _asked(organization, user, corpus_id, text, preset, filters, follows, temperature, complexity, history)
    if not is_awaited and not is_written(organization=organization, asked=asked):
        return _answer_now(organization, user, asked)
    answer, job_id = _start(organization, user, asked)
    work_begin(job_id=job_id)
    return answer


def settings_like(*, organization: Organization, user: User, answer_id: UUID, corpus_id: UUID) -> dict[str, Any]:
    """The settings that one of the person's answers was asked with, as `question_ask` takes them.

    Method with every change, class and temperature; the choice of documents too, where the corpus is the same. Opens
    its own short transaction.

    Raises:
        NotFound: no such answer of theirs.
    """
    with organization_scope(organization, user=user):
        answer = answer_get(organization=organization, user=user, answer_id=answer_id)
        question = answer.question
        if not answer.asked:  # an answer from before settings were kept with it
            return {"preset": preset_get(answer.preset)}
        kept = Asked.of_json(answer.asked, corpus_id=question.corpus_id, text=question.text, follows=None)
    filters = kept.filters if question.corpus_id == corpus_id else Filters()
    return {
        "preset": kept.preset,
        "filters": filters,
        "temperature": kept.temperature,
        "complexity": kept.complexity,
    }


def _asked(
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    text: str,
    preset: Preset,
    filters: Filters | None,
    follows: UUID | None,
    temperature: float | None,
    complexity: int | None,
    history: Sequence[str],
) -> Asked:
    query_check(text)
    if temperature is not None and not 0 <= temperature <= MAX_TEMPERATURE:
        raise ApplicationError(
            f"The temperature is {temperature}; give a number from 0 to {MAX_TEMPERATURE:g}.", code="temperature"
        )
    former = tuple(query_check(question) for question in reversed(history[-FORMER_MAX:]))
    if follows is not None:
        with organization_scope(organization, user=user):
            former = former_questions(organization=organization, user=user, question_id=follows)
    return Asked(corpus_id, text, preset, filters or Filters(), follows, former, temperature, complexity)


def _answer_now(organization: Organization, user: User | None, asked: Asked) -> Answer:
    started = perf_counter()
    try:
        found = evidence_find(organization=organization, user=user, asked=asked)
    except ApplicationError:
        raise
    except Exception as error:
        logger.exception("answering failed: %s", type(error).__name__)
        with organization_scope(organization, user=user):
            question = _question(organization, user, asked)
            seconds = perf_counter() - started
            answer = answer_create(question, asked, state=AnswerState.FAILED, why=FAULT, seconds=seconds)
            audit(organization=organization, actor=user, action="question.asked", subject_id=question.pk)
            return answer
    ending: Ending = ending_unwritten(asked, found)
    with organization_scope(organization, user=user):
        question = _question(organization, user, asked)
        answer = Answer(organization_id=question.organization_id, question=question, asked=asked.as_json())
        answer_store(answer, found, ending, seconds=perf_counter() - started)
        reply_note(subject_id=answer.pk)
        audit(organization=organization, actor=user, action="question.asked", subject_id=question.pk)
        return answer


def _start(organization: Organization, user: User | None, asked: Asked) -> tuple[Answer, UUID]:
    """Write question, answer and job in one transaction: from here on the question cannot be lost."""
    with organization_scope(organization, user=user):
        corpus = corpus_get(organization=organization, corpus_id=asked.corpus_id)
        if not corpus_size(corpus=corpus):
            raise ApplicationError(
                "The corpus holds nothing searchable yet. Upload a document, or wait until one is ready.",
                code="corpus_empty",
            )
        question = _question(organization, user, asked)
        answer = answer_create(question, asked, state=AnswerState.WORKING, why="")
        job = job_create(
            organization=organization, task=TASK, subject_id=answer.pk, user=user, lane=Lane.ALWAYS, is_rung=False
        )
        audit(organization=organization, actor=user, action="question.asked", subject_id=question.pk)
    return answer, job.pk


def _question(organization: Organization, user: User | None, asked: Asked) -> Question:
    return Question.objects.create(
        organization=organization,
        corpus_id=asked.corpus_id,
        asker=user,
        text=asked.text.strip(),
        follows_id=asked.follows,
    )
