"""The queue of feedback: grades of answers that a person should look at, and what became of each."""

from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from corpora.models import Corpus
from judging.models import FeedbackReview, Outcome
from legalqa.accounts.models import Organization, User
from legalqa.answering.models import AnswerGrade, Grade, Purpose

WAITING, ALL = "waiting", "all"
STATES = (WAITING, *Outcome.values, ALL)
# A grade that finds nothing wrong and has no comment needs nobody's attention.
_SAYS_SOMETHING = ~Q(grade__in=(Grade.RIGHT, Grade.RIGHTLY_SILENT)) | ~Q(note="", correction="")


def feedback_list(
    *, organization: Organization, corpus_id: UUID | None = None, state: str = ALL
) -> QuerySet[AnswerGrade]:
    """Grades of the corpora that the active person may see, each with its `outcome` and `said`; the oldest first.

    A grade is in the queue where it finds fault or has a note or a correction. One that was changed after its
    review waits again.

    Args:
        corpus_id: Of this corpus only.
        state: One of STATES.
    """
    grades = _with_outcome(organization).filter(_SAYS_SOMETHING | ~Q(outcome=None))
    if corpus_id is not None:
        grades = grades.filter(corpus=corpus_id)
    if state != ALL:
        grades = grades.filter(outcome=None if state == WAITING else state)
    rows: QuerySet[AnswerGrade] = grades.order_by("changed_at", "pk")
    return rows


def feedback_counts(*, organization: Organization, corpus_id: UUID) -> dict[str, int]:
    """How many grades of a corpus are in each of STATES."""
    grades: Any = feedback_list(organization=organization, corpus_id=corpus_id).order_by()
    counts = {outcome or WAITING: n for outcome, n in grades.values_list("outcome").annotate(n=Count("pk"))}
    return {state: counts.get(state, 0) for state in STATES} | {ALL: sum(counts.values())}


def grades_given(*, organization: Organization, user: User) -> QuerySet[AnswerGrade]:
    """The grades that a person gave, each with its `outcome` and `said`; the newest first."""
    grades = _with_outcome(organization).filter(grader=user)
    rows: QuerySet[AnswerGrade] = grades.select_related("corpus").order_by("-changed_at", "pk")
    return rows


def _with_outcome(organization: Organization) -> Any:  # a query of grades, each with its `outcome` and `said`
    reviews = FeedbackReview.objects.filter(
        organization=organization, grade=OuterRef("pk"), graded_at=OuterRef("changed_at")
    )
    corpora = Corpus.objects.filter(organization=organization, removal_begun_at=None)
    grades = AnswerGrade.objects.filter(organization=organization, corpus__in=corpora, answer__purpose=Purpose.ASKED)
    return (
        grades.select_related("answer__question")
        .defer("answer__evidence", "answer__pipeline", "answer__generation")
        .annotate(outcome=Subquery(reviews.values("outcome")[:1]), said=Subquery(reviews.values("note")[:1]))
    )
