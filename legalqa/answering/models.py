"""Questions, and the one answer object that page, API, export and history render."""

import uuid
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db import models

from corpora.models import Corpus, DocumentVersion, Paragraph
from legalqa.accounts.scoping import OrganizationModel
from legalqa.answering import types
from legalqa.answering.clauses.models import ClauseQuestion, ClauseReview, ClauseVerdict  # noqa: F401 - tables of this app


class Question(OrganizationModel):
    """What was asked. A question and those that follow it up are a conversation, named by the id of its first one.

    `title` is what its asker calls the conversation, kept with the first question; "" where its words are the name.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    asker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    text = models.TextField()
    # The question that this one follows up, of the same person; its words may be needed to understand these.
    follows = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+", db_constraint=False)
    conversation = models.UUIDField(editable=False)
    title = models.CharField(max_length=200, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(fields=["organization", "asker", "-created_at"], name="question_history"),
            models.Index(fields=["organization", "conversation"], name="question_conversation"),
        ]

    def __str__(self) -> str:
        return f"Question {self.pk}"  # not its words: operators' pages name a row by this

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A question belongs to the conversation of the one that it follows up, and else begins one."""
        if not self.conversation:
            self.conversation = self.follows.conversation if self.follows is not None else self.pk
        super().save(*args, **kwargs)


class ConversationShare(OrganizationModel):
    """A colleague who may read a conversation, while both may see its corpus; `question` is its first question."""

    id = models.BigAutoField(primary_key=True)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    member = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    shared_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "question", "member"], name="conversation_shared_once"),
        ]

    def __str__(self) -> str:
        return f"Share of conversation {self.question_id}"


class AnswerState(models.TextChoices):
    WORKING = "working", "Working"
    ANSWERED = "answered", "Answered"
    PARTIAL = "partial", "Partly answered"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence", "Not enough evidence"
    FAILED = "failed", "System fault"
    CANCELLED = "cancelled", "Cancelled"


class AnswerMode(models.TextChoices):
    EXTRACTIVE = "extractive", "Quoted"
    WRITTEN = "written", "Written by a model, checked"


class Purpose(models.TextChoices):
    ASKED = "asked", "Asked by a person or a program"
    EXPERIMENT = "experiment", "Experiment"


class Answer(OrganizationModel):
    """What was said to a question, and everything that led to it.

    `evidence` holds the candidates with the score of each stage; with the claims and the steps it is the evidence pack,
    for refusals too. `asked` holds the settings of the question, so that another process can resume an answer under
    way; `generation` what a language model was asked and what became of it (`legalqa.answering.types.Generation`),
    empty where none was. `made_from` holds what repeating it takes beside pipeline and prompt: the corpus's version,
    chunk set and encoder, and the revision of the code. `composition` says how the answer was put together
    (`legalqa.answering.types.Composition`). `unchecked_text` is what a model wrote, before any check: it is
    kept of experiments only, which nobody is shown.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="+", db_constraint=False)
    purpose = models.CharField(max_length=12, choices=Purpose, default=Purpose.ASKED)
    strategy = models.CharField(max_length=40, default="")
    state = models.CharField(max_length=24, choices=AnswerState)
    mode = models.CharField(max_length=12, choices=AnswerMode, default=AnswerMode.EXTRACTIVE)
    why = models.TextField(default="")
    confidence = models.FloatField(null=True)
    preset = models.CharField(max_length=40)
    pipeline = models.JSONField()
    fingerprint = models.CharField(max_length=64)
    evidence = models.JSONField(default=list)
    asked = models.JSONField(default=dict)
    generation = models.JSONField(default=dict)
    made_from = models.JSONField(default=dict)
    composition = models.JSONField(default=dict)
    unchecked_text = models.TextField(default="")
    seconds = models.FloatField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=AnswerState.values), name="answer_state_known"),
            models.CheckConstraint(condition=models.Q(purpose__in=Purpose.values), name="answer_purpose_known"),
            models.CheckConstraint(
                condition=models.Q(unchecked_text="") | models.Q(purpose=Purpose.EXPERIMENT),
                name="answer_unchecked_in_experiments",
            ),
        ]
        indexes = [models.Index(fields=["organization", "question"], name="answer_by_question")]

    def __str__(self) -> str:
        return self.get_state_display()

    def as_question(self) -> types.Question:
        """The question again as it was asked, for the process that works on the answer."""
        row = self.question
        return types.Question.of(
            self.asked,
            organization=self.organization,
            user=row.asker,
            corpus_id=row.corpus_id,
            text=row.text,
            follows=row.follows_id,
            purpose=self.purpose,
        )

    @property
    def as_of(self) -> str | None:
        """The day whose law was searched, as an ISO date; None for the current versions."""
        day: str | None = self.asked.get("filters", {}).get("as_of")
        return day

    @property
    def silence_title(self) -> str:
        """What stands for the answer where nothing is said."""
        return types.silence_title(self.composition)

    @cached_property
    def steps(self) -> "list[AnswerStep]":
        """In their order."""
        return list(AnswerStep.objects.filter(organization_id=self.organization_id, answer=self).order_by("ordinal"))

    @property
    def trace(self) -> list[dict[str, Any]]:
        """What every step did, part by part."""
        return [part for step in self.steps for part in step.detail]


class StepState(models.TextChoices):
    WAITING = "waiting", "Next"
    WORKING = "working", "Working"
    DONE = "done", "Done"
    STOPPED = "stopped", "Stopped"


class AnswerStep(OrganizationModel):
    """A step of an answer: planned, under way, done. `sentence` is said meanwhile, `detail` holds what it did."""

    id = models.BigAutoField(primary_key=True)
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    ordinal = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    label = models.CharField(max_length=120)
    sentence = models.CharField(max_length=200, default="")
    state = models.CharField(max_length=12, choices=StepState)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    detail = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "answer", "ordinal"], name="answer_step_once"),
            models.CheckConstraint(condition=models.Q(state__in=StepState.values), name="answer_step_state_known"),
        ]

    def __str__(self) -> str:
        return self.label


class Verdict(models.TextChoices):
    SUPPORTED = "supported", "Supported"
    PARTLY = "partly", "Partly supported"
    UNSUPPORTED = "unsupported", "Withheld"
    CONTRADICTED = "contradicted", "Contradicted"


class ClaimPart(models.TextChoices):
    """What a sentence is in its answer: the one that answers, or what must be shown with it to make it complete."""

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
            models.CheckConstraint(condition=models.Q(part__in=ClaimPart.values), name="claim_part_known"),
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


class Grade(models.TextChoices):
    """What a person says of an answer: the first three of one that was given, the others of a silence."""

    RIGHT = "right", "Right"
    PARTLY = "partly", "Partly right"
    WRONG = "wrong", "Wrong"
    RIGHTLY_SILENT = "rightly_silent", "Rightly silent"
    MISSED = "missed", "The documents do answer this"


class AnswerGrade(OrganizationModel):
    """One person's grade of one answer, behind the wall of the corpus that was asked.

    `correction` is what they would have answered instead; "" where they do not say.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    grader = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    grade = models.CharField(max_length=16, choices=Grade)
    note = models.TextField(default="")
    correction = models.TextField(default="")
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "answer", "grader"], name="answer_grade_once"),
            models.CheckConstraint(condition=models.Q(grade__in=Grade.values), name="answer_grade_known"),
        ]
        indexes = [models.Index(fields=["organization", "corpus", "changed_at"], name="answer_grade_by_corpus")]

    def __str__(self) -> str:
        return self.get_grade_display()


class PassageJudgement(OrganizationModel):
    """Whether a passage supports the answer, as its grader sees it: a paragraph, which outlives re-chunking."""

    id = models.BigAutoField(primary_key=True)
    grade = models.ForeignKey(
        AnswerGrade, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    paragraph = models.ForeignKey(
        Paragraph, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    bears_out = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "grade", "paragraph"], name="passage_judgement_once"),
        ]

    def __str__(self) -> str:
        return f"judgement of paragraph {self.paragraph_id}"


class ReviewState(models.TextChoices):
    """What became of a contradiction; "resolved" is also set by the search where one of the two gives way."""

    OPEN = "open", "Open"
    CONFIRMED = "confirmed", "Confirmed"
    NOT_A_CONFLICT = "not_a_conflict", "Not a contradiction"
    RESOLVED = "resolved", "Resolved"


class Contradiction(OrganizationModel):
    """Two paragraphs of different documents of a corpus that differ, behind its wall; the pair outlives a new search.

    Attributes:
        paragraph_a, paragraph_b: In the order of their ids.
        spans: Of each side, where the sentence begins and ends in the paragraph, and the words that differ.
        resolution: Which of the two gives way and why, as a sentence; "" where the search does not know.
        seen_at: When a search last found it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
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
