"""Fields that all trained versions, and all choices among them, have in common."""

import uuid

from django.conf import settings
from django.db import models

from corpora.models.corpus import Corpus
from legalqa.accounts.scoping import OrganizationModel, SameOrganizationKey
from legalqa.common.transitions import Transitions


class TrainedState(models.TextChoices):
    BUILDING = "building", "Being trained"
    READY = "ready", "Ready"


TRAINED_TRANSITIONS: Transitions[TrainedState] = {
    TrainedState.BUILDING: frozenset({TrainedState.READY}),
    TrainedState.READY: frozenset(),
}


class CorpusRow(OrganizationModel):
    """A row of one corpus that somebody made; it is protected by that corpus's wall."""

    corpus = SameOrganizationKey(Corpus)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class TrainedVersion(CorpusRow):
    """One trained version. Once it is ready nothing of it changes, so that a result can be traced to it.

    Attributes:
        number: 1, 2, … within the corpus.
        training: How it was trained, as JSON.
        source: What it learned from, in words.
        report: Figures on held-out questions; {} while it is being trained.
        fingerprint: SHA-256 of the model; "" until there is one.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=TrainedState, default=TrainedState.BUILDING)
    training = models.JSONField()
    source = models.CharField(max_length=120)
    report = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64, default="")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    @property
    def is_ready(self) -> bool:
        return self.state == TrainedState.READY


class TrainedWeights(TrainedVersion):
    """A trained version whose model is tensors.

    Attributes:
        data: Gzipped JSON: what it learned from, and the questions that were held out.
        data_fingerprint: SHA-256 of `data`.
        artefact: What was trained, as safetensors: reading it runs nothing.
    """

    data = models.BinaryField()
    data_fingerprint = models.CharField(max_length=64)
    artefact = models.BinaryField(null=True)

    class Meta:
        abstract = True


def weights_whole(name: str) -> models.CheckConstraint:
    """The rule that a version is being trained, or is ready and has its weights."""
    whole = models.Q(artefact__isnull=False, finished_at__isnull=False) & ~models.Q(fingerprint="")
    return models.CheckConstraint(condition=models.Q(state="building") | models.Q(state="ready") & whole, name=name)
