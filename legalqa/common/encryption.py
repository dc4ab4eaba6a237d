"""Secrets that we must be able to read again (a second factor's, a provider's key), encrypted before they are stored.

The keys are settings of their own, apart from SECRET_KEY: that one signs, is changed on other occasions, and a copy of
the database without these keys gives no secret away. The first key encrypts, all of them decrypt, so a new one is put
in front, `manage.py field_keys` re-encrypts everything, and the old one is removed.
"""

import base64
import hashlib
from functools import lru_cache
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import models


class SecretUnreadable(RuntimeError):
    """A stored secret that none of the keys opens: a key was taken out too early."""


def encrypt(text: str) -> str:
    """The text under the first key; the same text gives another result each time."""
    return _cipher(tuple(settings.FIELD_KEYS)).encrypt(text.encode()).decode()


def decrypt(stored: str) -> str:
    """The text again.

    Raises:
        SecretUnreadable: it was changed, or its key is not among the keys any more.
    """
    try:
        return _cipher(tuple(settings.FIELD_KEYS)).decrypt(stored).decode()
    except InvalidToken:
        raise SecretUnreadable(
            "A stored secret cannot be decrypted with any of the keys in LEGALQA_FIELD_KEYS."
        ) from None


@lru_cache(maxsize=8)
def _cipher(keys: tuple[str, ...]) -> MultiFernet:
    # Keys are long random texts of any form; Fernet wants exactly 32 bytes.
    return MultiFernet([Fernet(base64.urlsafe_b64encode(hashlib.sha256(key.encode()).digest())) for key in keys])


class EncryptedTextField(models.TextField[str, str]):
    """A text that is encrypted in the database and plain in Python. It cannot be searched by."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:  # noqa: ARG002 - Django's signature
        return None if value is None else decrypt(value)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        stored = super().get_db_prep_save(value, connection)
        return encrypt(stored) if isinstance(stored, str) else stored
