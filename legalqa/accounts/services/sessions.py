"""Signed-in browsers: recording their sessions, and ending them."""

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.core.management import call_command
from django.http import HttpRequest
from django.utils import timezone

from legalqa.accounts.models import Session, User
from legalqa.accounts.secrets import digest_of
from legalqa.accounts.services.audit import audit_of_person
from legalqa.accounts.session_store import SIGNED_IN
from legalqa.common.errors import NotFound
from legalqa.common.origin import origin_of

BACKEND = "django.contrib.auth.backends.ModelBackend"
SEEN_EVERY = timedelta(minutes=1)  # how exact "last seen" is: one write per minute, not per request


def session_begin(*, request: HttpRequest, user: User, how: str, with_factor: bool = False) -> None:
    """Sign a person in, in this browser, under a new session key; outside any scope.

    Args:
        how: password, link or invitation, for the audit log.
        with_factor: They have entered their second factor as well.
    """
    login(request, user, backend=BACKEND)
    if with_factor:
        session_factor_shown(request=request)
    audit_of_person(user=user, actor=user, action="session.started", how=how, second_factor=with_factor)


def session_note(*, request: HttpRequest) -> None:
    """Store, in a session that has just been signed in, when that was and from where."""
    now = timezone.now().isoformat()
    request.session[SIGNED_IN] = {
        "id": str(uuid.uuid4()),
        "at": now,
        "seen": now,
        "proved": now,
        "factor": False,
        "address": origin_of(request).address,
        "agent": request.headers.get("User-Agent", "")[:300].replace("\x00", ""),
    }


def session_seen(*, request: HttpRequest, note: dict[str, Any]) -> None:
    """Keep "last seen" accurate to the minute without a write for each request."""
    now = timezone.now()
    if now - datetime.fromisoformat(note["seen"]) >= SEEN_EVERY:
        note["seen"] = now.isoformat()
        request.session.modified = True


def session_proved(*, request: HttpRequest) -> None:
    """Note that the person at this browser has just proved their identity again."""
    request.session[SIGNED_IN]["proved"] = timezone.now().isoformat()
    request.session.modified = True


def session_is_fresh(*, request: HttpRequest) -> bool:
    """Whether they have proved it within the last quarter of an hour."""
    note = request.session.get(SIGNED_IN)
    proved = datetime.fromisoformat(note["proved"]) if note else None
    return proved is not None and timezone.now() - proved < timedelta(seconds=settings.REAUTHENTICATE_S)


def session_factor_shown(*, request: HttpRequest, shown: bool = True) -> None:
    """Note in the session whether it was opened with a second factor."""
    request.session[SIGNED_IN]["factor"] = shown
    request.session.modified = True


def session_has_factor(*, request: HttpRequest) -> bool:
    """Whether this session was opened with a second factor, or the person has set one up in it."""
    return bool(request.session.get(SIGNED_IN, {}).get("factor"))


def session_id(*, request: HttpRequest) -> str:
    """The session's id on pages, which never show its key."""
    return str(request.session.get(SIGNED_IN, {}).get("id", ""))


def session_left(*, user: User) -> None:
    """Record that a person signs out; outside any scope."""
    audit_of_person(user=user, actor=user, action="session.left")


def session_end(*, user: User, public_id: uuid.UUID) -> None:
    """End one of the person's own sessions; outside any scope.

    Raises:
        NotFound: they have no such session.
    """
    n_rows, _ = Session.objects.filter(user=user, public_id=public_id).delete()
    if not n_rows:
        raise NotFound("session")
    audit_of_person(user=user, actor=user, action="session.ended", sessions=1)


def sessions_end_others(*, user: User, session_key: str | None) -> int:
    """End all of the person's sessions but one, and return how many; outside any scope."""
    n_ended = sessions_close(user=user, session_key=session_key)
    audit_of_person(user=user, actor=user, action="session.ended", sessions=n_ended)
    return n_ended


def sessions_close(*, user: User, session_key: str | None = None) -> int:
    """The same without a row in the audit log, for acts that write their own."""
    digest = digest_of(session_key) if session_key else ""
    _, counts = Session.objects.filter(user=user).exclude(pk=digest).delete()
    return counts.get(Session._meta.label, 0)


def sessions_clear() -> None:
    """Remove the sessions that have expired: nothing else does, and each names the person to whom it belonged."""
    call_command("clearsessions")
