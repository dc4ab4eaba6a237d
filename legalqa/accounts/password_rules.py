"""Which passwords are too easy to guess; loaded by AUTH_PASSWORD_VALIDATORS."""

import re
from threading import Lock
from typing import Any
from unicodedata import combining, normalize

from django.core.exceptions import ValidationError
from zxcvbn import zxcvbn

from legalqa.accounts.models import User
from legalqa.accounts.selectors import membership_list_of_user

GUESSES_MIN = 1_000_000_000  # guesses that a password must withstand
LOOKED_AT = 32  # characters: the worst passwords take 0.8 s of processor time, and 22 s at 72
LETTERS_MIN = 4  # ours: fewer do not make a word
PRODUCT = ("legalqa", "legal qa", "legal-qa")
# What the library's English lists lack or rank low: months, seasons, weekdays, "password", and the words of our
# profession, in English, German, French, Spanish, Italian and Polish, without accents.
WORDS_OF_ALL = re.findall(
    r"\w+",
    """
    january february march april may june july august september october november december
    spring summer autumn winter monday tuesday wednesday thursday friday saturday sunday
    password passphrase welcome lawyer attorney solicitor lawfirm office
    januar februar marz mai juni juli oktober dezember fruhling fruhjahr sommer herbst
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
    passwort kennwort willkommen rechtsanwalt rechtsanwaltin anwalt anwaltin kanzlei
    janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre printemps ete automne hiver
    lundi mardi mercredi jeudi vendredi samedi dimanche motdepasse bienvenue avocat avocate cabinet
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    primavera verano otono invierno lunes martes miercoles jueves viernes sabado domingo
    contrasena bienvenido abogado abogada despacho
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre estate autunno inverno
    lunedi martedi mercoledi giovedi venerdi domenica parola passe benvenuto avvocato avvocata studio
    styczen luty marzec kwiecien maj czerwiec lipiec sierpien wrzesien pazdziernik listopad grudzien
    wiosna lato jesien zima poniedzialek wtorek sroda czwartek piatek sobota niedziela haslo witaj adwokat kancelaria
    """,
)
_one_at_a_time = Lock()  # the library keeps our words in a table of its module


class GuessableValidator:
    """Refuses what programs try first: common passwords, repeats, rows of keys, dates, names followed by digits.

    Django's list of common passwords has only whole passwords, and few of twelve characters.
    """

    def validate(self, password: str, user: User | None = None, *, house: str = "") -> None:
        """Raise ValidationError if the password takes too few guesses.

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
        if _guessed(password, words)["guesses"] < GUESSES_MIN:
            raise ValidationError(
                "This password is easy to guess: it is common, repeats itself, follows the keyboard, or is little "
                "more than a name. Choose another one, such as four unrelated words.",
                code="password_guessable",
            )
        if _is_words_and_digits(password, words):
            raise ValidationError(
                "This password is easy to guess: it is common words with digits and signs before or after them. "
                "Choose another one, such as four unrelated words.",
                code="password_word_and_digits",
            )

    def get_help_text(self) -> str:
        return "Your password can’t be easily guessed: a common one, a repeat, or little more than a name."


def _guessed(password: str, words: list[str]) -> dict[str, Any]:
    with _one_at_a_time:
        result: dict[str, Any] = zxcvbn(password[:LOOKED_AT], user_inputs=words)
    return result


def _is_words_and_digits(password: str, words: list[str]) -> bool:
    """Whether only common words remain without the digits and signs at both ends, which programs vary."""
    letters = "".join(sign for sign in normalize("NFKD", password) if not combining(sign))
    word = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", letters.replace("ł", "l").replace("Ł", "L"))
    if len(word) < LETTERS_MIN or not word.isalnum() or word == password:
        return False
    guessed = _guessed(word, [*words, *WORDS_OF_ALL])
    is_of_words = all(part["pattern"] == "dictionary" for part in guessed["sequence"])
    return bool(is_of_words and guessed["guesses"] < GUESSES_MIN)


def _words(name: str) -> list[str]:
    """A name as it is, its single words, and all of them joined."""
    words = re.findall(r"\w{3,}", name.lower())
    return [word for word in (name.lower(), *words, "".join(words)) if word]
