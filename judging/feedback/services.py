"""Reviewing feedback: what a reviewer makes of a grade, kept so that who graded sees it."""

from uuid import UUID

from django.db.models import Max
from django.utils import timezone

from corpora.models import Paragraph
from judging.feedback.queue import feedback_list
from judging.gold.files import MAX_CHARS
from judging.gold.grades import graded_rows
from judging.models import FeedbackReview, GoldQuestion, GoldReference, GoldSet, Outcome
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.answering.models import AnswerGrade
from legalqa.common.errors import ApplicationError, NotFound
from retrieval.services.lab import query_hash

GOLD_SET = "Feedback"  # the gold set of a corpus that takes the questions that reviewers make
MAX_NOTE = 1000


def feedback_get(*, organization: Organization, grade_id: UUID) -> AnswerGrade:
    """A grade in the queue, reviewed or not.

    Raises:
        NotFound: there is none, or you have no access to its corpus.
    """
    grade = feedback_list(organization=organization).filter(pk=grade_id).select_related("corpus").first()
    if grade is None:
        raise NotFound("grade")
    return grade


def feedback_review(
    *, organization: Organization, user: User, grade_id: UUID, outcome: str, note: str = "", reference: str = ""
) -> FeedbackReview:
    """Close a grade with a result that who graded it sees; a later review replaces an earlier one.

    Args:
        outcome: One of `Outcome`. "Gold question made" adds the question to the gold set GOLD_SET of the corpus, with
            the passages that graders say answer it; "reference answer corrected" changes the gold questions of the
            corpus with the same words.
        note: For who graded; needed where nothing was made or corrected.
        reference: The right answer, for a gold question.

    Raises:
        NotFound: no such grade, or you have no access to its corpus.
        ApplicationError: an unknown outcome, a text that is too long, or what the outcome needs is missing.
    """
    grade = feedback_get(organization=organization, grade_id=grade_id)
    note, reference = note.strip(), reference.strip()
    _check(outcome, note, reference)
    question = None
    if outcome == Outcome.GOLD_QUESTION:
        question = _gold_question_make(grade, user, reference)
    elif outcome == Outcome.REFERENCE:
        question = _reference_correct(grade, reference)
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
            "Write a note: who graded the answer reads there what is missing, or why nothing changes.",
            code="note_needed",
        )


def _gold_question_make(grade: AnswerGrade, user: User, reference: str) -> GoldQuestion:
    """The question of a graded answer in the gold set GOLD_SET, with the passages that answer it as graders say."""
    question = grade.answer.question
    history = tuple(reversed(grade.answer.asked.get("former", ())))
    rows = graded_rows(organization=grade.organization, corpus=grade.corpus)
    same = (row for row in rows if (query_hash(row.question), row.history) == (query_hash(question.text), history))
    row = next(same, None)
    if row is None and not reference:
        raise ApplicationError(
            "The grades name no passage that answers this question. Write the right answer, or choose another result.",
            code="answer_needed",
        )
    gold_set, _ = GoldSet.objects.get_or_create(
        organization=grade.organization, corpus=grade.corpus, name=GOLD_SET, defaults={"created_by": user}
    )
    mine = GoldQuestion.objects.filter(organization=grade.organization, gold_set=gold_set)
    last = mine.aggregate(last=Max("ordinal"))["last"]
    made = GoldQuestion.objects.create(
        organization=grade.organization,
        gold_set=gold_set,
        ordinal=0 if last is None else last + 1,
        text=" ".join(question.text.split()),
        reference_answer=reference or (row.reference_answer if row else ""),
        is_answerable=bool(reference) or (row is not None and row.is_answerable),
        history=list(history),
    )
    ids = [span.paragraph_id for span in row.references] if row else []
    paragraphs = Paragraph.objects.filter(organization=grade.organization, public_id__in=ids)
    GoldReference.objects.bulk_create(
        GoldReference(organization=grade.organization, question=made, paragraph=paragraph)
        for paragraph in paragraphs.filter(document__corpus=grade.corpus)
    )
    return made


def _reference_correct(grade: AnswerGrade, reference: str) -> GoldQuestion:
    """The first of the gold questions of the corpus with these words; all of them have the right answer now."""
    if not reference:
        raise ApplicationError("Write the right answer, which replaces the reference answer.", code="answer_needed")
    questions = GoldQuestion.objects.filter(organization=grade.organization, gold_set__corpus=grade.corpus)
    wanted = query_hash(grade.answer.question.text)
    same = [question for question in questions.order_by("pk") if query_hash(question.text) == wanted]
    if not same:
        raise ApplicationError(
            "No gold question of this corpus has these words. Make a gold question of it instead.",
            code="no_gold_question",
        )
    questions.filter(pk__in=[question.pk for question in same]).update(reference_answer=reference, is_answerable=True)
    return same[0]
