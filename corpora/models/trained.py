"""What every trained version and every choice among them has in common."""

import uuid

from django.conf import settings
from django.db import models

from corpora.models.corpus import Corpus
from legalqa.accounts.scoping import OrganizationModel


class TrainedState(models.TextChoices):
    BUILDING = "building", "Being trained"
    READY = "ready", "Ready"


class CorpusRow(OrganizationModel):
    """A row of one corpus that somebody made; it is protected by that corpus's wall."""

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
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
