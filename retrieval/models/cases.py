"""The case base of a corpus: solved questions, the passages that they cite, and their vectors."""

import uuid

from django.conf import settings
from django.db import models
from pgvector.django import VectorField

from corpora.models import CorpusRow, Paragraph
from legalqa.accounts.scoping import OrganizationModel
from legalqa.common.transitions import Transitions


class CaseState(models.TextChoices):
    WAITING = "waiting", "Waits for review"
    APPROVED = "approved", "In use"
    REJECTED = "rejected", "Rejected"


_REVIEWED = frozenset({CaseState.APPROVED, CaseState.REJECTED})
CASE_TRANSITIONS: Transitions[CaseState] = {
    CaseState.WAITING: _REVIEWED,
    CaseState.APPROVED: _REVIEWED,  # also approved again: the law has changed, and the case still holds
    CaseState.REJECTED: _REVIEWED,  # also rejected again, with another note
}


class CaseOrigin(models.TextChoices):
    IMPORT = "import", "Imported"
    GOLD = "gold", "Gold set"
    ANSWER = "answer", "Approved answer"


class EntitiesBy(models.TextChoices):
    RULES = "rules", "Found by rules"
    FILE = "file", "Given in the file"
    MODEL = "model", "Read by a model"


class CasePart(models.TextChoices):
    """What of a case a vector is of: f(Q), g(Q), g(S) and g(E) of CBR-RAG, section 4.1."""

    QUESTION = "question", "Question, f(Q)"
    QUESTION_INTER = "question_inter", "Question, g(Q)"
    SUPPORT = "support", "Support, g(S)"
    ENTITIES = "entities", "Entities, g(E)"


class CaseEntry(CorpusRow):
    """A solved question <Q, S, E, A>; it helps to answer others and is never cited.

    Attributes:
        name: What the case is called, such as a court's case name; "" for none.
        entities: Phrases of the support by kind (`retrieval.cases.entities.KINDS`).
        origin_id: The gold question or the answer that it came of; None for an import.
        digest: SHA-256 of question, support and answer, so that nothing is kept twice.
        note: What its reviewer says of it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=300, default="")
    question = models.TextField()
    support = models.TextField()
    entities = models.JSONField(default=dict)
    entities_by = models.CharField(max_length=8, choices=EntitiesBy, default=EntitiesBy.RULES)
    answer = models.TextField()
    origin = models.CharField(max_length=8, choices=CaseOrigin)
    origin_id = models.UUIDField(null=True)
    external_id = models.CharField(max_length=200, default="")
    state = models.CharField(max_length=8, choices=CaseState, default=CaseState.WAITING)
    digest = models.CharField(max_length=64)
    reviewed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reviewed_at = models.DateTimeField(null=True)
    note = models.TextField(default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "digest"], name="case_once"),
            models.CheckConstraint(condition=models.Q(state__in=CaseState.values), name="case_state_known"),
            models.CheckConstraint(condition=models.Q(origin__in=CaseOrigin.values), name="case_origin_known"),
            models.CheckConstraint(
                condition=models.Q(entities_by__in=EntitiesBy.values), name="case_entities_by_known"
            ),
        ]

    def __str__(self) -> str:
        return f"Case {self.pk}"


class CaseSupport(OrganizationModel):
    """A paragraph that a case rests on, or the span of it from `start` to `end`.

    A paragraph that its document no longer holds takes the case out of use until a reviewer confirms it
    (`is_confirmed`).
    """

    id = models.BigAutoField(primary_key=True)
    case = models.ForeignKey(CaseEntry, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    paragraph = models.ForeignKey(Paragraph, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)
    is_confirmed = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "case", "paragraph"], name="case_support_once"),
            models.CheckConstraint(
                condition=models.Q(start=None, end=None)
                # Both tested for null: with a start and no end, `start < end` is unknown, which a constraint lets pass.
                | models.Q(start__isnull=False, end__isnull=False, start__lt=models.F("end")),
                name="case_support_span_ordered",
            ),
        ]

    def __str__(self) -> str:
        return f"support by paragraph {self.paragraph_id}"


class CaseIndex(CorpusRow):
    """An encoder by which the cases of a corpus are compared; `cue` goes before a question that seeks other texts.

    Source: CBR-RAG 5.4, where the cue belongs to AnglE; the packaged encoder was trained without one.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    encoder = models.CharField(max_length=80)
    cue = models.CharField(max_length=200, default="")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "corpus", "encoder"], name="case_index_once")]

    def __str__(self) -> str:
        return self.encoder


class CaseVector(OrganizationModel):
    """The unit vector of a part of a case, of any dimension; `text_hash` says of which text."""

    id = models.BigAutoField(primary_key=True)
    index = models.ForeignKey(CaseIndex, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    case = models.ForeignKey(CaseEntry, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    part = models.CharField(max_length=14, choices=CasePart)
    text_hash = models.CharField(max_length=64)
    vector = VectorField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "index", "case", "part"], name="case_vector_once"),
            models.CheckConstraint(condition=models.Q(part__in=CasePart.values), name="case_part_known"),
        ]

    def __str__(self) -> str:
        return f"{self.part} of case {self.case_id}"
