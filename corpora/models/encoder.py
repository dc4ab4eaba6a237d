"""Encoders that a corpus has trained on its own questions, and which of them its searches use."""

import uuid

from django.conf import settings
from django.db import models

from corpora.models.corpus import Corpus
from legalqa.accounts.scoping import OrganizationModel
from legalqa.encoder.client import trained_name


class TrainedState(models.TextChoices):
    """How far something that is trained has come: an encoder, or a ranker over one."""

    BUILDING = "building", "Being trained"
    READY = "ready", "Ready"


class TrainedEncoder(OrganizationModel):
    """One trained version of the packaged encoder. Once it is ready nothing of it changes: vectors stand by its name.

    It belongs to the corpus whose questions it was trained on: they stand behind that corpus's wall.

    Attributes:
        number: 1, 2, … within the corpus.
        training: How it was trained, as JSON.
        source: The gold sets it learned from, in words.
        data: Gzipped JSON: the pairs it learned from and the questions that were kept from it.
        data_fingerprint: SHA-256 of `data`.
        report: Figures on the questions that were kept from training; {} while it is being trained.
        artefact: The tensors that were trained, safetensors of `legalqa.encoder.weights`: reading it runs nothing.
        fingerprint: SHA-256 of the artefact.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=TrainedState, default=TrainedState.BUILDING)
    training = models.JSONField()
    source = models.CharField(max_length=120)
    data = models.BinaryField()
    data_fingerprint = models.CharField(max_length=64)
    report = models.JSONField(default=dict)
    artefact = models.BinaryField(null=True)
    fingerprint = models.CharField(max_length=64, default="")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "number"], name="encoder_number_once"),
            models.CheckConstraint(
                condition=models.Q(state="building")
                | models.Q(artefact__isnull=False, finished_at__isnull=False) & ~models.Q(fingerprint=""),
                name="encoder_ready_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"encoder {self.number}"

    @property
    def is_ready(self) -> bool:
        return self.state == TrainedState.READY

    @property
    def name(self) -> str:
        """Under which its vectors stand and by which it is asked for; "" until its weights are there."""
        return trained_name(self.fingerprint) if self.fingerprint else ""


class EncoderActivation(OrganizationModel):
    """One switch of a corpus to another encoder; a job fills what lacks vectors, then switches. None: the packaged one.

    What is in use is the newest row that was switched, not undone and no rollback; where there is none, the packaged
    encoder. A rollback is a row of its own, which names what it went back to and marks the row before it undone.

    Attributes:
        switched_at: None while its job is at work, or was until it ended early.
        undone_at: When a rollback took it back.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    encoder = models.ForeignKey(
        TrainedEncoder,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    is_rollback = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    switched_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "corpus"], condition=models.Q(switched_at=None), name="encoder_switch_once"
            ),
        ]
        indexes = [
            models.Index(fields=["organization", "corpus", "-switched_at"], name="encoder_in_use"),
        ]

    def __str__(self) -> str:
        return f"encoder from {self.created_at:%Y-%m-%d %H:%M}"
