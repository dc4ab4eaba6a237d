"""Passwords that programs try first are refused in a sentence; asking for resets is counted."""

import re
from typing import Any

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.fixtures import Settings

from legalqa.accounts import mail as mails
from legalqa.accounts.models import ResetRequest, Role
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import member_invite
from tests.outbox import mail_wait
from tests.people import Firm

SENTENCE = "This password is easy to guess"
GUESSED = [
    "123456789012",
    "passwordpassword",
    "aaaaaaaaaaaa",
    "            ",
    "letmeinletmein",
    "iloveyou1234",
    "passw0rdpassw0rd",
    "legalqa12345",
    "Legal-QA-2026!",
    "password1234",
    "111111111111",
    "qwertyuiop12",
    "1q2w3e4r5t6y",
    "abcdefghijkl",
    "hunter2hunter2",
    "Summer2026!!!",
    "P@ssw0rd1234!",
]
WORDS_AND_DIGITS = [
    "sommer2025!!",
    "januar2026!!",
    "Rechtsanwalt1",
    "ilovemydog123",
    "contraseña123",
    "2026_Février!!",
    "Październik2026",
    "Mercoledì-2026",
    "S0mmer!2025!!",
]
NOT_GUESSED = [
    "correct horse battery staple",
    "kumquat-zephyr-4711-boxing",
    "ß" * 3 + "xq7Lm2vKw9" * 9,
    "sommer-kelp-2025-violin",
    "xW4mayo91#kq",
    "aB3$9182!?47",
    "correcthorsebattery1",
]


@pytest.mark.parametrize("password", GUESSED)
def test_what_programs_try_first_is_refused_in_one_sentence(firm: Firm, password: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        validate_password(password, firm.lawyer)

    assert any(SENTENCE in sentence for sentence in refusal.value.messages)


@pytest.mark.parametrize("password", WORDS_AND_DIGITS)
def test_common_words_of_any_language_with_digits_around_them_are_refused(firm: Firm, password: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        validate_password(password, firm.lawyer)

    assert len(refusal.value.messages) == 1
    assert SENTENCE in refusal.value.messages[0]


@pytest.mark.parametrize("password", ["hardingstone2026", "Harding & Stone 1"])
def test_the_name_of_the_house_with_little_around_it_is_refused(firm: Firm, password: str) -> None:
    with pytest.raises(ValidationError, match=SENTENCE):
        validate_password(password, firm.lawyer)
    with organization_scope(firm.organization, user=firm.owner):
        _, path = member_invite(
            organization=firm.organization, actor=firm.owner, email="new@example.org", role=Role.LAWYER
        )
    page = Client().post(path, {"name": "Nora New", "password1": password, "password2": password})
    assert page.status_code == 422
    assert SENTENCE in page.content.decode()


def test_only_the_beginning_of_a_long_password_is_looked_at(firm: Firm, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long rows of signs that stand for letters take the library half a minute."""
    looked_at: list[str] = []

    def noted(password: str, **given: Any) -> dict[str, Any]:
        looked_at.append(password)
        return {"guesses": 10**10}

    monkeypatch.setattr("legalqa.accounts.password_rules.zxcvbn", noted)  # notes how much the library is given
    validate_password("4@8({[<3€69!1|0$5+7%2" * 40, firm.lawyer)

    assert [len(password) for password in looked_at] == [32]


@pytest.mark.parametrize("password", NOT_GUESSED)
def test_words_that_do_not_belong_together_are_taken(firm: Firm, password: str) -> None:
    validate_password(password, firm.lawyer)


def ask(email: str, address: str = "198.51.100.7") -> tuple[int, str]:
    response = Client(REMOTE_ADDR=address).post(reverse("password_reset"), {"email": email}, follow=True)
    page = re.sub(r'value="[^"]*"', "", response.content.decode())
    return response.status_code, page


def test_one_address_gets_five_mails_an_hour_and_the_page_does_not_tell(firm: Firm) -> None:
    known = [ask(firm.lawyer.email.upper() if n % 2 else firm.lawyer.email) for n in range(8)]
    unknown = [ask("nobody@harding.example", "198.51.100.8") for _ in range(8)]
    mail_wait()

    assert len(mail.outbox) == 5
    assert known == unknown
    assert {status for status, _ in known} == {200}


def test_one_machine_asks_thirty_times_an_hour_for_whomever(firm: Firm) -> None:
    asked = [ask(f"person{n}@harding.example")[0] for n in range(30)]
    status, page = ask(firm.lawyer.email)
    elsewhere = ask(firm.lawyer.email, "198.51.100.9")
    mail_wait()

    assert set(asked) == {200}
    assert status == 429
    assert "Too many password resets were requested from here. Wait an hour" in page
    assert elsewhere[0] == 200
    assert [message.to for message in mail.outbox] == [[firm.lawyer.email]]


def test_after_an_hour_the_count_begins_again(firm: Firm, settings: Settings) -> None:
    for _ in range(6):
        ask(firm.lawyer.email)
    settings.RESETS_S = 0
    ask(firm.lawyer.email)
    mail_wait()

    assert len(mail.outbox) == 6
    assert ResetRequest.objects.count() == 1


def test_a_reset_does_the_same_work_for_known_and_unknown_addresses(
    firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    make = mails.mail_make

    def noted(**given: Any) -> EmailMessage:
        made.append(given["to"])
        return make(**given)

    monkeypatch.setattr(mails, "mail_make", noted)  # a mail that is made and not sent leaves no trace
    asked = [firm.lawyer.email, "nobody@harding.example"]
    counts = []
    for email in asked:
        with CaptureQueriesContext(connection) as queries:
            Client().post(reverse("password_reset"), {"email": email})
        counts.append(len(queries))
    mail_wait()

    assert made == asked
    assert counts[0] == counts[1]
    assert [message.to for message in mail.outbox] == [[firm.lawyer.email]]


def test_the_address_that_was_typed_is_not_kept(firm: Firm) -> None:
    ask("somebody.private@example.org")

    assert ResetRequest.objects.count() == 1
    assert "somebody.private" not in str(list(ResetRequest.objects.values()))
