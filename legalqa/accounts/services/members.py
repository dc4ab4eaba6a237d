"""Who belongs to an organisation, and as what; call inside that organisation."""

from uuid import UUID

from django.utils import timezone

from legalqa.accounts.models import ApiToken, Invitation, Membership, Organization, Role, SignInLink, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import member_get, member_list, membership_list_of_user
from legalqa.accounts.services.audit import audit
from legalqa.common.errors import Conflict
from legalqa.common.followers import followers_call


def member_add(*, organization: Organization, user: User, role: Role, actor: User | None) -> Membership:
    """Make a person a member; an existing member keeps their role."""
    membership, is_new = Membership.objects.get_or_create(organization=organization, user=user, defaults={"role": role})
    if is_new:
        audit(organization=organization, actor=actor, action="member.joined", subject_id=user.pk, role=role)
    return membership


def member_role_change(*, organization: Organization, actor: User, membership_id: UUID, role: Role) -> Membership:
    """Give a member another role; it applies from their next request on.

    Raises:
        NotFound: no such member here.
        Conflict: they are the last owner.
    """
    _lock(organization)
    membership = member_get(organization=organization, membership_id=membership_id)
    before = membership.role
    if before == role:
        return membership
    if before == Role.OWNER:
        _keep_an_owner(organization)
        _withdraw_what_they_issued(organization, membership.user)
    membership.role = role
    membership.save(update_fields=["role"])
    followers_call("membership_changed", organization=organization, user=membership.user, role=role, actor=actor)
    audit(
        organization=organization,
        actor=actor,
        action="member.role_changed",
        subject_id=membership.user_id,
        before=before,
        after=role,
    )
    return membership


def member_remove(*, organization: Organization, actor: User, membership_id: UUID) -> User:
    """End a membership, and with it the person's tokens and webhooks here; their account and what they wrote remain.

    Raises:
        NotFound: no such member here.
        Conflict: they are the last owner, or the last person inside a wall.
    """
    _lock(organization)
    membership = member_get(organization=organization, membership_id=membership_id)
    person = membership.user
    if membership.role == Role.OWNER:
        _keep_an_owner(organization)
    followers_call("membership_ending", organization=organization, user=person)
    if membership.role == Role.OWNER:
        _withdraw_what_they_issued(organization, person)
    open_tokens = ApiToken.objects.filter(organization=organization, user=person, revoked_at=None)
    n_tokens = open_tokens.update(revoked_at=timezone.now())
    membership.delete()
    followers_call("membership_changed", organization=organization, user=person, role=None, actor=actor)
    audit(organization=organization, actor=actor, action="member.removed", subject_id=person.pk, tokens=n_tokens)
    return person


def account_switched(*, user: User, actor: User) -> None:
    """Record in each of a person's organisations that an operator has closed or opened their account; outside any."""
    action = "account.opened" if user.is_active else "account.closed"
    for membership in membership_list_of_user(user=user):
        organization, role = membership.organization, membership.role if user.is_active else None
        with organization_scope(organization, user=actor):
            followers_call("membership_changed", organization=organization, user=user, role=role, actor=actor)
            audit(organization=organization, actor=actor, action=action, subject_id=user.pk)


def _lock(organization: Organization) -> None:
    """Make two owners who demote each other at the same moment act one after the other.

    Not the strongest lock: rows that refer to the organisation, such as audit rows, can still be written.
    """
    Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)


def _keep_an_owner(organization: Organization) -> None:
    if member_list(organization=organization).filter(role=Role.OWNER).count() < 2:
        raise Conflict(
            "This person is the last owner, and an organisation needs one. Make another member an owner.",
            code="last_owner",
        )


def _withdraw_what_they_issued(organization: Organization, person: User) -> None:
    """Withdraw what a person has issued: an owner who leaves must not come back by a link of their own."""
    Invitation.objects.filter(organization=organization, invited_by=person, accepted_at=None).delete()
    members = member_list(organization=organization).values_list("user_id", flat=True)
    SignInLink.objects.filter(user_id__in=list(members), used_at=None).delete()
