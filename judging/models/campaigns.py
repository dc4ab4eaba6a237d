"""Annotation campaigns: items that people grade without knowing which system wrote what they read."""

import uuid

from django.conf import settings
from django.db import models

from corpora.models import CorpusRow
from legalqa.accounts.scoping import OrganizationModel, SameOrganizationKey, UuidModel
from legalqa.common.transitions import Transitions


class Campaign(CorpusRow):
    """A set of items, a form, and who grades them.

    Attributes:
        form: The key of the form (`judging.campaigns.rubrics.FORMS`); it cannot be changed, so there is one scale.
        rubric_version: Of the form's words when the campaign was made.
        instructions: What graders read before they begin.
        seed: The random orders of items and answers follow from it.
        repeat_percent: Share of the items that a grader is given a second time, for their agreement with themselves.
        lease_minutes: How long an opened item is kept for one grader.
        closed_at: When the lead ended it; None while it is open.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80)
    form = models.CharField(max_length=20)
    rubric_version = models.PositiveSmallIntegerField()
    instructions = models.TextField(default="", blank=True)
    seed = models.PositiveIntegerField()
    repeat_percent = models.PositiveSmallIntegerField(default=0)
    lease_minutes = models.PositiveSmallIntegerField(default=30)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "corpus", "name"], name="campaign_name_once")]

    def __str__(self) -> str:
        return self.name


class CampaignGrader(OrganizationModel):
    """A person who grades; `name` is what exports call them. `user` is empty for grades that came from elsewhere."""

    id = models.BigAutoField(primary_key=True)
    campaign = SameOrganizationKey(Campaign)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=40)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "campaign", "user"], name="campaign_grader_once"),
            models.UniqueConstraint(fields=["organization", "campaign", "name"], name="campaign_grader_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class ItemKind(models.TextChoices):
    GRADED = "graded", "Graded"
    TRAINING = "training", "Training, with feedback"
    CHECK = "check", "Hidden check with known grades"


class CampaignItem(OrganizationModel):
    """What is graded: a copy, so that a grade stays with the words that it was given for.

    Attributes:
        ordinal: Counts from 1 within the campaign.
        content: What graders see: `question`, `reference_answer` and `answers`, each with `text` and `passages`.
        sources: What nobody who grades is sent: of each answer its `system` and where it came from.
        known: Grades that are known to be right, by criterion; {} for an item that is only graded.
        feedback: What a training item says after it was graded.
        needed: By how many people it is to be graded.
    """

    id = models.BigAutoField(primary_key=True)
    campaign = SameOrganizationKey(Campaign)
    ordinal = models.PositiveIntegerField()
    external_id = models.CharField(max_length=200, default="")
    kind = models.CharField(max_length=10, choices=ItemKind, default=ItemKind.GRADED)
    question_type = models.CharField(max_length=60, default="")
    content = models.JSONField()
    sources = models.JSONField(default=list)
    known = models.JSONField(default=dict)
    feedback = models.TextField(default="")
    needed = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "campaign", "ordinal"], name="campaign_item_once"),
            models.CheckConstraint(condition=models.Q(kind__in=ItemKind.values), name="campaign_item_kind_known"),
        ]

    def __str__(self) -> str:
        return f"item {self.ordinal}"


class AssignmentState(models.TextChoices):
    OPEN = "open", "Open"
    SUBMITTED = "submitted", "Submitted"
    SKIPPED = "skipped", "Skipped"


ASSIGNMENT_TRANSITIONS: Transitions[AssignmentState] = {
    AssignmentState.OPEN: frozenset({AssignmentState.SUBMITTED, AssignmentState.SKIPPED}),
    AssignmentState.SUBMITTED: frozenset(),  # later edits are new versions of what was submitted
    AssignmentState.SKIPPED: frozenset({AssignmentState.OPEN}),
}


class Assignment(UuidModel):
    """An item in the hands of one grader.

    Attributes:
        place: Counts from 1 in the grader's order.
        is_repeat: The item is given to them a second time.
        answer_order: The answers as they are shown: A is the first of these places in the item's list.
        leased_until: Until when no other grader is given the item in their stead.
        submissions: How often it was submitted; the later ones are new versions.
        seconds: While the page was in focus.
        reference_note: Why the reference answer is wrong, in their eyes; "" where they do not say so.
    """

    campaign = SameOrganizationKey(Campaign)
    item = SameOrganizationKey(CampaignItem)
    grader = SameOrganizationKey(CampaignGrader)
    place = models.PositiveIntegerField()
    is_repeat = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=AssignmentState, default=AssignmentState.OPEN)
    answer_order = models.JSONField(default=list)
    leased_until = models.DateTimeField()
    submissions = models.PositiveSmallIntegerField(default=0)
    is_flagged = models.BooleanField(default=False)
    note = models.TextField(default="")
    reference_note = models.TextField(default="")
    seconds = models.FloatField(default=0)
    opened_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "item", "grader", "is_repeat"], name="campaign_assignment_once"
            ),
            models.UniqueConstraint(fields=["organization", "grader", "place"], name="campaign_place_once"),
            models.CheckConstraint(condition=models.Q(state__in=AssignmentState.values), name="assignment_state_known"),
        ]
        indexes = [models.Index(fields=["organization", "campaign", "state"], name="assignment_by_campaign")]

    def __str__(self) -> str:
        return f"assignment {self.place}"


class GradeStatus(models.TextChoices):
    GRADED = "graded", "Graded"
    CANNOT_JUDGE = "cannot_judge", "Cannot judge"


ON_A_SCALE = models.Q(value__gte=1, value__lte=10)  # the scales of all forms; which one it is depends on the form


class CampaignGrade(OrganizationModel):
    """One change of one grade, with its time; a later one is a new version, and earlier ones stay.

    Attributes:
        answer: The place of the answer in the item's list, whatever order it was shown in.
        value: None where the grader cannot judge.
        submission: With which submission it was sent in; 0 while it is a draft. The last version sent in counts.
    """

    id = models.BigAutoField(primary_key=True)
    campaign = SameOrganizationKey(Campaign)
    assignment = SameOrganizationKey(Assignment)
    criterion = models.CharField(max_length=40)
    answer = models.PositiveSmallIntegerField(default=0)
    version = models.PositiveSmallIntegerField()
    value = models.SmallIntegerField(null=True)
    status = models.CharField(max_length=14, choices=GradeStatus)
    submission = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "assignment", "answer", "criterion", "version"], name="campaign_grade_once"
            ),
            models.CheckConstraint(
                condition=models.Q(status="graded", value__isnull=False)
                | models.Q(status="cannot_judge", value__isnull=True),
                name="campaign_grade_valued",
            ),
            models.CheckConstraint(condition=models.Q(value=None) | ON_A_SCALE, name="campaign_grade_on_a_scale"),
        ]
        indexes = [models.Index(fields=["organization", "campaign", "submission"], name="campaign_grade_submitted")]

    def __str__(self) -> str:
        return f"{self.criterion} {self.value}"


class Adjudication(OrganizationModel):
    """What was decided where grades differ, and why: a record beside the grades, which stay. The last one counts."""

    id = models.BigAutoField(primary_key=True)
    campaign = SameOrganizationKey(Campaign)
    item = SameOrganizationKey(CampaignItem)
    criterion = models.CharField(max_length=40)
    answer = models.PositiveSmallIntegerField(default=0)
    value = models.SmallIntegerField()
    reason = models.TextField()
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=ON_A_SCALE, name="adjudication_on_a_scale")]
        indexes = [models.Index(fields=["organization", "campaign", "item"], name="adjudication_by_item")]

    def __str__(self) -> str:
        return f"{self.criterion} is {self.value}"
