"""Sessions in our own table, stored by the digests of their keys, so that a person's can be listed and ended."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.utils import timezone

from legalqa.accounts.models import Session
from legalqa.accounts.secrets import digest_of

SIGNED_IN = "signed_in"  # key of the session: details of the sign-in, written by `session_note`


class SessionStore(DatabaseSessionStore):
    @classmethod
    def get_model_class(cls) -> type[Session]:
        return Session

    def _get_session_from_db(self) -> Session | None:
        row = Session.objects.filter(pk=digest_of(self.session_key or ""), expire_date__gt=timezone.now()).first()
        if row is None:
            self._session_key = None  # never adopt an unknown key that a browser sends
        return row

    def exists(self, session_key: str) -> bool:
        return Session.objects.filter(pk=digest_of(session_key)).exists()

    def delete(self, session_key: str | None = None) -> None:
        if key := session_key or self.session_key:
            Session.objects.filter(pk=digest_of(key)).delete()

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row: Session = super().create_model_instance(data)  # type: ignore[assignment]  # of get_model_class
        row.session_key = digest_of(row.session_key)
        row.user_id = data.get(SESSION_KEY)
        if note := data.get(SIGNED_IN):
            row.public_id, row.address, row.agent = note["id"], note["address"], note["agent"]
            row.signed_in_at = datetime.fromisoformat(note["at"])
            row.last_seen_at = datetime.fromisoformat(note["seen"])
            row.expire_date = min(row.expire_date, row.signed_in_at + timedelta(seconds=settings.SESSION_COOKIE_AGE))
        return row


def is_over(note: dict[str, Any]) -> bool:
    """Whether a session has reached its maximum age or has been idle for too long."""
    now = timezone.now()
    return (
        datetime.fromisoformat(note["at"]) + timedelta(seconds=settings.SESSION_COOKIE_AGE) <= now
        or datetime.fromisoformat(note["seen"]) + timedelta(seconds=settings.SESSION_IDLE_S) <= now
    )
