"""Secrets that give access once or for a while. Only their digests are stored; they are looked up outside any scope."""

import uuid

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from legalqa.accounts.models.organization import Organization, Role


class Invitation(models.Model):
    """A link that makes the person who opens it a member of an organisation."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    email = models.EmailField(max_length=254)
    role = models.CharField(max_length=20, choices=Role)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)  # shown on no page, so opening it proves access to the mailbox

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_known")]

    def __str__(self) -> str:
        return self.email


class SignInLink(models.Model):
    """A link that signs one person in, once.

    made_by: The owner or operator who created it; None for a command on the machine.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "sign-in link"

    def __str__(self) -> str:
        return f"sign-in link of {self.user_id}"

    @property
    def asks_for_password(self) -> bool:
        """Whether the person must choose a new password: somebody else may know the current one."""
        return self.made_by_id is not None and self.user.address_proved_at is None


class ApiToken(models.Model):
    """A program's key: acts as one person in one organisation, and ends with that membership.

    scopes: What it may be used for (`accounts/scopes.py`).
    addresses: Networks in CIDR form from which it may be used; none means anywhere.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=40))
    addresses = ArrayField(models.CharField(max_length=50), default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "API token"

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"


class ResetRequest(models.Model):
    """A request for a mail to choose a new password; kept for an hour, to count them.

    email_digest: Of the address as it was typed, which may have no account.
    address: Of the machine that sent the request.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email_digest = models.CharField(max_length=64)
    address = models.CharField(max_length=45)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"reset requested at {self.at:%H:%M}"
