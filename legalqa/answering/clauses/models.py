"""Clauses that an organisation added, which contracts were read for which clauses, and what each says on each."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from corpora.models import CorpusRow, Document, DocumentVersion, Paragraph
from legalqa.accounts.scoping import UuidModel


class ClauseQuestion(UuidModel):
    """A clause of the organisation's own. Its question is never changed, so a verdict says what was asked."""

    name = models.CharField(max_length=80)
    question = models.CharField(max_length=300)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    removed_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


class ClauseReview(CorpusRow):
    """A request to read contracts of a corpus for clauses; a job of the same id works on it.

    Attributes:
        documents: Ids of the contracts, in the order in which they are read.
        clauses: Keys of the clauses.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    documents = ArrayField(models.UUIDField())
    clauses = ArrayField(models.CharField(max_length=60))

    def __str__(self) -> str:
        return f"{len(self.clauses)} clauses of {len(self.documents)} documents"


class ClauseState(models.TextChoices):
    """Whether a contract has a clause."""

    PRESENT = "present", "Present"
    ABSENT = "absent", "Absent"
    UNSURE = "unsure", "Not sure"


class ClauseVerdict(CorpusRow):
    """What one version of a contract says on one clause, behind the wall of its corpus.

    Attributes:
        clause: Key of the clause.
        state: As it was read.
        probability: That the best passage holds the clause.
        paragraph: Where the quote is; None where the clause is absent.
        start, end: Of the quote, in the paragraph's text.
        reviewed_state: What a person said, confirming or correcting; "" where nobody has.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    document = models.ForeignKey(
        Document, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    version = models.ForeignKey(
        DocumentVersion, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    clause = models.CharField(max_length=60)
    state = models.CharField(max_length=8, choices=ClauseState)
    probability = models.FloatField()
    paragraph = models.ForeignKey(
        Paragraph, on_delete=models.CASCADE, null=True, related_name="+", db_constraint=False, db_index=False
    )
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    reviewed_state = models.CharField(max_length=8, choices=ClauseState, blank=True, default="")
    reviewed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reviewed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "version", "clause"], name="clause_verdict_once"),
            models.CheckConstraint(condition=models.Q(state__in=ClauseState.values), name="clause_state_known"),
            models.CheckConstraint(
                condition=models.Q(reviewed_state__in=["", *ClauseState.values]), name="clause_reviewed_state_known"
            ),
        ]
        indexes = [models.Index(fields=["organization", "corpus", "document"], name="clause_verdict_by_document")]

    def __str__(self) -> str:
        return f"{self.clause}: {self.said}"

    @property
    def said(self) -> str:
        """The state that is shown: a person's where there is one."""
        return self.reviewed_state or self.state
