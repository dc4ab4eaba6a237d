"""Organisations as a whole."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError, transaction

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services.audit import audit
from legalqa.common.errors import ApplicationError


def organization_create(*, name: str, slug: str, actor: User | None) -> Organization:
    """Create an empty organisation; it has no member until its first owner accepts an invitation."""
    organization = Organization.objects.create(name=name, slug=slug)
    with organization_scope(organization, user=None):
        audit(organization=organization, actor=actor, action="organization.created", subject_id=organization.pk)
    return organization


def organization_first(*, slug: str) -> None:
    """Create an organisation with that slug if the installation has none yet.

    Raises:
        ApplicationError: the slug has characters that do not belong in an address.
    """
    if Organization.objects.exists():
        return
    try:
        validate_slug(slug)
    except ValidationError:
        raise ApplicationError(
            f"The organisation's slug {slug!r} may contain only letters, digits, - and _. Choose another one.",
            code="bad_slug",
        ) from None
    try:
        with transaction.atomic():
            organization_create(name=slug.replace("-", " ").capitalize(), slug=slug, actor=None)
    except IntegrityError:
        return  # another command was faster
