"""Encoders that a corpus has trained on its own questions, and which of them its searches use."""

import uuid

from django.db import models

from corpora.models.trained import CorpusRow, TrainedVersion
from legalqa.encoder.client import trained_name


class TrainedEncoder(TrainedVersion):
    """One trained version of the packaged encoder; its vectors are stored under its name.

    Attributes:
        data: Gzipped JSON: the pairs it learned from and the held-out questions.
        data_fingerprint: SHA-256 of `data`.
        artefact: The tensors that were trained, safetensors of `legalqa.encoder.weights`: reading it runs nothing.
    """

    data = models.BinaryField()
    data_fingerprint = models.CharField(max_length=64)
    artefact = models.BinaryField(null=True)

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
    def name(self) -> str:
        """The name of its vectors, by which the encoder process is asked for it; "" until its weights are there."""
        return trained_name(self.fingerprint) if self.fingerprint else ""


class EncoderActivation(CorpusRow):
    """One switch of a corpus to another encoder; a job fills what lacks vectors, then switches. None: the packaged one.

    What is in use is the newest row that was switched, not undone and no rollback; where there is none, the packaged
    encoder. A rollback is a row of its own, which names what it went back to and marks the row before it undone.

    Attributes:
        switched_at: None while its job is at work, or was until it ended early.
        undone_at: When a rollback took it back.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    encoder = models.ForeignKey(
        TrainedEncoder,
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    is_rollback = models.BooleanField(default=False)
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
