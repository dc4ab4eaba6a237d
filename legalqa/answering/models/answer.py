"""The one answer object that page, API, export and history render, and the steps that led to it."""

from functools import cached_property
from typing import Any

from django.db import models

from legalqa.accounts.scoping import OrganizationModel, UuidModel
from legalqa.answering import types
from legalqa.answering.models.question import Question
from legalqa.common.transitions import Transitions


class AnswerState(models.TextChoices):
    WORKING = "working", "Working"
    ANSWERED = "answered", "Answered"
    PARTIAL = "partial", "Partly answered"
    INSUFFICIENT_EVIDENCE = "insufficient_evidence", "Not enough evidence"
    FAILED = "failed", "System fault"
    CANCELLED = "cancelled", "Cancelled"


ANSWER_TRANSITIONS: Transitions[AnswerState] = {
    **dict.fromkeys(AnswerState, frozenset()),
    AnswerState.WORKING: frozenset(AnswerState) - {AnswerState.WORKING},
}


class AnswerMode(models.TextChoices):
    EXTRACTIVE = "extractive", "Quoted"
    WRITTEN = "written", "Written by a model, checked"


class Purpose(models.TextChoices):
    ASKED = "asked", "Asked by a person or a program"
    EXPERIMENT = "experiment", "Experiment"


class Answer(UuidModel):
    """The answer to a question, and everything that led to it.

    `evidence` holds the candidates with the score of each stage; with the claims and the steps it is the evidence pack,
    for refusals too. `asked` holds the settings of the question, so that another process can resume an answer under
    way; `generation` what a language model was asked and what became of it (`legalqa.answering.types.Generation`),
    empty where none was. `made_from` holds what is needed to repeat it besides pipeline and prompt: the corpus's
    version, chunk set and encoder, the revision of the code and the versions of packages. `composition` says how the
    answer was put together (`legalqa.answering.types.Composition`). `unchecked_text` is what a model wrote, before any
    check: it is kept of experiments only, which nobody is shown.
    """

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
            models.CheckConstraint(condition=models.Q(mode__in=AnswerMode.values), name="answer_mode_known"),
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
        """The question as it was asked, rebuilt for the process that works on the answer."""
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


STEP_TRANSITIONS: Transitions[StepState] = {
    StepState.WAITING: frozenset({StepState.WORKING}),
    StepState.WORKING: frozenset({StepState.DONE, StepState.STOPPED}),
    StepState.DONE: frozenset(),
    StepState.STOPPED: frozenset(),
}


class AnswerStep(OrganizationModel):
    """A step of an answer: planned, under way, done. `sentence` is shown meanwhile, `detail` holds what it did."""

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
