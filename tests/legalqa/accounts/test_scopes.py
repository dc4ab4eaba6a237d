"""What a token may do, from where, and how long: every endpoint asks for a scope, and a missing one is named."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse
from django.urls.converters import IntConverter
from django.utils import timezone
from pytest_django import Settings

from legalqa.accounts.api import MemberApi
from legalqa.accounts.models import ApiToken, User
from legalqa.accounts.scopes import ALL_SCOPES, ANY_TOKEN, FIRST_SCOPES, TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import token_create
from legalqa.common.errors import ApplicationError
from tests.legalqa.accounts.test_tokens import token_of
from tests.pages import one_line
from tests.people import Firm

ClientOf = Callable[[User], Client]
OPEN = {"api_schema", "api_docs"}
MADE_FOR = {"name": "nightly", "works_for": "30", "scopes": ["search"]}


def endpoints() -> Iterator[tuple[str, type[MemberApi]]]:
    """Every address of the API with its view, walked from the resolver."""

    def walk(patterns: list[Any]) -> Iterator[Any]:
        for pattern in patterns:
            yield from walk(pattern.url_patterns) if hasattr(pattern, "url_patterns") else [pattern]

    for pattern in walk(get_resolver().url_patterns):
        if (pattern.name or "").startswith("api_") and pattern.name not in OPEN:
            yield pattern.name, pattern.callback.view_class


def methods(view: type[MemberApi]) -> set[str]:
    return {method for method in ("get", "post", "put", "patch", "delete") if hasattr(view, method)}


every_endpoint = pytest.mark.parametrize(("name", "view"), list(endpoints()), ids=[name for name, _ in endpoints()])


@every_endpoint
def test_every_method_of_every_endpoint_declares_its_scope(name: str, view: type[MemberApi]) -> None:
    assert set(view.scopes) == methods(view)
    assert set(view.scopes.values()) <= {*TokenScope.values, ANY_TOKEN}
    assert ANY_TOKEN not in view.scopes.values() or name == "api_me"


def test_every_scope_opens_something() -> None:
    assert {scope for _, view in endpoints() for scope in view.scopes.values()} == {*TokenScope.values, ANY_TOKEN}


@every_endpoint
def test_a_token_without_the_scope_is_refused_and_told_which_it_lacks(
    name: str, view: type[MemberApi], firm: Firm
) -> None:
    parts, _, _, converters = next(p for p in get_resolver().reverse_dict.getlist(name))
    ids: dict[str, Any] = {
        one: 3 if isinstance(converters.get(one), IntConverter) else firm.owner.pk for one in parts[0][1]
    }
    for method, scope in view.scopes.items():
        if scope == ANY_TOKEN:
            continue
        others = tuple(one for one in ALL_SCOPES if one != scope)
        headers: Any = {"Authorization": f"Bearer {token_of(firm, firm.owner, scopes=others)}"}
        response = getattr(Client(), method)(reverse(name, kwargs=ids), headers=headers)
        assert response.status_code == 403, f"{method} {name}"
        assert f"lacks the scope {scope}" in response.json()["message"]


def test_the_schema_names_the_scope_of_every_operation() -> None:
    schema = Client().get("/api/v1/schema/?format=json").json()
    wanted = {
        (view.scopes[method], method) for _, view in endpoints() for method in methods(view) if view.scopes[method]
    }
    named = {
        (operation["x-required-scope"], method)
        for path in schema["paths"].values()
        for method, operation in path.items()
        if "x-required-scope" in operation
    }

    assert named == wanted
    described = schema["components"]["securitySchemes"]["ApiToken"]["description"]
    assert all(f"`{scope}`" in described for scope in TokenScope.values)


# -- From where -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("addresses", "status"),
    [
        ((), 200),
        (("127.0.0.1",), 200),
        (("10.0.0.0/8", "127.0.0.0/8"), 200),
        (("10.0.0.7",), 403),
        (("::1", "2001:db8::/32"), 403),
    ],
)
def test_a_token_may_be_kept_to_addresses(addresses: tuple[str, ...], status: int, firm: Firm) -> None:
    headers: Any = {"Authorization": f"Bearer {token_of(firm, firm.lawyer, addresses=addresses)}"}
    response = Client().get("/api/v1/me/", headers=headers)

    assert response.status_code == status
    if status == 403:
        assert "may not be used from 127.0.0.1" in response.json()["message"]
        assert ApiToken.objects.get().last_used_at is None


def test_without_a_known_address_a_kept_token_opens_nothing(firm: Firm) -> None:
    headers: Any = {"Authorization": f"Bearer {token_of(firm, firm.lawyer, addresses=('127.0.0.1',))}"}

    assert Client(REMOTE_ADDR="").get("/api/v1/me/", headers=headers).status_code == 403


# -- Making one -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"scopes": ()}, "has no permissions"),
        ({"valid_days": 0}, "for 1 to 365 days"),
        ({"valid_days": 366}, "for 1 to 365 days"),
        ({"addresses": ["10.0.0.300"]}, "is not an address"),
        ({"addresses": [f"10.0.0.{n}" for n in range(21)]}, "at most 20 addresses"),
    ],
)
def test_a_token_that_cannot_be_is_refused_in_words(arguments: dict[str, Any], said: str, firm: Firm) -> None:
    good: dict[str, Any] = {"name": "x", "valid_days": 30, "scopes": FIRST_SCOPES}
    with organization_scope(firm.organization, user=firm.lawyer), pytest.raises(ApplicationError, match=said):
        token_create(**firm.by_lawyer, **(good | arguments))


def test_the_page_ticks_little_and_makes_what_was_ticked(firm: Firm, client_of: ClientOf) -> None:
    client = client_of(firm.lawyer)
    page = client.get(reverse("token_list", args=["harding"]))
    assert page.context["form"]["scopes"].initial == ["corpora:read", "search"]

    sent = MADE_FOR | {"scopes": ["answers:read", "search"], "addresses": "192.0.2.7, 198.51.100.0/24"}
    client.post(reverse("token_create", args=["harding"]), sent)
    token = ApiToken.objects.get()
    assert token.scopes == ["search", "answers:read"]
    assert token.addresses == ["192.0.2.7/32", "198.51.100.0/24"]
    assert token.expires_at is not None
    assert abs(token.expires_at - timezone.now() - timedelta(days=30)) < timedelta(minutes=1)
    later = client.get(reverse("token_list", args=["harding"])).content.decode()
    assert "Search; Read your questions and their answers" in later
    assert "only from 192.0.2.7/32, 198.51.100.0/24" in one_line(later)


def test_a_date_of_ones_own_ends_the_token_on_it(firm: Firm, client_of: ClientOf) -> None:
    until = timezone.localdate() + timedelta(days=12)
    sent = MADE_FOR | {"works_for": "date", "until": until.isoformat()}
    client_of(firm.lawyer).post(reverse("token_create", args=["harding"]), sent)

    [token] = ApiToken.objects.all()
    assert token.expires_at is not None
    assert token.expires_at.date() == until


@pytest.mark.parametrize(
    "wrong",
    [
        {"scopes": []},
        {"scopes": ["everything"]},
        {"works_for": ""},
        {"works_for": "9999"},
        {"works_for": "date"},
        {"works_for": "date", "until": "2020-01-01"},
        {"works_for": "date", "until": "2999-01-01"},
        {"works_for": "date", "until": "soon"},
        {"addresses": "home"},
    ],
)
def test_the_page_refuses_what_cannot_be(wrong: dict[str, Any], firm: Firm, client_of: ClientOf) -> None:
    response = client_of(firm.lawyer).post(reverse("token_create", args=["harding"]), MADE_FOR | wrong)

    assert response.status_code == 422
    assert response.context["form"].errors
    assert not ApiToken.objects.exists()


def test_no_token_outlasts_what_the_installation_allows(firm: Firm, client_of: ClientOf, settings: Settings) -> None:
    settings.TOKEN_MAX_DAYS = 60
    page = client_of(firm.lawyer).get(reverse("token_list", args=["harding"]))

    assert [value for value, _ in page.context["form"].fields["works_for"].choices] == ["30", "date"]
