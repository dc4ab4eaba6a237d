"""The rows of a question and its answer: claims with their citations, the evidence, and the steps that led to them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.utils import timezone

from corpora.models import Paragraph
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit, reply_note
from legalqa.answering.models import (
    ANSWER_TRANSITIONS,
    STEP_TRANSITIONS,
    Answer,
    AnswerState,
    AnswerStep,
    Citation,
    Claim,
    Purpose,
    StepState,
)
from legalqa.answering.models import Question as QuestionRow
from legalqa.answering.selectors import answer_get
from legalqa.answering.types import Ending, Evidence, Place, Question, Step
from legalqa.common.registry import setting_name
from legalqa.common.revision import code_revision, package_versions
from legalqa.common.transitions import moved, sources


def answer_create(*, question: Question, strategy: str) -> Answer:
    """The row of a question, and that of its answer, which is bound to the request's key and not saved yet."""
    preset = question.preset
    # Locked, so that its conversation is not deleted meanwhile. If it was, this question begins a new one.
    former = QuestionRow.objects.select_for_update().filter(organization=question.organization)
    row = QuestionRow(
        organization=question.organization,
        corpus_id=question.corpus_id,
        asker=question.user,
        text=question.text.strip(),
        follows=former.filter(pk=question.follows).first() if question.follows else None,
    )
    row.conversation = row.follows.conversation if row.follows else row.pk
    row.save(force_insert=True)
    answer = Answer(
        organization=question.organization,
        question=row,
        purpose=question.purpose,
        strategy=setting_name(strategy),
        state=AnswerState.WORKING,
        preset=preset.name,
        pipeline=preset.model_dump(mode="json", include={"pipeline", "answer"}),
        fingerprint=preset.fingerprint(),
        asked=question.settings(),
        made_from=_software(),
    )
    reply_note(subject_id=answer.pk)
    return answer


def answer_store(*, answer: Answer, ending: Ending, steps: Sequence[Step], seconds: float) -> Answer:
    """Save an answer, new or under way, with its claims and the steps that were begun, in the caller's transaction.

    Args:
        answer: The row, saved or not.
        ending: What its strategy ended with.
        steps: Those that were begun.
        seconds: From the question to the end.
    """
    evidence = ending.evidence
    answer.state = moved(ANSWER_TRANSITIONS, answer.state, AnswerState(ending.state))
    answer.mode, answer.why = ending.mode, ending.why
    answer.generation = dict(ending.generation)
    answer.confidence, answer.seconds = evidence.draft.probability, round(seconds, 3)
    answer.evidence, answer.composition = list(evidence.rows), dict(ending.composition)
    answer.preset, answer.fingerprint = evidence.preset.name, evidence.preset.fingerprint()
    answer.pipeline = evidence.preset.model_dump(mode="json", include={"pipeline", "answer"})
    answer.made_from = {**evidence.index, **_software()}
    if answer.purpose == Purpose.EXPERIMENT:  # nobody asked, so nobody is shown it
        answer.unchecked_text = ending.unchecked
    answer.save()
    steps_store(answer=answer, steps=[step for step in steps if step.state != StepState.WAITING])
    claims = Claim.objects.bulk_create(
        Claim(
            organization_id=answer.organization_id,
            answer=answer,
            ordinal=ordinal,
            text=statement.text,
            verdict=statement.check.verdict,
            is_shown=statement.is_shown and bool(statement.places),  # whatever a strategy says: cited or not said
            reason=" ".join(statement.check.reasons)[:200],
            part=statement.part,
            provision=statement.provision,
            answer_start=statement.mark[0],
            answer_end=statement.mark[1],
        )
        for ordinal, statement in enumerate(ending.statements)
    )
    Citation.objects.bulk_create(
        _citation(claim, rank, place)
        for claim, statement in zip(claims, ending.statements, strict=True)
        for rank, place in enumerate(statement.places)
    )
    return answer


def steps_store(*, answer: Answer, steps: Sequence[Step]) -> None:
    """Replace the rows of the steps of an answer, in the caller's transaction."""
    AnswerStep.objects.filter(organization_id=answer.organization_id, answer=answer).delete()
    answer.steps = AnswerStep.objects.bulk_create(
        AnswerStep(organization_id=answer.organization_id, answer=answer, ordinal=ordinal, **asdict(step))
        for ordinal, step in enumerate(steps)
    )


def answer_end(*, answer: Answer, state: AnswerState, why: str) -> bool:
    """Close an answer that is still under way, without claims; False where it has ended otherwise."""
    seconds = seconds_since(answer=answer)
    answers = Answer.objects.filter(organization_id=answer.organization_id, pk=answer.pk)
    under_way = answers.filter(state__in=sources(ANSWER_TRANSITIONS, state))
    is_ours = bool(under_way.update(state=state, why=why, seconds=seconds, evidence=[]))
    if is_ours:
        answer.state, answer.why, answer.seconds, answer.evidence = state, why, seconds, []
        steps = AnswerStep.objects.filter(organization_id=answer.organization_id, answer=answer)
        steps.filter(state=StepState.WAITING).delete()
        begun = steps.filter(state__in=sources(STEP_TRANSITIONS, StepState.STOPPED))
        begun.update(state=StepState.STOPPED, ended_at=timezone.now())
        answer.__dict__.pop("steps", None)  # as they were read before
    return is_ours


def answer_export(*, organization: Organization, user: User, answer_id: UUID) -> Answer:
    """The answer that a person takes out of the product, as a pack or a memo; the audit log says who did.

    Raises:
        NotFound: there is none that they may see.
    """
    answer = answer_get(organization=organization, user=user, answer_id=answer_id)
    audit(organization=organization, actor=user, action="answer.exported", subject_id=answer.pk)
    return answer


def paragraphs_readable(*, evidence: Evidence) -> frozenset[int]:
    """The paragraphs of the evidence whose document is still there for the active person."""
    ids = [passage.position.paragraph_id for passage in evidence.passages]
    return frozenset(Paragraph.objects.filter(pk__in=ids, document__removed_at=None).values_list("pk", flat=True))


def seconds_since(*, answer: Answer) -> float:
    """Since the answer was asked for."""
    return round((timezone.now() - answer.created_at).total_seconds(), 3)


def _software() -> dict[str, Any]:
    """The part of `made_from` that is the same for every answer of this process."""
    return {"code": code_revision(), "packages": package_versions()}


def _citation(claim: Claim, rank: int, place: Place) -> Citation:
    position = place.passage.position
    return Citation(
        organization_id=claim.organization_id,
        claim=claim,
        paragraph_id=position.paragraph_id,
        version_id=position.version_id,
        rank=rank,
        page=position.page,
        page_label=position.page_label,
        start=place.start,
        end=place.end,
        quote=position.paragraph.text[place.start : place.end],
    )
