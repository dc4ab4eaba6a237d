"""Evidence rankers that a corpus has trained on its own questions, and which of them its searches use."""

from django.db import models

from corpora.models import CorpusRow, TrainedVersion
from legalqa.accounts.scoping import SameOrganizationKey


class TrainedRanker(TrainedVersion):
    """One trained version of the evidence ranker.

    Attributes:
        encoder: Name of the encoder it was trained over; its features read that encoder's cosines.
        model: `RankerModel.as_mapping()`; {} while it is being trained.
    """

    encoder = models.CharField(max_length=80)
    model = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "corpus", "number"], name="ranker_number_once"),
            models.CheckConstraint(
                condition=models.Q(state="building")
                | models.Q(state="ready", finished_at__isnull=False) & ~models.Q(fingerprint="") & ~models.Q(model={}),
                name="ranker_ready_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"ranker {self.number}"


class RankerActivation(CorpusRow):
    """From when on a corpus uses a ranker over an encoder; an encoder's newest row counts. None: the packaged one."""

    id = models.BigAutoField(primary_key=True)
    encoder = models.CharField(max_length=80)
    ranker = SameOrganizationKey(TrainedRanker, null=True)

    class Meta:
        indexes = [models.Index(fields=["organization", "corpus", "encoder", "-id"], name="ranker_in_use")]

    def __str__(self) -> str:
        return f"ranker from {self.created_at:%Y-%m-%d %H:%M}"
