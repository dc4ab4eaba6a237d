"""Gold sets: questions of a corpus with the passages that answer them."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.timezone import now

from corpora.models import CorpusRow, Paragraph
from legalqa.accounts.scoping import OrganizationModel, SameOrganizationKey, UuidModel
from legalqa.common.transitions import Transitions


class Split(models.TextChoices):
    """What a question may be used for."""

    NONE = "", "no split"
    TRAIN = "train", "train"
    CALIBRATION = "calibration", "calibration"
    TEST = "test", "test"


class Review(models.TextChoices):
    """The review state of a question; only approved questions are used to measure and to train."""

    DRAFT = "draft", "draft"
    APPROVED = "approved", "approved"
    REJECTED = "rejected", "rejected"


# Experts choose freely, and two may choose the same; an edited question becomes a draft.
GOLD_REVIEW_TRANSITIONS: Transitions[Review] = {state: frozenset(Review) for state in Review}


class ReportState(models.TextChoices):
    """What became of a report that a reference is wrong."""

    OPEN = "open", "open"
    ACCEPTED = "accepted", "accepted"
    DECLINED = "declined", "declined"


REPORT_TRANSITIONS: Transitions[ReportState] = {
    ReportState.OPEN: frozenset({ReportState.ACCEPTED, ReportState.DECLINED}),
    ReportState.ACCEPTED: frozenset(),
    ReportState.DECLINED: frozenset(),
}


class QuestionType(UuidModel):
    """A type of question that an organisation adds to those of `judging.gold.taxonomy`."""

    name = models.CharField(max_length=60)
    targets = ArrayField(models.CharField(max_length=12))  # judging.gold.taxonomy.Target
    tests = models.CharField(max_length=200)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "name"], name="question_type_once")]

    def __str__(self) -> str:
        return self.name


class GoldSet(CorpusRow):
    """Questions on one corpus with known right passages, under a name."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "corpus", "name"], name="gold_set_name_once")]

    def __str__(self) -> str:
        return self.name


class GoldQuestion(UuidModel):
    """A question of a gold set; `history` are the turns before it, oldest first.

    `external_id` is its id in the file that it came from, `question_type` a word of the set's own ("" where unknown).
    A question that is not answerable has no references. An answerable one without references has a reference answer
    whose evidence is unknown: measures that need passages leave it out.

    Attributes:
        split: What it may be used for; "" where nobody has said.
        review: What people think of it; `reviewed_by` and `reviewed_at` are of the last word.
        topic: A word of the set's own, such as a practice area.
        version: Counts its edits from 1; the texts of earlier versions are rows of `GoldEdit`.
        written_by: "" for people and files, "templates", or the name of the model that generated it.
        double_of: An earlier question of the set that asks the same, by `similarity`; null where there is none.
    """

    gold_set = SameOrganizationKey(GoldSet)
    ordinal = models.PositiveIntegerField()
    external_id = models.CharField(max_length=200, default="")
    text = models.TextField()
    reference_answer = models.TextField(default="")
    question_type = models.CharField(max_length=60, default="")
    is_answerable = models.BooleanField(default=True)
    history = models.JSONField(default=list)
    split = models.CharField(max_length=11, choices=Split, default=Split.NONE, blank=True)
    review = models.CharField(max_length=8, choices=Review, default=Review.APPROVED)
    reviewed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reviewed_at = models.DateTimeField(null=True)
    topic = models.CharField(max_length=80, default="", blank=True)
    version = models.PositiveIntegerField(default=1)
    written_by = models.CharField(max_length=200, default="", blank=True)
    double_of = models.UUIDField(null=True)
    similarity = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "gold_set", "ordinal"], name="gold_question_once"),
            models.CheckConstraint(condition=models.Q(split__in=Split.values), name="gold_split_known"),
            models.CheckConstraint(condition=models.Q(review__in=Review.values), name="gold_review_known"),
        ]

    def __str__(self) -> str:
        return self.text[:80]


class GoldReference(OrganizationModel):
    """A passage that answers a question: a paragraph, which outlives re-chunking and re-uploads, or a span of it."""

    id = models.BigAutoField(primary_key=True)
    question = SameOrganizationKey(GoldQuestion)
    paragraph = SameOrganizationKey(Paragraph)
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
                condition=models.Q(start=None, end=None)
                # Both named: of a start without an end, `start < end` is unknown, which a constraint lets pass.
                | models.Q(start__isnull=False, end__isnull=False, start__lt=models.F("end")),
                name="gold_span_ordered",
            ),
        ]

    def __str__(self) -> str:
        return f"reference to paragraph {self.paragraph_id}"


class GoldEdit(OrganizationModel):
    """What a question said in a version that was edited since, and who edited it when.

    `document` is the question as a line of the exported file had it.
    """

    id = models.BigAutoField(primary_key=True)
    question = SameOrganizationKey(GoldQuestion)
    version = models.PositiveIntegerField()
    document = models.JSONField()
    changed = ArrayField(models.CharField(max_length=30))
    edited_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    edited_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "question", "version"], name="gold_edit_once")]

    def __str__(self) -> str:
        return f"version {self.version}"


class GoldReview(OrganizationModel):
    """What an expert said of one version of a question: approved, rejected or back to draft.

    `grades` are 1 to 5 by the names of `judging.gold.taxonomy.CRITERIA`; a criterion that was not judged is left out.
    """

    id = models.BigAutoField(primary_key=True)
    question = SameOrganizationKey(GoldQuestion)
    version = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=Review)
    grades = models.JSONField(default=dict)
    note = models.TextField(default="", blank=True)
    reviewer = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reviewed_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=Review.values), name="gold_review_state_known")
        ]
        indexes = [models.Index(fields=["organization", "question", "-reviewed_at"], name="gold_review_by_time")]

    def __str__(self) -> str:
        return f"{self.state} in version {self.version}"


class GoldReport(UuidModel):
    """Somebody says that the reference of a question is wrong, and what was decided on it."""

    question = SameOrganizationKey(GoldQuestion)
    version = models.PositiveIntegerField()
    note = models.TextField()
    state = models.CharField(max_length=8, choices=ReportState, default=ReportState.OPEN)
    reported_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    reported_at = models.DateTimeField(default=now)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decision_note = models.TextField(default="", blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=ReportState.values), name="gold_report_state_known")
        ]
        indexes = [models.Index(fields=["organization", "question", "-reported_at"], name="gold_report_by_time")]

    def __str__(self) -> str:
        return f"{self.state} report"
