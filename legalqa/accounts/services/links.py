"""What all one-time links share: how long they are valid, and the messages once they no longer are."""

from datetime import datetime, timedelta

from django.utils import timezone

from legalqa.common.errors import ApplicationError


class LinkInvalid(ApplicationError):
    """No such link: mistyped, cut short, or withdrawn."""

    status = 404


class LinkOver(ApplicationError):
    """The link was valid once: it has been used or has expired."""

    status = 410


def link_expiry(*, hours: int) -> datetime:
    return timezone.now() + timedelta(hours=hours)


def link_check(*, what: str, is_used: bool, expires_at: datetime) -> None:
    """Raise LinkOver if the link has been used or is too old."""
    if is_used:
        raise LinkOver(f"This {what} has already been used; it works only once. Ask for a new one.", code="link_used")
    if expires_at <= timezone.now():
        raise LinkOver(f"This {what} has expired. Ask for a new one.", code="link_expired")
