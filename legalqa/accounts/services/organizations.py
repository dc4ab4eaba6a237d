"""Organisations as a whole."""

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services.audit import audit


def organization_create(*, name: str, slug: str, actor: User | None) -> Organization:
    """Make an empty organisation; it has no member until its first owner accepts an invitation."""
    organization = Organization.objects.create(name=name, slug=slug)
    with organization_scope(organization, user=None):
        audit(organization=organization, actor=actor, action="organization.created", subject_id=organization.pk)
    return organization
