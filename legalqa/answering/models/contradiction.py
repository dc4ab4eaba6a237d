"""Paragraphs of a corpus that contradict each other."""

from django.conf import settings
from django.db import models

from corpora.models import Corpus, Paragraph
from legalqa.accounts.scoping import UuidModel
from legalqa.common.transitions import Transitions


class ReviewState(models.TextChoices):
    """What became of a contradiction; "resolved" is also set by the search where one of the two gives way."""

    OPEN = "open", "Open"
    CONFIRMED = "confirmed", "Confirmed"
    NOT_A_CONFLICT = "not_a_conflict", "Not a contradiction"
    RESOLVED = "resolved", "Resolved"


# A reviewer may choose any state, also the present one.
CONTRADICTION_TRANSITIONS: Transitions[ReviewState] = {state: frozenset(ReviewState) for state in ReviewState}


class Contradiction(UuidModel):
    """Two paragraphs of different documents of a corpus that differ, behind its wall; the pair outlives a new search.

    Attributes:
        paragraph_a, paragraph_b: In the order of their ids.
        spans: Of each side, where the sentence begins and ends in the paragraph, and the words that differ.
        resolution: Which of the two gives way and why, as a sentence; "" where the search does not know.
        seen_at: When a search last found it.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    paragraph_a = models.ForeignKey(
        Paragraph, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    paragraph_b = models.ForeignKey(
        Paragraph, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    kind = models.CharField(max_length=40)
    score = models.FloatField()
    spans = models.JSONField()
    resolution = models.TextField(default="")
    state = models.CharField(max_length=16, choices=ReviewState, default=ReviewState.OPEN)
    reviewed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    reviewed_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "corpus", "paragraph_a", "paragraph_b"], name="contradiction_once"
            ),
            models.CheckConstraint(condition=models.Q(state__in=ReviewState.values), name="contradiction_state_known"),
        ]

    def __str__(self) -> str:
        return self.kind
