"""What the classes of complexity mean for the searches of a corpus."""

import uuid

from django.db import models

from corpora.models import CorpusRow


class MappingVersion(CorpusRow):
    """A parameter mapping of a corpus for a number of classes; versions are never changed, one or none is active.

    If none is active, the hand-set mapping counts. `tuning_id` is the tuning that it came of.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    n_classes = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    mapping = models.JSONField()
    is_active = models.BooleanField(default=False)
    tuning_id = models.UUIDField(null=True)

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
