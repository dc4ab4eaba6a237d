"""Classifiers of how complex a question is: the versions that a corpus has trained, and which one it uses."""

import uuid

from django.conf import settings
from django.db import models

from corpora.models import Corpus
from legalqa.accounts.scoping import OrganizationModel


class ClassifierState(models.TextChoices):
    BUILDING = "building", "Being trained"
    READY = "ready", "Ready"


class ComplexityClassifier(OrganizationModel):
    """One trained version. Once it is ready nothing of it changes, so that a prediction can be traced to it.

    It belongs to the corpus whose questions it was trained on: they stand behind that corpus's wall.

    Attributes:
        number: 1, 2, … within the corpus.
        kind: A name of `legalqa.training.classifier.fitting.KINDS`.
        training: How it was trained, `TrainingSettings` as JSON.
        data: The rows it was trained and tested on: question, label, group, how it was changed and from what.
        data_fingerprint: SHA-256 of `data`.
        report: Figures on the rows that were kept from training; {} while it is being trained.
        artefact: The model itself, JSON or safetensors: reading it runs nothing.
        fingerprint: SHA-256 of the artefact.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    n_classes = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=12, choices=ClassifierState, default=ClassifierState.BUILDING)
    training = models.JSONField()
    source = models.CharField(max_length=120)
    data = models.JSONField()
    data_fingerprint = models.CharField(max_length=64)
    seed = models.IntegerField()
    report = models.JSONField(default=dict)
    artefact = models.BinaryField(null=True)
    fingerprint = models.CharField(max_length=64, default="")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "number"], name="complexity_number_once"),
            models.CheckConstraint(
                condition=models.Q(state="building") | models.Q(artefact__isnull=False, finished_at__isnull=False),
                name="complexity_ready_whole",
            ),
            models.CheckConstraint(
                condition=models.Q(n_classes__gte=2, n_classes__lte=5), name="complexity_classes_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"

    @property
    def is_ready(self) -> bool:
        return self.state == ClassifierState.READY


class ComplexityActivation(OrganizationModel):
    """From when on a corpus uses a version; the newest row of a number of classes holds. None: the packaged one."""

    id = models.BigAutoField(primary_key=True)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    n_classes = models.PositiveSmallIntegerField()
    classifier = models.ForeignKey(
        ComplexityClassifier,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            models.Index(fields=["organization", "corpus", "n_classes", "-id"], name="complexity_in_use"),
        ]

    def __str__(self) -> str:
        return f"{self.n_classes} classes from {self.created_at:%Y-%m-%d %H:%M}"
