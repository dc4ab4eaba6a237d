"""Questions that are generated for a gold set."""

import uuid

from django.db import models

from corpora.models import CorpusRow
from judging.models.gold import GoldSet
from legalqa.accounts.scoping import SameOrganizationKey


class GoldGeneration(CorpusRow):
    """Questions that are generated for a gold set in the background.

    Attributes:
        options: What was asked for: `judging.gold.generation.services.GenerationOptions` as JSON.
        plan: What remains the same when the work is resumed: one entry for each question to be written.
        n_done: Entries of the plan that are done.
        report: How many questions were written, and which were left out and why; grows with the work.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    gold_set = SameOrganizationKey(GoldSet)
    options = models.JSONField(default=dict)
    plan = models.JSONField(default=list)
    n_done = models.PositiveIntegerField(default=0)
    report = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["organization", "gold_set", "-created_at"], name="generation_by_time")]

    def __str__(self) -> str:
        return f"generation of {self.created_at:%Y-%m-%d}"
