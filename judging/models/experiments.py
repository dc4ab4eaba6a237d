"""Experiments: the questions of a gold set answered by several settings, and what every answer scored."""

import uuid

from django.db import models

from corpora.models import CorpusRow
from judging.models.gold import GoldQuestion, GoldSet
from legalqa.accounts.scoping import OrganizationModel, SameOrganizationKey, UuidModel
from legalqa.answering.models import Answer


class Rerun(models.TextChoices):
    NEVER = "", "Once"
    DAILY = "daily", "Every day"
    WEEKLY = "weekly", "Every week"


class Experiment(CorpusRow):
    """A comparison of settings on a gold set.

    Attributes:
        settings: What is compared (`judging.experiments.settings.ExperimentSettings`), as JSON.
        provenance: What the answers were made from, as JSON: corpus version, chunk set, encoder, code, versions of
            packages, seed of the intervals and tests, gold set, judges with settings, model and version, how many
            questions were asked and how many were left out because they are not approved.
        report: The result (`judging.experiments.results`), as JSON; {} until the end.
        rerun: How often a new experiment with the same settings begins.
        previous: The experiment that this one repeats, or whose failed answers it asks again (`taken_over_from` in
            the provenance).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    gold_set = SameOrganizationKey(GoldSet)
    name = models.CharField(max_length=80)
    settings = models.JSONField(default=dict)
    provenance = models.JSONField(default=dict)
    report = models.JSONField(default=dict)
    rerun = models.CharField(max_length=8, choices=Rerun, default=Rerun.NEVER, blank=True)
    previous = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+", db_constraint=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(rerun__in=Rerun.values), name="experiment_rerun_known")
        ]
        indexes = [models.Index(fields=["organization", "corpus", "-created_at"], name="experiment_by_time")]

    def __str__(self) -> str:
        return self.name


class ExperimentAnswer(UuidModel):
    """What one cell of an experiment said to one question.

    Attributes:
        cell: The key of its settings within the experiment: preset, changes and generator.
        answer: None where it failed; `reason` says why.
        fingerprint: SHA-256 of all that the answer depends on; equal ones are computed once. Not unique: other
            experiments that take the answer have it too.
        is_reused: It was computed for another experiment, so its cost is not this one's.
        cost: In the currency of the price list, exact.
    """

    experiment = SameOrganizationKey(Experiment)
    question = SameOrganizationKey(GoldQuestion)
    cell = models.CharField(max_length=200)
    repeat = models.PositiveSmallIntegerField(default=0)
    answer = models.ForeignKey(Answer, on_delete=models.SET_NULL, null=True, related_name="+", db_constraint=False)
    fingerprint = models.CharField(max_length=64)
    reason = models.CharField(max_length=300, default="")
    is_reused = models.BooleanField(default=False)
    seconds = models.FloatField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=14, decimal_places=8, default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "experiment", "question", "cell", "repeat"], name="experiment_answer_once"
            )
        ]
        indexes = [models.Index(fields=["organization", "fingerprint"], name="experiment_answer_same")]

    def __str__(self) -> str:
        return f"answer of {self.cell} to question {self.question_id}"


class ExperimentScore(OrganizationModel):
    """One measure of one answer.

    Attributes:
        experiment: That of the answer, here too so that an index finds all scores of a measure.
        judge: Who says it; "" for a measure by rule.
        status: A word of `judging.judges.types.Status`; only a judged one has a value.
        law: Ids of the paragraphs that the judge was shown beside the answer.
        cost: In the currency of the price list, exact; 0 for what was taken over with an answer, and paid for there.
        warning: Why the value may flatter, as of `judging.judges.types.Judgment`; "" where nothing speaks for it.
    """

    id = models.BigAutoField(primary_key=True)
    experiment = SameOrganizationKey(Experiment)
    answer = SameOrganizationKey(ExperimentAnswer)
    judge = models.CharField(max_length=80, default="")
    measure = models.CharField(max_length=80)
    value = models.FloatField(null=True)
    status = models.CharField(max_length=20)
    reason = models.CharField(max_length=300, default="")
    warning = models.CharField(max_length=300, default="", db_default="")
    law = models.JSONField(default=list)
    seconds = models.FloatField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    cost = models.DecimalField(max_digits=14, decimal_places=8, default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "answer", "judge", "measure"], name="experiment_score_once"
            ),
            models.CheckConstraint(
                condition=models.Q(value__isnull=True) | models.Q(status="judged"), name="experiment_score_valued"
            ),
        ]
        indexes = [
            models.Index(fields=["organization", "experiment", "judge", "measure"], name="experiment_score_by_measure")
        ]

    def __str__(self) -> str:
        return f"{self.measure} of answer {self.answer_id}"
