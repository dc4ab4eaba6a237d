"""Requests with an idempotency key: done once, even if they are sent again or a process dies in between.

A key belongs to one person, one endpoint and one content. The first request claims it under a lease, the service that
acts notes the object that it creates in its own transaction, and the reply is kept for a day. A repeated request gets
the stored reply. If a kill left none, the reply is made again from the noted object; if nothing was noted, nothing was
done, and the request is carried out now.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from uuid import UUID, uuid4

from django.conf import settings
from django.utils import timezone

from legalqa.accounts.models import KeptReply, Organization, RequestCount, User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, Conflict

KEY_MAX = 255  # characters


# The reply in progress, with its lease: every write checks that no other request has taken it over.
_active: ContextVar[KeptReply | None] = ContextVar("reply_claim", default=None)


def reply_claim(*, organization: Organization, user: User, endpoint: str, key: str, digest: str) -> KeptReply:
    """The row of the key. If it has a status, the reply is stored; else the caller holds its lease and must act.

    Args:
        endpoint: Method and path.
        digest: Of the whole content; a key may be used again only with the same content.

    Raises:
        ApplicationError: the key is malformed, or was used with other content (422).
        Conflict: a request with the key is in progress; `extra` says when to try again.
    """
    if not (0 < len(key) <= KEY_MAX and key.isascii() and key.isprintable()):
        raise ApplicationError(
            f"The Idempotency-Key is malformed. Send 1 to {KEY_MAX} printable ASCII characters.", code="idempotency_key"
        )
    now = timezone.now()
    fresh = {
        "digest": digest,
        "lease": uuid4(),
        "lease_until": now + timedelta(seconds=settings.IDEMPOTENCY_LEASE_S),
        "subject_id": None,
        "status": None,
        "body": "",
        "created_at": now,
    }
    with organization_scope(organization, user=user):
        _, is_new = KeptReply.objects.get_or_create(
            organization=organization, user=user, endpoint=endpoint, key=key, defaults=fresh
        )
        replies = KeptReply.objects.select_for_update().filter(user=user, endpoint=endpoint, key=key)
        reply = replies.first()
        if reply is None:  # the earlier request has just failed and given its key back
            raise _in_progress(1)
        if is_new:
            return reply
        if reply.created_at < now - timedelta(seconds=settings.IDEMPOTENCY_KEPT_S):
            return _taken(reply, fresh)
        if reply.digest != digest:
            raise _reused()
        if reply.status is None:
            if reply.lease_until > now:
                raise _in_progress(max(1, int((reply.lease_until - now).total_seconds() + 0.999)))
            return _taken(reply, {"lease": fresh["lease"], "lease_until": fresh["lease_until"]})
        return reply


def _taken(reply: KeptReply, values: dict[str, object]) -> KeptReply:
    for name, value in values.items():
        setattr(reply, name, value)
    reply.save(update_fields=list(values))
    return reply


def _in_progress(seconds: int) -> Conflict:
    return Conflict(
        "A request with this Idempotency-Key is still in progress. Send it again a little later.",
        code="idempotency_in_progress",
        extra={"retry_after": min(seconds, 5)},  # it usually ends long before its lease does
    )


def _reused() -> ApplicationError:
    error = ApplicationError(
        "This Idempotency-Key was used for a request with different content. Choose a new key for a new request.",
        code="idempotency_key_reused",
    )
    error.status = 422
    return error


@contextmanager
def reply_claimed(*, reply: KeptReply) -> Iterator[None]:
    """While the block runs, `reply_note` binds the object that is created to the key."""
    token = _active.set(reply)
    try:
        yield
    finally:
        _active.reset(token)


def reply_note(*, subject_id: UUID) -> None:
    """Bind a new object to the request's key, if it has one, in the transaction that creates the object.

    Raises:
        Conflict: another request has taken the key over; the transaction must not commit.
    """
    reply = _active.get()
    if reply is None:
        return
    replies = KeptReply.objects.filter(pk=reply.pk, lease=reply.lease, subject_id=None)
    if not replies.update(subject_id=subject_id):
        raise _in_progress(1)


def reply_keep(*, organization: Organization, user: User, reply: KeptReply, status: int, body: str) -> None:
    """Store the reply for repeated requests."""
    with organization_scope(organization, user=user):
        KeptReply.objects.filter(pk=reply.pk, lease=reply.lease).update(status=status, body=body)


def reply_drop(*, organization: Organization, user: User, reply: KeptReply) -> None:
    """Give the key back after a refusal or a fault: the same request may be sent again and is then processed as new.

    If the request was carried out and only its reply failed, the key stays bound to the object.
    """
    with organization_scope(organization, user=user):
        replies = KeptReply.objects.filter(pk=reply.pk, lease=reply.lease)
        replies.filter(subject_id=None).delete()
        replies.update(lease_until=timezone.now())


def api_rows_clear() -> int:
    """Remove replies older than a day and counts of unused tokens; returns how many rows."""
    now, n_removed = timezone.now(), 0
    before = now - timedelta(seconds=settings.IDEMPOTENCY_KEPT_S)
    yesterday = int(now.timestamp()) // 86_400 - 1
    for organization_id in Organization.objects.values_list("pk", flat=True):
        with organization_scope(organization_id, user=None):
            n_removed += KeptReply.objects.filter(created_at__lt=before).delete()[0]
            n_removed += RequestCount.objects.filter(day__lt=yesterday).delete()[0]
    return n_removed
