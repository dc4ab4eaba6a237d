"""What a person must enter besides the password."""

import uuid

from django.conf import settings
from django.db import models

from legalqa.common.encryption import EncryptedTextField


class SecondFactor(models.Model):
    """A person's authenticator app. It counts once `confirmed_at` is set: a first code has proved that the app works.

    last_step: Time step of the last code used; codes of that step and earlier ones are refused.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    secret = EncryptedTextField()
    created_at = models.DateTimeField(auto_now_add=True)
    confirmed_at = models.DateTimeField(null=True)
    last_step = models.BigIntegerField(default=0)
    failures = models.PositiveSmallIntegerField(default=0)
    paused_until = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"second factor of {self.user_id}"


class RecoveryCode(models.Model):
    """A code in case the telephone is lost: works once, is shown once, and only its digest is stored."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"recovery code of {self.user_id}"
