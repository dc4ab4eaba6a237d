"""Tunings of a corpus on a gold set."""

import uuid

from django.db import models

from corpora.models import CorpusRow
from judging.models.gold import GoldQuestion, GoldSet
from legalqa.accounts.scoping import OrganizationModel, SameOrganizationKey


class TuningRun(CorpusRow):
    """A search for a better parameter mapping of a corpus, on one of its gold sets; `report` is empty until its end."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    gold_set = SameOrganizationKey(GoldSet)
    options = models.JSONField(default=dict)
    report = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["organization", "corpus", "-created_at"], name="tuning_by_time")]

    def __str__(self) -> str:
        return f"tuning of {self.created_at:%Y-%m-%d}"


class TunedSearch(OrganizationModel):
    """What a tuning found for one question, kept so that the work goes on where it was stopped."""

    id = models.BigAutoField(primary_key=True)
    run = SameOrganizationKey(TuningRun)
    question = SameOrganizationKey(GoldQuestion)
    found = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "run", "question"], name="tuned_search_once")]

    def __str__(self) -> str:
        return f"search of question {self.question_id}"
