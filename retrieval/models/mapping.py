"""What the classes of complexity mean for the searches of a corpus."""

import uuid

from django.conf import settings
from django.db import models

from corpora.models import Corpus
from legalqa.accounts.scoping import OrganizationModel


class MappingVersion(OrganizationModel):
    """A parameter mapping of a corpus for so many classes; versions are never changed, one or none is active.

    Where none is active, the hand-set one counts. `tuning_id` is the tuning that it came of.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)
    n_classes = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    mapping = models.JSONField()
    is_active = models.BooleanField(default=False)
    tuning_id = models.UUIDField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "corpus", "n_classes", "number"], name="mapping_number_once"
            ),
            models.UniqueConstraint(
                fields=["organization", "corpus", "n_classes"],
                condition=models.Q(is_active=True),
                name="mapping_active_once",
            ),
        ]

    def __str__(self) -> str:
        return f"mapping {self.number} for {self.n_classes} classes"
