"""Encoders beside the packaged one: those that a corpus trained, those it was given, and which its searches use."""

import uuid

from django.db import models

from corpora.models.trained import CorpusRow, TrainedWeights, weights_whole
from legalqa.accounts.scoping import SameOrganizationKey
from legalqa.encoder.client import NAME, trained_name


class TrainedEncoder(TrainedWeights):
    """One trained version of the packaged encoder (`legalqa.encoder.weights`), which stores its vectors by its name."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "number"], name="encoder_number_once"),
            weights_whole("encoder_ready_whole"),
        ]

    def __str__(self) -> str:
        return f"encoder {self.number}"

    @property
    def name(self) -> str:
        """The name of its vectors, by which the encoder process is asked for it; "" until its weights are there."""
        return trained_name(self.fingerprint) if self.fingerprint else ""


class EncoderSource(models.TextChoices):
    FOLDER = "folder", "A folder on this server"
    ENDPOINT = "endpoint", "An embedding model over the network"


class AddedEncoder(CorpusRow):
    """An encoder that somebody added to a corpus; its vectors are stored under its name.

    The name holds a mark of all that its vectors depend on, so a folder or a model that changes is another encoder.

    Attributes:
        source: Where it runs; texts are sent to an endpoint, a folder's model runs here.
        model: Of an endpoint "provider/model", which the language models of the organisation name; else "".
        dimensions: Of its vectors.
        window_tokens: What it reads of a text; a longer chunk is embedded window by window.
        pooling: How it makes one vector of a text, in a word; "" where that is not known.
        cue_query, cue_passage: What is put before a question and before a passage.
        licence: "" where nobody said.
        n_bytes: Of its files; 0 of an endpoint.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    source = models.CharField(max_length=10, choices=EncoderSource)
    name = models.CharField(max_length=80)
    title = models.CharField(max_length=120)
    model = models.CharField(max_length=240, default="")
    dimensions = models.PositiveSmallIntegerField()
    window_tokens = models.PositiveIntegerField()
    pooling = models.CharField(max_length=40, default="")
    cue_query = models.CharField(max_length=300, default="")
    cue_passage = models.CharField(max_length=300, default="")
    licence = models.CharField(max_length=60, default="")
    n_bytes = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "name"], name="encoder_added_once"),
            models.CheckConstraint(condition=models.Q(source__in=EncoderSource.values), name="encoder_source_known"),
        ]

    def __str__(self) -> str:
        return self.title


class EncoderActivation(CorpusRow):
    """One switch of a corpus to another encoder; a job fills what lacks vectors, then switches.

    It names a trained encoder or an added one; neither is the packaged one.

    What is in use is the newest row that was switched, not undone and no rollback; where there is none, the packaged
    encoder. A rollback is a row of its own, which names what it went back to and marks the row before it undone.

    Attributes:
        switched_at: None while its job is at work, or was until it ended early.
        undone_at: When a rollback took it back.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    encoder = SameOrganizationKey(TrainedEncoder, null=True)
    added = SameOrganizationKey(AddedEncoder, null=True)
    is_rollback = models.BooleanField(default=False)
    switched_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "corpus"], condition=models.Q(switched_at=None), name="encoder_switch_once"
            )
        ]
        indexes = [models.Index(fields=["organization", "corpus", "-switched_at"], name="encoder_in_use")]

    def __str__(self) -> str:
        return f"encoder from {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def target(self) -> TrainedEncoder | AddedEncoder | None:
        """What it switches to; None for the packaged encoder."""
        return self.encoder or self.added

    @property
    def target_name(self) -> str:
        """The name of the vectors that it switches to."""
        return self.target.name if self.target is not None else NAME
