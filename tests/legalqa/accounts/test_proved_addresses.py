"""An account that an owner opened in a stranger's name does not stay theirs when the stranger works elsewhere."""

import re
from collections.abc import Callable

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from legalqa.accounts.models import AuditEvent, RecoveryCode, Role, SecondFactor, User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.selectors import membership_list_of_user
from legalqa.accounts.services import member_invite, sign_in_link_create
from tests.factors import enrol
from tests.outbox import mail_wait
from tests.pages import one_line
from tests.people import PASSWORD, Firm, signed_in

ClientOf = Callable[[User], Client]
VICTIM = "victim@rivals.example"
OPENERS = {"name": "Vera Victim", "password1": PASSWORD, "password2": PASSWORD}
NEW_PASSWORD = "kumquat-zephyr-4711-boxing"
CHOSEN = {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}


def invite(firm: Firm, email: str = VICTIM) -> str:
    """The path of an invitation's link, as the page shows it to the owner."""
    with organization_scope(firm.organization, user=firm.owner):
        return member_invite(organization=firm.organization, actor=firm.owner, email=email, role=Role.LAWYER)[1]


def signs_in(email: str, password: str) -> bool:
    client = Client()
    client.post(reverse("login"), {"username": email, "password": password})
    return client.get(reverse("organization_choose")).status_code == 200


def renewals(firm: Firm) -> list[dict[str, int]]:
    with organization_scope(firm.organization, user=firm.owner):
        return [row.details for row in AuditEvent.objects.filter(action="account.renewed")]


@pytest.fixture
def opener(firm: Firm) -> Client:
    """The owner of Harding has invited the stranger and opened the link themselves."""
    client = Client()
    client.post(invite(firm), OPENERS)
    return client


@pytest.fixture
def victim(firm: Firm, opener: Client) -> User:
    return User.objects.get(email=VICTIM)


def link_of_owner(firm: Firm, victim: User) -> str:
    return sign_in_link_create(user=victim, actor=firm.owner)[1]


def test_the_opener_does_not_get_in_after_the_stranger_joined_another_organisation(
    firm: Firm, rivals: Firm, opener: Client, victim: User
) -> None:
    path = invite(rivals)
    stranger = signed_in(victim)

    assert "This account has not been verified as yours" in stranger.get(path).content.decode()
    assert stranger.post(path).status_code == 422
    assert [m.organization.slug for m in membership_list_of_user(user=victim)] == ["harding"]
    joined = stranger.post(path, CHOSEN)

    assert joined["Location"] == reverse("question_ask", args=["rivals"])
    assert stranger.get(reverse("account", args=["rivals"])).status_code == 200
    assert not signs_in(VICTIM, PASSWORD)
    assert signs_in(VICTIM, NEW_PASSWORD)
    assert opener.get(reverse("account", args=["rivals"])).status_code == 302


def test_the_password_that_the_opener_knows_is_not_taken_again(rivals: Firm, victim: User) -> None:
    path, stranger = invite(rivals), Client()
    stranger.force_login(victim, backend="django.contrib.auth.backends.ModelBackend")
    response = stranger.post(path, {"new_password1": PASSWORD, "new_password2": PASSWORD})

    assert response.status_code == 422
    assert "This is the account&#x27;s current password" in response.content.decode()


def test_second_factor_and_tokens_of_the_opener_end_too(firm: Firm, rivals: Firm, victim: User) -> None:
    header = firm.bearer(victim, TokenScope.CORPORA_READ)
    enrol(victim)
    stranger = signed_in(victim)
    assert Client().get(reverse("api_me"), headers=header).status_code == 200
    stranger.post(invite(rivals), CHOSEN)

    assert Client().get(reverse("api_me"), headers=header).status_code == 401
    assert not SecondFactor.objects.filter(user=victim).exists()
    assert not RecoveryCode.objects.filter(user=victim).exists()
    assert signs_in(VICTIM, NEW_PASSWORD)


def test_both_owners_are_told_in_words(firm: Firm, rivals: Firm, victim: User, client_of: ClientOf) -> None:
    stranger = client_of(victim)
    stranger.post(invite(rivals), CHOSEN)

    for house in (firm, rivals):
        assert renewals(house) == [{"factors": 0, "tokens": 0}]
        owner = client_of(house.owner)
        members = owner.get(reverse("member_list", args=[house.organization.slug])).content.decode()
        assert "<strong>Vera Victim</strong> chose a new password on" in members
        assert "Address not verified" in members
        log = owner.get(reverse("audit_log", args=[house.organization.slug])).content.decode()
        assert "to verify that the account is theirs" in one_line(log)


def test_an_owners_sign_in_link_asks_for_a_new_password_before_it_is_spent(firm: Firm, victim: User) -> None:
    enrol(victim)
    path, stranger = link_of_owner(firm, victim), Client()

    assert stranger.post(path, {"new_password1": "short", "new_password2": "short"}).status_code == 422
    assert stranger.post(path, CHOSEN)["Location"] == reverse("home")
    assert stranger.get(reverse("account", args=["harding"])).status_code == 200
    assert not signs_in(VICTIM, PASSWORD)
    assert renewals(firm) == [{"factors": 1, "tokens": 0}]


def test_who_opens_a_mailed_invitation_keeps_everything_when_joining_elsewhere(
    firm: Firm, rivals: Firm, client_of: ClientOf
) -> None:
    client_of(firm.owner).post(reverse("member_invite", args=["harding"]), {"email": VICTIM, "role": "lawyer"})
    path = re.search(r"/invitation/[\w-]{43}/", str(mail.outbox[0].body))
    assert path is not None
    Client().post(path[0], OPENERS)
    person = User.objects.get(email=VICTIM)
    assert person.address_proved_at is not None

    assert client_of(person).post(invite(rivals)).status_code == 302
    assert signs_in(VICTIM, PASSWORD)
    assert renewals(firm) == renewals(rivals) == []


def test_a_link_that_the_page_shows_proves_nothing(firm: Firm, client_of: ClientOf, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    invited = reverse("member_invite", args=["harding"])
    page = client_of(firm.owner).post(invited, {"email": VICTIM, "role": "lawyer"}).content.decode()
    path = re.search(r"/invitation/[\w-]{43}/", page)
    assert path is not None
    Client().post(path[0], OPENERS)

    assert User.objects.get(email=VICTIM).address_proved_at is None


def test_a_mailed_reset_proves_the_address_unless_anothers_second_factor_prevents_it(firm: Firm, victim: User) -> None:
    def reset() -> None:
        mail.outbox.clear()
        Client().post(reverse("password_reset"), {"email": VICTIM})
        mail_wait()
        path = re.search(r"/password/reset/[^\s/]+/[^\s/]+/", str(mail.outbox[0].body))
        assert path is not None
        browser = Client()
        form = browser.get(path[0])["Location"]
        assert browser.post(form, CHOSEN).status_code == 302
        victim.refresh_from_db()

    enrol(victim)
    reset()
    assert not User.objects.filter(pk=victim.pk, address_proved_at__isnull=False).exists()
    SecondFactor.objects.filter(user=victim).delete()
    header = firm.bearer(victim, TokenScope.CORPORA_READ)
    reset()
    assert User.objects.filter(pk=victim.pk, address_proved_at__isnull=False).exists()
    assert Client().get(reverse("api_me"), headers=header).status_code == 401


def test_an_owner_who_opens_a_members_sign_in_link_takes_the_proof_away(firm: Firm, rivals: Firm) -> None:
    """They may have chosen a password in it, which must not open what the member joins later."""
    owner_as_lawyer = Client()
    owner_as_lawyer.post(link_of_owner(firm, firm.lawyer))
    owner_as_lawyer.post(reverse("account", args=["harding"]), CHOSEN)

    stranger = signed_in(User.objects.get(pk=firm.lawyer.pk))
    path = invite(rivals, firm.lawyer.email)
    assert stranger.post(path).status_code == 422
    mine = {"new_password1": "teapot-1892-marble-swing", "new_password2": "teapot-1892-marble-swing"}
    assert stranger.post(path, mine).status_code == 302
    assert not signs_in(firm.lawyer.email, NEW_PASSWORD)


def test_a_link_used_with_the_second_factor_leaves_the_proof(firm: Firm) -> None:
    enrol(firm.lawyer)
    Client().post(link_of_owner(firm, firm.lawyer))

    assert User.objects.get(pk=firm.lawyer.pk).address_proved_at is not None
    assert SecondFactor.objects.filter(user=firm.lawyer).exists()
