"""The reviews of grades that people give on the page of an answer."""

import uuid

from django.db import models

from corpora.models import CorpusRow
from judging.models.gold import GoldQuestion
from legalqa.accounts.scoping import SameOrganizationKey
from legalqa.answering.models import AnswerGrade


class Outcome(models.TextChoices):
    GOLD_QUESTION = "gold_question", "Gold question made"
    REFERENCE = "reference", "Reference answer corrected"
    MISSING = "missing", "Search words or a document are missing"
    NO_CHANGE = "no_change", "No change"


class FeedbackReview(CorpusRow):
    """The review of a grade; without one that is up to date, the grade waits in the queue.

    Attributes:
        graded_at: When the grade was last changed before the review: a grade changed since waits again.
        note: For the person who graded: what was done, or why nothing was.
        gold_question: The question that was made or corrected; null where there is none, or it was removed since.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    grade = SameOrganizationKey(AnswerGrade)
    graded_at = models.DateTimeField()
    outcome = models.CharField(max_length=16, choices=Outcome)
    note = models.TextField(default="")
    gold_question = models.ForeignKey(
        GoldQuestion, on_delete=models.SET_NULL, null=True, related_name="+", db_constraint=False
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "grade"], name="feedback_review_once"),
            models.CheckConstraint(condition=models.Q(outcome__in=Outcome.values), name="feedback_outcome_known"),
        ]

    def __str__(self) -> str:
        return self.get_outcome_display()
