"""The sentences of an answer and what they cite."""

from django.db import models

from corpora.models import DocumentVersion, Paragraph
from legalqa.accounts.scoping import OrganizationModel
from legalqa.answering.models.answer import Answer


class Verdict(models.TextChoices):
    SUPPORTED = "supported", "Supported"
    PARTLY = "partly", "Partly supported"
    UNSUPPORTED = "unsupported", "Withheld"
    CONTRADICTED = "contradicted", "Contradicted"


class ClaimPart(models.TextChoices):
    """The role of a sentence in its answer: it answers, or it must be shown with the answering one to complete it."""

    ANSWER = "answer", "Answer"
    STEM = "stem", "Introduces a list"
    ITEM = "item", "Item"
    RULE = "rule", "Rule"
    EXCEPTION = "exception", "Exception"


class Claim(OrganizationModel):
    """One checkable sentence of an answer: shown, or withheld with the reason.

    Claims with the same `provision` belong together, in their order; the first one answers. `answer_start` and
    `answer_end` are the offsets in `text` of the words that answer, both 0 where none stand out.
    """

    id = models.BigAutoField(primary_key=True)
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    ordinal = models.PositiveSmallIntegerField()
    text = models.TextField()
    verdict = models.CharField(max_length=12, choices=Verdict)
    is_shown = models.BooleanField()
    reason = models.CharField(max_length=200, blank=True, default="")
    part = models.CharField(max_length=12, choices=ClaimPart, default=ClaimPart.ANSWER)
    provision = models.PositiveSmallIntegerField(default=0)
    answer_start = models.PositiveIntegerField(default=0)
    answer_end = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "answer", "ordinal"], name="claim_once"),
            models.CheckConstraint(condition=models.Q(verdict__in=Verdict.values), name="claim_verdict_known"),
            models.CheckConstraint(condition=models.Q(part__in=ClaimPart.values), name="claim_part_known"),
            models.CheckConstraint(
                condition=models.Q(answer_start__lte=models.F("answer_end")), name="claim_answer_ordered"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class Citation(OrganizationModel):
    """A span of a paragraph, in the version in which it was read: `start` and `end` are offsets in the paragraph.

    Of a quoted answer, `rank` 0 is the citation itself and others are places with the same words ("also in …");
    of a written one, every row is a source of the claim.
    """

    id = models.BigAutoField(primary_key=True)
    claim = models.ForeignKey(Claim, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    paragraph = models.ForeignKey(Paragraph, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    version = models.ForeignKey(DocumentVersion, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    rank = models.PositiveSmallIntegerField()
    page = models.PositiveIntegerField()
    page_label = models.CharField(max_length=40)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    quote = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "claim", "rank"], name="citation_once"),
            models.CheckConstraint(condition=models.Q(start__lt=models.F("end")), name="citation_span_ordered"),
        ]

    def __str__(self) -> str:
        return self.quote[:80]
