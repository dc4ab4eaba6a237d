"""Reviewing feedback: the result of a review is kept, so that the person who graded sees it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.utils import timezone

from judging.gold.feedback.selectors import feedback_list
from judging.gold.files import MAX_CHARS, GoldRow
from judging.gold.grades import graded_rows
from judging.gold.services.reviewing import gold_question_edit, gold_question_review
from judging.gold.services.sets import gold_questions, gold_questions_add, gold_set_create, referenced_paragraphs
from judging.models import FeedbackReview, GoldQuestion, GoldSet, Outcome
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.answering.models import AnswerGrade
from legalqa.common.errors import ApplicationError, existing
from retrieval.services.lab import query_hash

GOLD_SET = "Feedback"  # the gold set of a corpus that takes the questions that reviewers make
MAX_NOTE = 1000


def feedback_get(*, organization: Organization, grade_id: UUID) -> AnswerGrade:
    """A grade in the queue, reviewed or not.

    Raises:
        NotFound: there is none, or you have no access to its corpus.
    """
    return existing(
        feedback_list(organization=organization).filter(pk=grade_id).select_related("corpus").first(), "grade"
    )


def feedback_review(
    *, organization: Organization, user: User, grade_id: UUID, outcome: str, note: str = "", reference: str = ""
) -> FeedbackReview:
    """Close a grade with a result that who graded it sees; a later review replaces an earlier one.

    Args:
        outcome: One of `Outcome`. "Gold question made" adds the question to the gold set GOLD_SET of the corpus, with
            the passages that graders say answer it, or corrects the answer there; "reference answer corrected" changes
            the gold questions of the corpus with the same words after the same questions.
        note: For who graded; needed where nothing was made or corrected.
        reference: The right answer, for a gold question; the corrected answer of the grade where it is left out.

    Raises:
        NotFound: no such grade, or you have no access to its corpus.
        ApplicationError: an unknown outcome, a text that is too long, or what the outcome needs is missing.
    """
    grade = feedback_get(organization=organization, grade_id=grade_id)
    note, reference = note.strip(), reference.strip()
    _check(outcome, note, reference)
    makers = {Outcome.GOLD_QUESTION: _gold_question_make, Outcome.REFERENCE: _reference_correct}
    make = makers.get(Outcome(outcome))
    question = make(grade, user, reference or grade.correction) if make else None
    review, _ = FeedbackReview.objects.update_or_create(
        organization=organization,
        grade=grade,
        defaults={
            "corpus_id": grade.corpus_id,
            "created_by": user,
            "created_at": timezone.now(),
            "graded_at": grade.changed_at,
            "outcome": outcome,
            "note": note,
            "gold_question": question,
        },
    )
    audit(
        organization=organization,
        actor=user,
        action="feedback.reviewed",
        subject_id=grade.corpus_id,
        outcome=review.get_outcome_display().lower(),
    )
    return review


def _check(outcome: str, note: str, reference: str) -> None:
    if outcome not in Outcome.values:
        raise ApplicationError(
            f"There is no result {outcome[:20]!r}; choose one of: {', '.join(Outcome.values)}.", code="unknown_outcome"
        )
    for name, text, limit in (("note", note, MAX_NOTE), ("answer", reference, MAX_CHARS)):
        if len(text) > limit:
            raise ApplicationError(
                f"The {name} has {len(text):,} characters; at most {limit:,} are kept.", code="too_long"
            )
    if outcome in (Outcome.MISSING, Outcome.NO_CHANGE) and not note:
        raise ApplicationError(
            "Write a note: it tells the person who graded what is missing, or why nothing changes.", code="note_needed"
        )


def _gold_question_make(grade: AnswerGrade, user: User, reference: str) -> GoldQuestion:
    """The question of a graded answer in the gold set GOLD_SET, with the passages that answer it as graders say."""
    organization = grade.organization
    rows = graded_rows(organization=organization, corpus=grade.corpus)
    same = (row for row in rows if (query_hash(query=row.question), row.history) == _asked(grade))
    row = next(same, None)
    if row is None and not reference:
        raise ApplicationError(
            "The grades name no passage that answers this question. Write the right answer, or choose another result.",
            code="answer_needed",
        )
    text, (_, history) = " ".join(grade.answer.question.text.split()), _asked(grade)
    gold_row = row or GoldRow(1, "", text, reference, (), "", is_answerable=True, history=history)
    if reference:
        gold_row = replace(gold_row, reference_answer=reference, is_answerable=True)
    paragraphs = referenced_paragraphs(organization=organization, corpus=grade.corpus, rows=[gold_row])
    gold_set = GoldSet.objects.filter(organization=organization, corpus=grade.corpus, name=GOLD_SET).first()
    gold_set = gold_set or gold_set_create(organization=organization, user=user, corpus=grade.corpus, name=GOLD_SET)
    for question in _same(gold_questions(gold_set=gold_set), grade):  # made of an earlier grade or review
        return _answer_set(question, user, reference) if reference else question
    (added,) = gold_questions_add(gold_set=gold_set, rows=[gold_row], paragraphs=paragraphs)
    return added


def _reference_correct(grade: AnswerGrade, user: User, reference: str) -> GoldQuestion:
    """The first of the gold questions of the corpus that ask the same; all of them have the right answer now."""
    if not reference:
        raise ApplicationError("Write the right answer, which replaces the reference answer.", code="answer_needed")
    questions = GoldQuestion.objects.filter(organization=grade.organization, gold_set__corpus=grade.corpus)
    same = _same(questions.order_by("pk"), grade)
    if not same:
        raise ApplicationError(
            "No gold question of this corpus has these words. Make a gold question of it instead.",
            code="no_gold_question",
        )
    corrected = [_answer_set(question, user, reference) for question in same]
    return corrected[0]


def _asked(grade: AnswerGrade) -> tuple[str, tuple[str, ...]]:
    """The key of a question: its words, and the questions before it, oldest first."""
    return query_hash(query=grade.answer.question.text), tuple(reversed(grade.answer.asked.get("former", ())))


def _same(questions: Iterable[GoldQuestion], grade: AnswerGrade) -> list[GoldQuestion]:
    """Those of the questions that the grade is about."""
    return [
        question
        for question in questions
        if (query_hash(query=question.text), tuple(question.history)) == _asked(grade)
    ]


def _answer_set(question: GoldQuestion, user: User, reference: str) -> GoldQuestion:
    """Correct the answer of a gold question; its review stays as it is, for who corrects it has read it."""
    of: dict[str, Any] = {"organization": question.organization, "user": user, "question_id": question.pk}
    edited = gold_question_edit(**of, changes={"reference_answer": reference, "answerable": True})
    if edited.review != question.review:
        gold_question_review(**of, state=question.review)
    return edited
