"""New passwords: what ends with the old one, and what else ends if it is not proved who created the account.

If an invitation's link is shown on a page, the owner who created it can open it and have an account in somebody else's
name. So an account is trusted beyond its first organisation only after a link that was mailed to its address has been
opened. Until then, a person who joins another organisation with it, or gets a sign-in link from an owner or operator,
has to choose a new password, and everything that was set up before ends.
"""

from django.utils import timezone

from legalqa.accounts.models import ApiToken, RecoveryCode, SecondFactor, SignInLink, User
from legalqa.accounts.selectors import second_factor_get
from legalqa.accounts.services.audit import audit_of_person
from legalqa.accounts.services.sessions import sessions_close


def password_set(*, user: User, password: str) -> None:
    """Store a new password, which has been validated; sessions and tokens stay as they are."""
    user.set_password(password)
    user.save(update_fields=["password"])


def password_changed(*, user: User, session_key: str | None = None) -> None:
    """Record that a person chose a new password, and end what was opened or created with the old one.

    Args:
        session_key: The session in which they chose it, which remains.
    """
    access_end_others(user=user, session_key=session_key)
    audit_of_person(user=user, actor=user, action="password.changed")


def password_reset(*, user: User) -> None:
    """The same after a mailed link, which proves the address; a second factor stays, even if it is somebody else's."""
    if user.address_proved_at is None and second_factor_get(user=user) is None:
        tokens_end(user=user)
        address_proof_set(user=user, is_proved=True)
    password_changed(user=user)


def account_renew(*, user: User, password: str, session_key: str | None = None) -> dict[str, int]:
    """Set a new password on an account whose address is not proved, and end everything that was set up before.

    All sessions but one, sign-in links, second factor, recovery codes and API tokens end. In the caller's transaction,
    which records it once it has changed the person's memberships.

    Args:
        session_key: The session in which they chose it, which remains.

    Returns:
        How many second factors and tokens ended, for the audit log.
    """
    password_set(user=user, password=password)
    _, counts = SecondFactor.objects.filter(user=user).delete()
    RecoveryCode.objects.filter(user=user).delete()
    access_end_others(user=user, session_key=session_key)
    return {"factors": counts.get(SecondFactor._meta.label, 0), "tokens": tokens_end(user=user)}


def tokens_end(*, user: User) -> int:
    """End all of a person's API tokens, in every organisation, and return how many."""
    return ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())


def address_proof_set(*, user: User, is_proved: bool) -> None:
    user.address_proved_at = timezone.now() if is_proved else None
    user.save(update_fields=["address_proved_at"])


def access_end_others(*, user: User, session_key: str | None) -> None:
    """End a person's unused sign-in links and all their sessions but one."""
    SignInLink.objects.filter(user=user, used_at=None).delete()
    sessions_close(user=user, session_key=session_key)
