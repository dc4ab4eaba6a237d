"""People, organisations, and what lets the one into the other."""

from legalqa.accounts.models.audit import AuditEvent
from legalqa.accounts.models.links import ApiToken, Invitation, SignInLink
from legalqa.accounts.models.organization import Membership, Organization, Role
from legalqa.accounts.models.user import User

__all__ = ["ApiToken", "AuditEvent", "Invitation", "Membership", "Organization", "Role", "SignInLink", "User"]
