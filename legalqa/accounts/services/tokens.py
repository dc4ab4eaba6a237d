"""API tokens of a person in one organisation; call inside that organisation."""

import ipaddress
from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from legalqa.accounts.models import ApiToken, Organization, User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.secrets import SHOWN_CHARACTERS, TOKEN_PREFIX, secret_make
from legalqa.accounts.services.audit import audit
from legalqa.common.errors import ApplicationError, NotFound

MAX_ADDRESSES = 20


def token_create(
    *,
    organization: Organization,
    user: User,
    name: str,
    valid_days: int,
    scopes: Collection[TokenScope],
    addresses: Collection[str] = (),
) -> tuple[ApiToken, str]:
    """Create a token and return it with its secret, which is not stored.

    Args:
        valid_days: After this many days it ends, at most LEGALQA_TOKEN_MAX_DAYS.
        scopes: What it may be used for; at least one.
        addresses: Addresses or networks from which it may be used; none means anywhere.

    Raises:
        ApplicationError: no scope, too many days, or an address that is not valid.
    """
    if not scopes:
        raise ApplicationError("The token has no permissions. Tick at least one.", code="no_scope")
    if not 1 <= valid_days <= settings.TOKEN_MAX_DAYS:
        raise ApplicationError(
            f"A token can be valid for 1 to {settings.TOKEN_MAX_DAYS} days. Choose an earlier date.", code="token_days"
        )
    networks = token_addresses(raw=addresses)
    secret, digest = secret_make(TOKEN_PREFIX)
    token = ApiToken.objects.create(
        organization=organization,
        user=user,
        name=name,
        prefix=secret[:SHOWN_CHARACTERS],
        digest=digest,
        scopes=[scope for scope in TokenScope.values if scope in scopes],
        addresses=networks,
        expires_at=timezone.now() + timedelta(days=valid_days),
    )
    audit(organization=organization, actor=user, action="token.created", subject_id=token.pk, scopes=token.scopes)
    return token, secret


def token_addresses(*, raw: Collection[str]) -> list[str]:
    """Addresses and networks in CIDR form, each once.

    Raises:
        ApplicationError: one is not an address, or there are too many.
    """
    networks = []
    for text in raw:
        try:
            networks.append(str(ipaddress.ip_network(text.strip(), strict=False)))
        except ValueError:
            raise ApplicationError(
                f"{text[:60]!r} is not an address. Write one like 192.0.2.7, or a network like 192.0.2.0/24.",
                code="token_address",
            ) from None
    if len(networks) > MAX_ADDRESSES:
        raise ApplicationError(
            f"A token can have at most {MAX_ADDRESSES} addresses. Use networks instead.", code="token_address"
        )
    return list(dict.fromkeys(networks))


def token_revoke(*, organization: Organization, user: User, token_id: UUID) -> None:
    """End one of the person's own tokens.

    Raises:
        NotFound: they have no such token here, or it has ended.
    """
    tokens = ApiToken.objects.filter(organization=organization, user=user, pk=token_id, revoked_at=None)
    if not tokens.update(revoked_at=timezone.now()):
        raise NotFound("token")
    audit(organization=organization, actor=user, action="token.revoked", subject_id=token_id)
