"""What operators do not see and cannot find out, and what they must show or say before they act."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.db import models
from django.test import Client, RequestFactory
from django.urls import reverse

from legalqa.accounts.models import AuditEvent, Invitation, SignInLink, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import invitation_open
from legalqa.common.admin import ReadOnlyAdmin
from tests.factors import enrol
from tests.legalqa.accounts.test_operators import enter
from tests.legalqa.accounts.test_sessions import rewind
from tests.people import PASSWORD, Firm

ClientOf = Callable[[User], Client]
PAGES = list(admin.site._registry.values())
NAMES = [page.opts.label for page in PAGES]
TEXTS = ("TextField", "JSONField", "ArrayField", "EncryptedTextField")
# Texts and structures that operators may read, with the reason; all others may hold words of documents or questions.
MAY_BE_READ = {
    "accounts.AuditEvent.details": "ids and counts, and why an operator came",
    "accounts.ApiToken.scopes": "names of scopes",
    "accounts.ApiToken.addresses": "networks",
    "webhooks.Webhook.events": "names of events",
}
SECRETS = {"digest", "password", "title", "email_digest", "session_key"}


@pytest.fixture
def operator(db: None) -> User:
    return User.objects.create_user("ops@example.org", PASSWORD, name="Olga Ops", is_staff=True)


@pytest.fixture
def client(operator: User, client_of: ClientOf) -> Client:
    return client_of(operator)


def columns(page: Any) -> dict[str, str]:
    """Every column of the page's table, and of which kind it is."""
    return {
        field.name: type(field).__name__ for field in page.model._meta.get_fields() if isinstance(field, models.Field)
    }


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_no_page_shows_texts_or_structures_that_may_hold_words(page: Any, rf: RequestFactory) -> None:
    assert isinstance(page, ReadOnlyAdmin)
    shown = {*page.list_display, *page.get_fields(rf.get("/"))}
    texts = {name for name, kind in columns(page).items() if kind in TEXTS}

    assert {f"{page.opts.label}.{name}" for name in shown & texts} <= set(MAY_BE_READ)
    assert shown & SECRETS == set()


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_no_page_can_be_filtered_by_what_its_list_does_not_show(page: Any, rf: RequestFactory) -> None:
    offered = {*page.list_display, *page.list_filter, *page.search_fields}
    hidden = set(columns(page)) - offered

    assert hidden
    assert [name for name in hidden if page.lookup_allowed(f"{name}__startswith", "a", rf.get("/"))] == []
    assert [name for name in offered if page.lookup_allowed(f"{name}__password__startswith", "a", rf.get("/"))] == []
    assert [name for name in offered if not page.lookup_allowed(f"{name}__exact", "a", rf.get("/"))] == []


@pytest.mark.parametrize("who", ["operator", "superuser"])
@pytest.mark.parametrize(
    "lookup", ["password__startswith", "password", "password__regex", "email__regex", "groups__user__password"]
)
def test_no_hash_of_a_password_is_spelt_out_through_filters(
    operator: User, client_of: ClientOf, who: str, lookup: str
) -> None:
    chief = User.objects.create_superuser("chief@example.org", PASSWORD, name="Cleo Chief")
    client = client_of(operator if who == "operator" else chief)
    address = reverse("admin:accounts_user_changelist")
    guesses = [client.get(address, {"email": chief.email, lookup: guess}) for guess in (chief.password[:12], "x")]

    assert [response.status_code for response in guesses] == [400, 400]
    assert "1 user" in client.get(address, {"email": chief.email}).content.decode()


@pytest.mark.parametrize("act", ["sign_in_link", "second_factor_remove", "close"])
def test_acts_on_accounts_want_a_password_of_the_last_quarter_of_an_hour(firm: Firm, client: Client, act: str) -> None:
    enrol(firm.lawyer)
    rewind(client, proved=timedelta(minutes=15))
    address = reverse("admin:accounts_user_changelist")
    data: dict[str, object] = {"action": act, "_selected_action": [str(firm.lawyer.pk)]}
    if act == "close":
        address, data = reverse("admin:accounts_user_change", args=[firm.lawyer.pk]), {"name": "Closed"}

    def done() -> bool:
        with organization_scope(firm.organization, user=None):
            actions = ("sign_in_link.created", "second_factor.removed", "account.closed")
            return AuditEvent.objects.filter(action__in=actions).exists()

    location = client.post(address, data)["Location"]
    assert location.startswith(reverse("reauthenticate"))
    assert not done()
    assert "to change users as an operator" in client.get(location).content.decode()
    page = client.post(location, {"password": PASSWORD}).content.decode()
    assert done()
    assert bool(re.search(r"http://testserver/sign-in/[\w-]{43}/", page)) == (act == "sign_in_link")
    assert SignInLink.objects.exists() == (act == "sign_in_link")


def test_an_operator_becomes_an_owner_only_with_a_reason_in_the_log(firm: Firm, operator: User, client: Client) -> None:
    change = reverse("admin:accounts_organization_change", args=[firm.organization.pk])
    page = client.post(change, {"name": "Harding", "owner_email": operator.email}).content.decode()
    assert "its audit log records why an owner was invited" in page
    assert not Invitation.objects.exists()

    enter(client, firm, reason="Ticket 4711: the only owner has died")
    page = client.post(change, {"name": "Harding", "owner_email": operator.email}).content.decode()
    link = re.search(r"/invitation/([\w-]{43})/", page)
    assert link is not None
    assert invitation_open(token=link[1]).email == operator.email
    with organization_scope(firm.organization, user=None):
        rows = list(AuditEvent.objects.order_by("sequence").values_list("action", "details"))
    assert rows[0] == ("operator.entered", {"reason": "Ticket 4711: the only owner has died"})
    assert rows[1][0] == "member.invited"


def test_having_entered_one_organisation_makes_no_owner_of_another(
    firm: Firm, rivals: Firm, operator: User, client: Client
) -> None:
    enter(client, firm)
    change = reverse("admin:accounts_organization_change", args=[rivals.organization.pk])
    page = client.post(change, {"name": "Rivals", "owner_email": operator.email}).content.decode()

    assert "Enter this organisation first" in page
    assert client.post(change, {"name": "Rivals renamed", "owner_email": ""}).status_code == 302


def test_the_lists_are_named_in_the_words_of_the_trade(firm: Firm, client: Client) -> None:
    enter(client, firm)
    page = client.get(reverse("admin:index")).content.decode()

    for words in ("Corpora", "Calls of language models", "API tokens", "Sign-in links", "Language models"):
        assert f">{words}</a>" in " ".join(page.split()).replace("> ", ">").replace(" <", "<"), words
    for wrong in ("Corpuss", "Llm", "Api tokens", "Sign in links", "Role models"):
        assert wrong not in page, wrong
    assert "css/operators.css" in page
