"""Second factors of the people in tests, and the codes that their telephones would show."""

import pyotp
from django.utils import timezone

from legalqa.accounts.models import SecondFactor, User
from legalqa.accounts.services import second_factor_begin, second_factor_confirm
from legalqa.accounts.totp import STEP_S


def code_of(user: User, *, steps: int = 0) -> str:
    """What the person's app shows now, or some steps of half a minute from now."""
    secret = SecondFactor.objects.get(user=user).secret
    return pyotp.TOTP(secret).at(int(timezone.now().timestamp()) + steps * STEP_S)


def enrol(user: User) -> list[str]:
    """Set up the person's second factor and return the recovery codes; the app's present code is unused afterwards."""
    second_factor_begin(user=user)
    codes = second_factor_confirm(user=user, code=code_of(user), session_key=None)
    SecondFactor.objects.filter(user=user).update(last_step=0)
    return codes
