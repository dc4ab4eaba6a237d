"""Sessions in our own table, where a person's can be listed and ended; Django's table knows keys only."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.utils import timezone

from legalqa.accounts.models import Session

SIGNED_IN = "signed_in"  # key of the session: what is known of the sign-in, written by `session_note`


class SessionStore(DatabaseSessionStore):
    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row: Session = super().create_model_instance(data)  # type: ignore[assignment]  # of get_model_class
        row.user_id = data.get(SESSION_KEY)
        if note := data.get(SIGNED_IN):
            row.public_id, row.address, row.agent = note["id"], note["address"], note["agent"]
            row.signed_in_at = datetime.fromisoformat(note["at"])
            row.last_seen_at = datetime.fromisoformat(note["seen"])
            row.expire_date = min(row.expire_date, row.signed_in_at + timedelta(seconds=settings.SESSION_COOKIE_AGE))
        return row


def is_over(note: dict[str, Any]) -> bool:
    """Whether a sign-in has lasted as long as any may, or has not been used for as long as it may rest."""
    now = timezone.now()
    return (
        datetime.fromisoformat(note["at"]) + timedelta(seconds=settings.SESSION_COOKIE_AGE) <= now
        or datetime.fromisoformat(note["seen"]) + timedelta(seconds=settings.SESSION_IDLE_S) <= now
    )
