"""Which passwords are too easily guessed; loaded by AUTH_PASSWORD_VALIDATORS."""

import re
from threading import Lock

from django.core.exceptions import ValidationError
from zxcvbn import zxcvbn

from legalqa.accounts.models import User
from legalqa.accounts.selectors import membership_list_of_user

GUESSES_MIN = 1_000_000_000  # guesses that a password must withstand
LOOKED_AT = 32  # characters: the worst take 0.8 s of a processor then, and 22 s at 72
PRODUCT = ("legalqa", "legal qa", "legal-qa")
_one_at_a_time = Lock()  # the library keeps the words that it is given in a table of the module


class GuessableValidator:
    """Refuses what programs try first: common passwords, repeats, rows of keys, dates, names with digits behind.

    Django's list of common passwords knows whole passwords only, and few of twelve characters.
    """

    def validate(self, password: str, user: User | None = None, *, house: str = "") -> None:
        """Raise ValidationError where few guesses lead to the password.

        Args:
            user: The name, address and organisations of the person are among the first guesses.
            house: Name of the organisation that they are about to join.
        """
        names = [house]
        if user is not None:
            names += [user.name, user.email]
            if not user._state.adding:
                names += [membership.organization.name for membership in membership_list_of_user(user=user)]
        words = [*PRODUCT, *(word for name in names for word in _words(name))]  # guessed in this order
        with _one_at_a_time:
            guesses = zxcvbn(password[:LOOKED_AT], user_inputs=words)["guesses"]
        if guesses < GUESSES_MIN:
            raise ValidationError(
                "This password is easily guessed: it is common, repeats itself, follows the keyboard, or is little "
                "more than a name. Choose another one, such as four unrelated words.",
                code="password_guessable",
            )

    def get_help_text(self) -> str:
        return "Your password can’t be easily guessed: a common one, a repeat, or little more than a name."


def _words(name: str) -> list[str]:
    """A name as it is, in its words, and with nothing between them."""
    words = re.findall(r"\w{3,}", name.lower())
    return [word for word in (name.lower(), *words, "".join(words)) if word]
