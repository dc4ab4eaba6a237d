"""One-time sign-in links, for people who have forgotten their password if there is no mail server."""

from uuid import UUID

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from legalqa.accounts.models import Organization, SignInLink, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.secrets import digest_of, secret_make
from legalqa.accounts.selectors import member_get, membership_list_of_user, second_factor_get
from legalqa.accounts.services.audit import audit_of_person
from legalqa.accounts.services.links import LinkInvalid, link_check, link_expiry
from legalqa.accounts.services.passwords import account_renew, address_proof_set
from legalqa.common.errors import ApplicationError, Conflict

WHAT = "sign-in link"
VALID_HOURS = 24


@transaction.atomic
def sign_in_link_create(*, user: User, actor: User | None = None) -> tuple[SignInLink, str]:
    """Create a link that signs the person in once; outside any scope. Earlier unused links end.

    Args:
        actor: Who creates it; None for a command.

    Returns:
        The link, and its path, the only place that has its secret.
    """
    SignInLink.objects.filter(user=user, used_at=None).delete()
    secret, digest = secret_make()
    link = SignInLink.objects.create(user=user, made_by=actor, digest=digest, expires_at=link_expiry(hours=VALID_HOURS))
    audit_of_person(user=user, actor=actor, action="sign_in_link.created", link=str(link.pk))
    return link, reverse("sign_in_link", args=[secret])


def sign_in_link_create_for_member(
    *, organization: Organization, actor: User, membership_id: UUID
) -> tuple[SignInLink, str]:
    """The same, by an owner for a member; outside any scope.

    Only for people who belong nowhere else: the link opens the whole account, and an owner must not get into another
    organisation or the operators' admin by it. The refusal does not say which of the two is the reason.

    Raises:
        NotFound: no such member here.
        Conflict: the account reaches beyond this organisation.
    """
    with organization_scope(organization, user=actor):
        person = member_get(organization=organization, membership_id=membership_id).user
    if person.is_staff or person.is_superuser or len(membership_list_of_user(user=person)) != 1:
        raise Conflict(
            f"A sign-in link for {person} cannot be created here. They can reset their password by e-mail, or an "
            f"operator can create the link.",
            code="account_reaches_further",
        )
    return sign_in_link_create(user=person, actor=actor)


def sign_in_link_open(*, token: str, lock: bool = False) -> SignInLink:
    """The link with that secret, if it still works.

    Raises:
        LinkInvalid: there is none, or the person's account is closed.
        LinkOver: it was used or has expired.
    """
    links = SignInLink.objects.select_related("user")
    if lock:
        links = links.select_for_update(of=("self",))
    link = links.filter(digest=digest_of(token), user__is_active=True).first()
    if link is None:
        raise LinkInvalid(
            "This sign-in link does not exist, or a newer one replaced it. Ask for a new one.", code="link_unknown"
        )
    link_check(what=WHAT, is_used=link.used_at is not None, expires_at=link.expires_at)
    return link


@transaction.atomic
def sign_in_link_use(*, token: str, password: str = "") -> User:
    """Use the link up and return its person; outside any scope. Raises as `sign_in_link_open`.

    Args:
        password: The person's new one, if the link asks for it (`SignInLink.asks_for_password`).
    """
    link = sign_in_link_open(token=token, lock=True)
    user = link.user
    if link.asks_for_password and not password:
        raise ApplicationError("This link requires a new password. Open it again and choose one.", code="no_password")
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
    counts = account_renew(user=user, password=password) if link.asks_for_password else None
    audit_of_person(user=user, actor=user, action="sign_in_link.used", link=str(link.pk))
    if counts is not None:
        audit_of_person(user=user, actor=user, action="account.renewed", **counts)
    elif link.made_by_id is not None and second_factor_get(user=user) is None:
        address_proof_set(user=user, is_proved=False)  # the person who created the link may have opened it
    return user
