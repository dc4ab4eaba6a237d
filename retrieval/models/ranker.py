"""Evidence rankers that a corpus has trained on its own questions, and which of them its searches use."""

import uuid

from django.conf import settings
from django.db import models

from corpora.models import Corpus, TrainedState
from legalqa.accounts.scoping import OrganizationModel


class TrainedRanker(OrganizationModel):
    """One trained version. Once it is ready nothing of it changes, so that a ranking can be traced to it.

    It belongs to the corpus whose questions it was trained on: they stand behind that corpus's wall.

    Attributes:
        number: 1, 2, … within the corpus.
        encoder: Name of the encoder it was trained over; its features read that encoder's cosines.
        training: How it was trained, as JSON.
        source: The gold sets it learned from, in words.
        report: Figures on the questions that were kept from training; {} while it is being trained.
        model: `RankerModel.as_mapping()`; {} while it is being trained.
        fingerprint: SHA-256 of `model` as `retrieval.rerankers.versions.model_fingerprint` has it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=12, choices=TrainedState, default=TrainedState.BUILDING)
    encoder = models.CharField(max_length=80)
    training = models.JSONField()
    source = models.CharField(max_length=120)
    report = models.JSONField(default=dict)
    model = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64, default="")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "number"], name="ranker_number_once"),
            models.CheckConstraint(
                condition=models.Q(state="building")
                | models.Q(finished_at__isnull=False) & ~models.Q(fingerprint="") & ~models.Q(model={}),
                name="ranker_ready_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"ranker {self.number}"

    @property
    def is_ready(self) -> bool:
        return self.state == TrainedState.READY


class RankerActivation(OrganizationModel):
    """From when on a corpus uses a ranker over an encoder; an encoder's newest row holds. None: the packaged one."""

    id = models.BigAutoField(primary_key=True)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    encoder = models.CharField(max_length=80)
    ranker = models.ForeignKey(
        TrainedRanker,
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
            models.Index(fields=["organization", "corpus", "encoder", "-id"], name="ranker_in_use"),
        ]

    def __str__(self) -> str:
        return f"ranker from {self.created_at:%Y-%m-%d %H:%M}"
