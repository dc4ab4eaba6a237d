"""What was typed is not lost when the password is asked for again: it waits, encrypted, and is carried out once."""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from legalqa.accounts.kept_forms import CHARACTERS_MAX, KEPT
from legalqa.accounts.models import ApiToken, Invitation, Membership, Role, Session, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.secrets import digest_of
from legalqa.accounts.services import sign_in_link_create
from legalqa.llm.models import Provider
from tests.legalqa.accounts.test_sessions import rewind
from tests.people import PASSWORD, Firm

ClientOf = Callable[[User], Client]
KEY = "sk-proj-4711-never-to-be-seen"
INVITED = {"email": "new@example.org", "role": "lawyer"}


@pytest.fixture
def owner(firm: Firm, client_of: ClientOf) -> Client:
    """Signed in a while ago."""
    client = client_of(firm.owner)
    rewind(client, proved=timedelta(minutes=15))
    return client


def send(client: Client, name: str, data: Mapping[str, object]) -> str:
    """Send a form and return where it leads: to the page that asks for the password."""
    location = client.post(reverse(name, args=["harding"]), data)["Location"]
    assert location.startswith(reverse("reauthenticate"))
    return location


def confirm(client: Client, location: str, password: str = PASSWORD) -> tuple[int, str]:
    asked = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
    response = client.post(reverse("reauthenticate"), {"password": password, **asked})
    return response.status_code, response.content.decode()


def test_an_invitation_is_sent_after_the_password_as_it_was_typed(owner: Client) -> None:
    location = send(owner, "member_invite", INVITED)
    page = owner.get(location).content.decode()

    assert "<strong>to invite someone</strong>" in page
    assert not Invitation.objects.exists()
    assert confirm(owner, location) == (302, "")
    assert Invitation.objects.get().email == "new@example.org"
    assert [message.to for message in mail.outbox] == [["new@example.org"]]


def test_a_wrong_password_carries_nothing_out_and_loses_nothing(owner: Client) -> None:
    location = send(owner, "member_invite", INVITED)
    status, page = confirm(owner, location, "not the password")

    assert status == 422
    assert "<strong>to invite someone</strong>" in page
    assert not Invitation.objects.exists()
    confirm(owner, location)
    assert Invitation.objects.count() == 1


def test_a_provider_is_set_up_and_its_key_is_nowhere_meanwhile(
    owner: Client, firm: Firm, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No names are looked up in tests.
    monkeypatch.setattr("legalqa.llm.services.providers.target_of", lambda *_, **__: None)
    given = {"name": "Ours", "base_url": "https://api.openai.com/v1", "key": KEY}
    location = send(owner, "llm_provider_create", given)
    row = Session.objects.get(pk=digest_of(str(owner.session.session_key)))

    assert KEY not in location
    assert KEY not in owner.get(location).content.decode()
    assert KEY not in str(row.get_decoded())
    assert confirm(owner, location)[0] == 302
    with organization_scope(firm.organization, user=firm.owner):
        assert Provider.objects.get().key_last4 == KEY[-4:]


def test_a_token_is_made_with_all_that_was_ticked_and_shown_once(owner: Client) -> None:
    given = {"name": "nightly", "works_for": "30", "scopes": ["search", "corpora:read"], "addresses": ""}
    status, page = confirm(owner, send(owner, "token_create", given))

    assert status == 200
    assert re.search(r"lqa_[\w-]{43}", page)
    assert sorted(ApiToken.objects.get().scopes) == ["corpora:read", "search"]


def test_a_form_with_a_mistake_comes_back_filled_in(owner: Client) -> None:
    status, page = confirm(owner, send(owner, "member_invite", {"email": "no address at all", "role": "lawyer"}))

    assert status == 422
    assert 'value="no address at all"' in page


def test_it_is_carried_out_once(owner: Client) -> None:
    given = {"name": "nightly", "works_for": "30", "scopes": ["search"]}
    location = send(owner, "token_create", given)
    confirm(owner, location)
    confirm(owner, location)

    assert ApiToken.objects.count() == 1


def test_it_waits_for_ten_minutes_only(owner: Client) -> None:
    location = send(owner, "member_invite", INVITED)
    session = owner.session
    session[KEPT] |= {"at": (timezone.now() - timedelta(minutes=10)).isoformat()}
    session.save()

    assert "to invite someone" not in owner.get(location).content.decode()
    assert confirm(owner, location)[0] == 302
    assert not Invitation.objects.exists()


def test_another_session_of_the_same_person_cannot_take_it(owner: Client, firm: Firm, client_of: ClientOf) -> None:
    location = send(owner, "member_invite", INVITED)
    confirm(client_of(firm.owner), location)

    assert not Invitation.objects.exists()


def test_who_lost_the_role_meanwhile_is_refused(owner: Client, firm: Firm) -> None:
    location = send(owner, "member_invite", INVITED)
    with organization_scope(firm.organization, user=firm.owner):
        Membership.objects.filter(user=firm.owner).update(role=Role.LAWYER)

    assert confirm(owner, location)[0] == 403
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(
    "given",
    [{"email": "a" * CHARACTERS_MAX}, {"email": "a@example.org", "file": SimpleUploadedFile("a.txt", b"text")}],
    ids=["a very long text", "a file"],
)
def test_what_is_not_kept_says_so(owner: Client, given: dict[str, object]) -> None:
    page = owner.get(send(owner, "member_invite", given)).content.decode()

    assert "Nothing has changed yet. Confirm it is you, then try again." in page


def test_who_came_by_a_link_finds_the_account_page_by_a_link(firm: Firm) -> None:
    _, path = sign_in_link_create(user=firm.lawyer)
    client = Client()
    client.post(path)
    account = reverse("account", args=["harding"])

    assert f'<a href="{account}">Account</a>' in client.get(reverse("reauthenticate")).content.decode()
    signed_in = Client()
    signed_in.post(reverse("login"), {"username": firm.owner.email, "password": PASSWORD})
    assert "Account</a>" not in signed_in.get(reverse("reauthenticate")).content.decode()
