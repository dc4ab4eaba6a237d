"""The question index of a corpus: questions with the paragraphs that answer them, and what they were made of."""

import uuid

from django.db import models
from pgvector.django import VectorField

from corpora.models import CorpusRow, Paragraph
from legalqa.common.transitions import Transitions


class QuestionIndex(CorpusRow):
    """The index of one corpus; `revision` is raised under its row lock by every change of what a search may match.

    Attributes:
        uses_model: Whether a language model writes the questions, and not templates.
        made: By id of a current version, the recipe by which its questions were made.
        built_at: When the last build ended.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    uses_model = models.BooleanField(default=False)
    revision = models.PositiveBigIntegerField(default=0)
    made = models.JSONField(default=dict)
    built_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "corpus"], name="question_index_once")]

    def __str__(self) -> str:
        return f"question index, revision {self.revision}"


class QuestionSource(models.TextChoices):
    PAIR = "pair", "Question and answer"
    PROVISION = "provision", "Provision"
    DECISION = "decision", "Decision"


class QuestionState(models.TextChoices):
    INDEXED = "indexed", "Indexed"
    REJECTED = "rejected", "Rejected"


QUESTION_TRANSITIONS: Transitions[QuestionState] = {
    QuestionState.INDEXED: frozenset({QuestionState.REJECTED}),
    QuestionState.REJECTED: frozenset({QuestionState.INDEXED}),
}


class IndexedQuestion(CorpusRow):
    """A question and the words of a paragraph that answer it. Its text never changes: an edit makes another row.

    Attributes:
        kind: What it asks for, such as "duty"; "" for a real question.
        made_text: As it was generated or imported, by whose hash (`key`) a rebuild knows it again.
        start, end: In the paragraph.
        author: "templates", the name of a model, or where a real question came from.
        encoder: That made `vector`; "" until there is one.
    """

    id = models.BigAutoField(primary_key=True)
    source = models.CharField(max_length=9, choices=QuestionSource)
    kind = models.CharField(max_length=40, default="")
    text = models.TextField()
    made_text = models.TextField()
    key = models.CharField(max_length=64)
    paragraph = models.ForeignKey(Paragraph, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=QuestionState, default=QuestionState.INDEXED)
    author = models.CharField(max_length=200)
    encoder = models.CharField(max_length=80, default="")
    vector = VectorField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "paragraph", "key"], name="question_once"),
            models.CheckConstraint(condition=models.Q(start__lt=models.F("end")), name="question_span_ordered"),
            models.CheckConstraint(condition=models.Q(state__in=QuestionState.values), name="question_state_known"),
            models.CheckConstraint(condition=models.Q(source__in=QuestionSource.values), name="question_source_known"),
        ]

    def __str__(self) -> str:
        return f"question {self.pk}"

    @property
    def is_edited(self) -> bool:
        return self.text != self.made_text


class AskedParagraph(CorpusRow):
    """A paragraph whose questions were made; a build makes them again where their hash (`basis`) is another one.

    The basis is "" where templates replace a reply of the model that was no use.
    """

    id = models.BigAutoField(primary_key=True)
    paragraph = models.ForeignKey(Paragraph, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    basis = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "paragraph"], name="asked_paragraph_once")
        ]

    def __str__(self) -> str:
        return f"asked paragraph {self.pk}"
