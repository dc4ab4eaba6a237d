"""Rows of the audit log, written in the transaction of the act they record."""

from typing import Any
from uuid import UUID

from legalqa.accounts.models import AuditEvent, Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import membership_list_of_user
from legalqa.common.origin import active_origin


def audit(
    *, organization: Organization, actor: User | None, action: str, subject_id: UUID | None = None, **details: Any
) -> None:
    """Record one act, in the caller's transaction: ids and counts, never content.

    The organisation's log is a chain, so each writer waits until the transaction of the previous one has ended: call
    this last, after the locks that the act itself takes.
    """
    origin = active_origin()
    AuditEvent.objects.create(
        organization=organization,
        actor_id=actor.pk if actor else None,
        action=action,
        subject_id=subject_id,
        details=details,
        source=origin.source,
        address=origin.address,
    )


def audit_of_person(*, user: User, actor: User | None, action: str, **details: Any) -> None:
    """Record, in each organisation of a person, what was done to their account; outside any scope."""
    for membership in membership_list_of_user(user=user):
        with organization_scope(membership.organization, user=actor):
            audit(organization=membership.organization, actor=actor, action=action, subject_id=user.pk, **details)
