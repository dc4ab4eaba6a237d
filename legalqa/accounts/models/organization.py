"""An organisation (a firm, a team, a regulator) and who belongs to it in which role."""

import uuid

from django.conf import settings
from django.db import models

from legalqa.accounts.scoping import UuidModel


class Organization(models.Model):
    """The organisation itself: looked up by its slug before a scope can be entered."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    needs_second_factor = models.BooleanField("everyone must use a second factor", default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    OWNER = "owner", "Owner"
    CORPUS_MANAGER = "corpus_manager", "Corpus manager"
    LAWYER = "lawyer", "Lawyer"
    ANNOTATOR = "annotator", "Annotator"


class Membership(UuidModel):
    """A person's role in an organisation. That person can read it before an organisation is chosen."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=20, choices=Role)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "user"], name="membership_once"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_role_display()})"

    @property
    def can_manage(self) -> bool:
        """Whether the person may create corpora and change their content."""
        return self.role in (Role.OWNER, Role.CORPUS_MANAGER)
