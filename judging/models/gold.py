"""Gold sets: questions of a corpus with the passages that answer them."""

import uuid

from django.db import models

from corpora.models import CorpusRow, Paragraph
from legalqa.accounts.scoping import OrganizationModel


class GoldSet(CorpusRow):
    """Questions on one corpus whose right passages people know, under a name."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "name"], name="gold_set_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class GoldQuestion(OrganizationModel):
    """A question of a gold set; `history` are the turns before it, oldest first.

    `external_id` is its id in the file that it came from, `question_type` a word of the set's own ("" where unknown).
    A question that is not answerable has no references. An answerable one without references has a reference answer
    whose evidence is unknown: measures that need passages leave it out.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    gold_set = models.ForeignKey(
        GoldSet, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    ordinal = models.PositiveIntegerField()
    external_id = models.CharField(max_length=200, default="")
    text = models.TextField()
    reference_answer = models.TextField(default="")
    question_type = models.CharField(max_length=60, default="")
    is_answerable = models.BooleanField(default=True)
    history = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "gold_set", "ordinal"], name="gold_question_once"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class GoldReference(OrganizationModel):
    """A passage that answers a question: a paragraph, which outlives re-chunking and re-uploads, or a span of it."""

    id = models.BigAutoField(primary_key=True)
    question = models.ForeignKey(
        GoldQuestion, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    paragraph = models.ForeignKey(
        Paragraph, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    start = models.PositiveIntegerField(null=True)
    end = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "question", "paragraph", "start", "end"], name="gold_span_once"
            ),
            # Not by nulls_distinct=False: checking that asks the server for its version, before a command can say
            # in a sentence that the server lets nobody in.
            models.UniqueConstraint(
                fields=["organization", "question", "paragraph"],
                condition=models.Q(start=None),
                name="gold_paragraph_once",
            ),
            models.CheckConstraint(
                condition=models.Q(start=None, end=None) | models.Q(start__lt=models.F("end")),
                name="gold_span_ordered",
            ),
        ]

    def __str__(self) -> str:
        return f"reference to paragraph {self.paragraph_id}"
