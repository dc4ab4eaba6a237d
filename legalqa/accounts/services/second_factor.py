"""The second factor of a person: setting it up, checking it, replacing a lost one, removing it. Outside any scope."""

from datetime import timedelta
from enum import StrEnum
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from legalqa.accounts import totp
from legalqa.accounts.models import Organization, RecoveryCode, SecondFactor, User
from legalqa.accounts.selectors import second_factor_get
from legalqa.accounts.services.audit import audit, audit_of_person
from legalqa.accounts.services.sessions import sessions_close
from legalqa.common.errors import ApplicationError, Conflict

FAILURES_ALLOWED = 5  # wrong codes in a row before a pause
PAUSE = timedelta(minutes=15)


class CodeRefused(ApplicationError):
    """A wrong code, or too many of them."""

    status = 422


class _Outcome(StrEnum):
    APP = "app"
    RECOVERY_CODE = "recovery_code"
    WRONG = "wrong"
    PAUSED = "paused"  # by this code
    WAITING = "waiting"  # by earlier ones, so this one was not checked


@transaction.atomic
def second_factor_begin(*, user: User) -> SecondFactor:
    """A factor that waits for its first code, with a new secret each time: somebody may have seen an earlier one.

    Raises:
        Conflict: they already have one, or start twice at the same moment.
    """
    waiting = SecondFactor.objects.select_for_update().filter(user=user).first()
    if waiting is None:
        try:
            with transaction.atomic():
                return SecondFactor.objects.create(user=user, secret=totp.secret_new())
        except IntegrityError:
            raise Conflict("This was started a moment ago. Reload the page.", code="begun_twice") from None
    if waiting.confirmed_at is not None:
        raise Conflict("You already have a second factor. Remove it before you set up another one.", code="has_factor")
    waiting.secret, waiting.last_step = totp.secret_new(), 0
    waiting.save(update_fields=["secret", "last_step"])
    return waiting


def second_factor_confirm(*, user: User, code: str, session_key: str | None) -> list[str]:
    """Activate the factor with a first code from the app, and end the person's other sessions.

    Returns:
        The recovery codes, which are not stored.

    Raises:
        CodeRefused: the code is wrong, or too many were.
        Conflict: there is nothing to confirm.
    """
    with transaction.atomic():
        factor = SecondFactor.objects.select_for_update().filter(user=user, confirmed_at=None).first()
        if factor is None:
            raise Conflict("There is no second factor to confirm. Start over on the security page.", code="no_factor")
        outcome = _check(factor, code, recovery=False)
        if outcome is _Outcome.APP:
            factor.confirmed_at = timezone.now()
            factor.save(update_fields=["confirmed_at"])
            codes = _recovery_codes_make(user)
            n_ended = sessions_close(user=user, session_key=session_key)
            audit_of_person(user=user, actor=user, action="second_factor.added", sessions_ended=n_ended)
    if outcome is not _Outcome.APP:
        raise _refusal(outcome)
    return codes


def second_factor_show(*, user: User, code: str) -> None:
    """Check a code of the app or a recovery code at sign-in; a right code cannot be used again.

    The row of the factor is locked meanwhile: of two browsers that send the same code, only one gets in.

    Raises:
        CodeRefused: wrong, used before, or too many wrong ones.
    """
    with transaction.atomic():
        factor = SecondFactor.objects.select_for_update().exclude(confirmed_at=None).filter(user=user).first()
        outcome = _check(factor, code, recovery=True) if factor else _Outcome.WRONG
    if outcome is _Outcome.RECOVERY_CODE:
        n_left = RecoveryCode.objects.filter(user=user, used_at=None).count()
        audit_of_person(user=user, actor=user, action="recovery_code.used", left=n_left)
    elif outcome is not _Outcome.APP:
        if outcome is not _Outcome.WAITING:  # otherwise someone who keeps trying would fill the log
            audit_of_person(user=user, actor=None, action="second_factor.refused", paused=outcome is _Outcome.PAUSED)
        raise _refusal(outcome)


def _check(factor: SecondFactor, code: str, *, recovery: bool) -> _Outcome:
    """Compare under the row's lock and count failures; the caller must commit, even after a wrong code."""
    now = timezone.now()
    if factor.paused_until is not None and factor.paused_until > now:
        return _Outcome.WAITING
    outcome = _Outcome.WRONG
    step = totp.step_matching(secret=factor.secret, code=code, at=now)
    if step is not None and step > factor.last_step:
        factor.last_step, outcome = step, _Outcome.APP
    elif recovery and _recovery_code_spend(factor.user_id, code):
        outcome = _Outcome.RECOVERY_CODE
    factor.failures = factor.failures + 1 if outcome is _Outcome.WRONG else 0
    factor.paused_until = None
    if factor.failures >= FAILURES_ALLOWED:
        factor.failures, factor.paused_until, outcome = 0, now + PAUSE, _Outcome.PAUSED
    factor.save(update_fields=["last_step", "failures", "paused_until"])
    return outcome


def _recovery_code_spend(user_id: UUID, code: str) -> bool:
    digest = totp.recovery_code_digest(user_id=user_id, code=code)
    unused = RecoveryCode.objects.filter(user_id=user_id, digest=digest, used_at=None)
    return unused.update(used_at=timezone.now()) == 1


def _refusal(outcome: _Outcome) -> CodeRefused:
    if outcome in (_Outcome.PAUSED, _Outcome.WAITING):
        return CodeRefused("Too many wrong codes. Wait 15 minutes, then try again.", code="factor_paused")
    return CodeRefused(
        "This code is wrong or was already used. Wait for the next one in your app and enter it.", code="wrong_code"
    )


def recovery_codes_renew(*, user: User) -> list[str]:
    """Ten new recovery codes; the old ones end.

    Raises:
        Conflict: the person has no second factor.
    """
    with transaction.atomic():
        _confirmed(user)
        codes = _recovery_codes_make(user)
        audit_of_person(user=user, actor=user, action="recovery_codes.renewed")
    return codes


def _recovery_codes_make(user: User) -> list[str]:
    RecoveryCode.objects.filter(user=user).delete()
    codes = totp.recovery_codes_new()
    digests = (totp.recovery_code_digest(user_id=user.pk, code=code) for code in codes)
    RecoveryCode.objects.bulk_create(RecoveryCode(user=user, digest=digest) for digest in digests)
    return codes


def second_factor_remove(*, user: User, actor: User, session_key: str | None = None) -> None:
    """Remove the factor and its recovery codes, and end the person's sessions.

    Args:
        actor: The person, or the operator who helps them.
        session_key: The session in which they do it, which remains.

    Raises:
        Conflict: they have none.
    """
    with transaction.atomic():
        _confirmed(user).delete()
        RecoveryCode.objects.filter(user=user).delete()
        n_ended = sessions_close(user=user, session_key=session_key)
        audit_of_person(user=user, actor=actor, action="second_factor.removed", sessions_ended=n_ended)


def _confirmed(user: User) -> SecondFactor:
    factor = SecondFactor.objects.select_for_update().exclude(confirmed_at=None).filter(user=user).first()
    if factor is None:
        raise Conflict("There is no second factor here. Reload the page.", code="no_factor")
    return factor


def second_factor_demand(*, organization: Organization, actor: User, is_needed: bool) -> None:
    """Require a second factor from everyone in the organisation, or no longer; inside that organisation.

    Raises:
        Conflict: the owner who requires it has none, and would be the first to be locked out.
    """
    if is_needed and second_factor_get(user=actor) is None:
        raise Conflict("Set up your own second factor first; then you can require it for everyone.", code="no_factor")
    organization.needs_second_factor = is_needed
    organization.save(update_fields=["needs_second_factor"])
    audit(organization=organization, actor=actor, action="organization.second_factor_needed", is_needed=is_needed)
