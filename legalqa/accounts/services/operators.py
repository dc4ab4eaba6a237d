"""Operators who work inside an organisation: its audit log says who entered, why, and when they left."""

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services.audit import audit


def operator_enter(*, organization: Organization, operator: User, reason: str) -> None:
    with organization_scope(organization, user=None):
        audit(organization=organization, actor=operator, action="operator.entered", reason=reason)


def operator_leave(*, organization: Organization, operator: User) -> None:
    with organization_scope(organization, user=None):
        audit(organization=organization, actor=operator, action="operator.left")
