"""How often a password reset may be requested: every request counts, whether or not the address is known."""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from legalqa.accounts.models import ResetRequest
from legalqa.accounts.secrets import digest_of
from legalqa.common.errors import TooMany


def reset_count(*, email: str, address: str) -> bool:
    """Count a request and return whether a mail may be sent; the page must not show the difference.

    Args:
        address: Of the machine that sends the request.

    Raises:
        TooMany: that machine has sent too many requests within an hour, for any accounts.
    """
    digest, since = digest_of(email.strip().lower()), timezone.now() - timedelta(seconds=settings.RESETS_S)
    ResetRequest.objects.filter(at__lt=since).delete()
    if ResetRequest.objects.filter(address=address).count() >= settings.RESETS_A_MACHINE:
        raise TooMany(
            "Too many password resets were requested from here. Wait an hour, or ask an owner of your organisation "
            "for a sign-in link.",
            code="too_many_resets",
        )
    ResetRequest.objects.create(email_digest=digest, address=address)
    return ResetRequest.objects.filter(email_digest=digest).count() <= settings.RESETS_A_PERSON
