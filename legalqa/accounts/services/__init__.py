"""Acts on people and organisations; every one that matters leaves an audit row."""

from legalqa.accounts.services.audit import audit, audit_of_person
from legalqa.accounts.services.invitations import (
    invitation_accept,
    invitation_accept_as_new,
    invitation_open,
    invitation_revoke,
    member_invite,
)
from legalqa.accounts.services.links import LinkInvalid, LinkOver
from legalqa.accounts.services.members import member_add, member_remove, member_role_change
from legalqa.accounts.services.operators import operator_enter, operator_leave
from legalqa.accounts.services.organizations import organization_create
from legalqa.accounts.services.sessions import sessions_clear
from legalqa.accounts.services.sign_in import (
    password_changed,
    sign_in_link_create,
    sign_in_link_create_for_member,
    sign_in_link_open,
    sign_in_link_use,
)
from legalqa.accounts.services.tokens import token_create, token_revoke

__all__ = [
    "LinkInvalid",
    "LinkOver",
    "audit",
    "audit_of_person",
    "invitation_accept",
    "invitation_accept_as_new",
    "invitation_open",
    "invitation_revoke",
    "member_add",
    "member_invite",
    "member_remove",
    "member_role_change",
    "operator_enter",
    "operator_leave",
    "organization_create",
    "password_changed",
    "sessions_clear",
    "sign_in_link_create",
    "sign_in_link_create_for_member",
    "sign_in_link_open",
    "sign_in_link_use",
    "token_create",
    "token_revoke",
]
