"""Invitations: an owner creates a link, and the person who opens it becomes a member, once."""

from uuid import UUID

from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from legalqa.accounts.models import Invitation, Membership, Organization, Role, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.secrets import digest_of, secret_make
from legalqa.accounts.selectors import member_list, user_find
from legalqa.accounts.services.audit import audit, audit_of_person
from legalqa.accounts.services.links import LinkInvalid, link_check, link_expiry
from legalqa.accounts.services.members import member_add
from legalqa.accounts.services.passwords import access_end_others, account_renew, address_proof_set
from legalqa.common.errors import ApplicationError, Conflict, NotFound

VALID_HOURS = 7 * 24
WHAT = "invitation"


def member_invite(*, organization: Organization, actor: User, email: str, role: Role) -> tuple[Invitation, str]:
    """Invite an address, inside the organisation; an earlier open invitation of the same address ends.

    Returns:
        The invitation, and the path of its link, the only place that has its secret.

    Raises:
        Conflict: the address already belongs to a member.
    """
    email = email.strip().lower()
    if member_list(organization=organization).filter(user__email=email).exists():
        raise Conflict(f"{email} is already a member. Change their role in the list instead.", code="already_member")
    Invitation.objects.filter(organization=organization, email=email, accepted_at=None).delete()
    secret, digest = secret_make()
    invitation = Invitation.objects.create(
        organization=organization,
        digest=digest,
        email=email,
        role=role,
        invited_by=actor,
        expires_at=link_expiry(hours=VALID_HOURS),
    )
    audit(organization=organization, actor=actor, action="member.invited", subject_id=invitation.pk, role=role)
    return invitation, reverse("invitation_accept", args=[secret])


def invitation_mailed(*, invitation: Invitation) -> None:
    """Note that the link was mailed and not shown: opening it proves access to the mailbox."""
    Invitation.objects.filter(pk=invitation.pk).update(mailed_at=timezone.now())


def invitation_revoke(*, organization: Organization, actor: User, invitation_id: UUID) -> None:
    """Withdraw an open invitation, inside the organisation.

    Raises:
        NotFound: no such invitation here, or it has been accepted.
    """
    n_rows, _ = Invitation.objects.filter(organization=organization, pk=invitation_id, accepted_at=None).delete()
    if not n_rows:
        raise NotFound("invitation")
    audit(organization=organization, actor=actor, action="invitation.revoked", subject_id=invitation_id)


def invitation_open(*, token: str, lock: bool = False) -> Invitation:
    """The invitation behind a link.

    Raises:
        LinkInvalid: there is none.
        LinkOver: it was accepted, or seven days have passed.
    """
    invitations = Invitation.objects.select_related("organization")
    if lock:
        invitations = invitations.select_for_update(of=("self",))
    invitation = invitations.filter(digest=digest_of(token)).first()
    if invitation is None:
        raise LinkInvalid(
            "This invitation does not exist, or it was withdrawn. Ask the person who invited you for a new one.",
            code="link_unknown",
        )
    link_check(what=WHAT, is_used=invitation.accepted_at is not None, expires_at=invitation.expires_at)
    return invitation


@transaction.atomic
def invitation_accept(*, token: str, user: User, password: str = "", session_key: str | None = None) -> Membership:
    """Make a person who is signed in to their account a member; outside any scope.

    Args:
        password: A new one, needed if it is not proved that the account belongs to the owner of the address.
        session_key: The session in which they accept; their other sessions end.

    Raises:
        LinkInvalid, LinkOver: as `invitation_open`.
        Conflict: the invitation is for another address.
        ApplicationError: a new password is needed.
    """
    invitation = invitation_open(token=token, lock=True)
    if user.email != invitation.email:
        raise Conflict(
            f"This invitation is for {invitation.email}. Sign in with that address and open the link again.",
            code="other_address",
        )
    # The owner of the person's former organisation may have created these: they must not give access here too.
    if user.address_proved_at is not None:
        access_end_others(user=user, session_key=session_key)
        return _join(invitation, user)
    if not password:
        raise ApplicationError("Choose a new password to join. Open the invitation again.", code="no_password")
    counts = account_renew(user=user, password=password, session_key=session_key)
    membership = _join(invitation, user)
    audit_of_person(user=user, actor=user, action="account.renewed", **counts)
    return membership


@transaction.atomic
def invitation_accept_as_new(*, token: str, name: str, password: str) -> Membership:
    """Create an account for the invited address and make its person a member; outside any scope.

    Raises:
        LinkInvalid, LinkOver: as `invitation_open`.
        Conflict: the address has an account.
    """
    invitation = invitation_open(token=token, lock=True)
    conflict = Conflict(
        f"{invitation.email} already has an account. Sign in with it, then open the link again.", code="account_exists"
    )
    if user_find(email=invitation.email):
        raise conflict
    try:
        user = User.objects.create_user(invitation.email, password, name=name)
    except IntegrityError:  # two invitations of one address, accepted in the same moment
        raise conflict from None
    return _join(invitation, user)


def _join(invitation: Invitation, user: User) -> Membership:
    invitation.accepted_at = timezone.now()
    invitation.save(update_fields=["accepted_at"])
    if invitation.mailed_at is not None:
        address_proof_set(user=user, is_proved=True)
    organization = invitation.organization
    with organization_scope(organization, user=user):
        audit(organization=organization, actor=user, action="invitation.accepted", subject_id=invitation.pk)
        return member_add(organization=organization, user=user, role=Role(invitation.role), actor=user)
