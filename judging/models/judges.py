"""Judges as an organisation has set them up."""

from django.conf import settings as configuration
from django.db import models

from legalqa.accounts.scoping import UuidModel


class Judge(UuidModel):
    """A judge under a name, in one version; a row never changes, except that a later version replaces it.

    Attributes:
        kind: A name in `judging.judges.registry.KINDS`.
        settings: JSON of the kind's settings, whole.
        version: The judge's version (`judging.judges.types.Judge`) when it was saved.
        is_active: Whether the name means this version; of each name at most one is.
    """

    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=40)
    settings = models.JSONField(default=dict)
    version = models.CharField(max_length=64)
    is_active = models.BooleanField(default=True)
    created_by = models.ForeignKey(
        configuration.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "name"], condition=models.Q(is_active=True), name="judge_active_once"
            )
        ]
        indexes = [models.Index(fields=["organization", "name", "-created_at"], name="judge_by_name")]

    def __str__(self) -> str:
        return self.name
