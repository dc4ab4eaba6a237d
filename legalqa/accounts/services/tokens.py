"""API tokens of a person in one organisation; call inside that organisation."""

from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from legalqa.accounts.models import ApiToken, Organization, User
from legalqa.accounts.secrets import SHOWN_CHARACTERS, TOKEN_PREFIX, secret_make
from legalqa.accounts.services.audit import audit
from legalqa.common.errors import NotFound


def token_create(*, organization: Organization, user: User, name: str, valid_days: int | None) -> tuple[ApiToken, str]:
    """Make a token and return it with its secret, which is kept nowhere.

    Args:
        valid_days: None for a token without an end.
    """
    secret, digest = secret_make(TOKEN_PREFIX)
    token = ApiToken.objects.create(
        organization=organization,
        user=user,
        name=name,
        prefix=secret[:SHOWN_CHARACTERS],
        digest=digest,
        expires_at=timezone.now() + timedelta(days=valid_days) if valid_days else None,
    )
    audit(organization=organization, actor=user, action="token.created", subject_id=token.pk)
    return token, secret


def token_revoke(*, organization: Organization, user: User, token_id: UUID) -> None:
    """End one of the person's own tokens.

    Raises:
        NotFound: they have no such token here, or it has ended.
    """
    mine = ApiToken.objects.filter(organization=organization, user=user, pk=token_id, revoked_at=None)
    if not mine.update(revoked_at=timezone.now()):
        raise NotFound("token")
    audit(organization=organization, actor=user, action="token.revoked", subject_id=token_id)
