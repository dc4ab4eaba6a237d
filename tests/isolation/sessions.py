"""Sessions that stay seen: each request of these tests is rolled back, and what it noted in the session with it."""

from collections.abc import Iterable
from datetime import timedelta
from http.cookies import SimpleCookie

from django.conf import settings
from django.utils import timezone

from legalqa.accounts.services.sessions import SEEN_EVERY
from legalqa.accounts.session_store import SIGNED_IN, SessionStore

BEFORE_IT_IS_DUE = timedelta(seconds=20)  # longer than a test that begins with sessions seen just in time


class Sessions:
    """The sessions of everybody, by their cookies, and when they were last seen.

    A session that was not seen for a minute is written by every request, and one not seen for half an hour is over.
    """

    def __init__(self, cookies: dict[str, str]) -> None:
        self._cookies = cookies
        self._seen_at = timezone.now()

    def keep_seen(self) -> None:
        """Note in every session that its person is still there, where that is due soon."""
        now = timezone.now()
        if now - self._seen_at < SEEN_EVERY - BEFORE_IT_IS_DUE:
            return
        for key in self._keys():
            session = SessionStore(key)
            session[SIGNED_IN] |= {"seen": now.isoformat(), "proved": now.isoformat()}
            session.save()
        self._seen_at = now

    def _keys(self) -> Iterable[str]:
        for cookie in self._cookies.values():
            yield SimpleCookie(cookie)[settings.SESSION_COOKIE_NAME].value
