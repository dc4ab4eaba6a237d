"""Pages and endpoints of language models: what owners set up, what is refused, and what nobody sees again."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.common.egress import EgressRefused
from legalqa.common.errors import ApplicationError
from legalqa.llm.connection import TESTS
from legalqa.llm.models import GatewaySettings, Provider, RoleModel
from legalqa.llm.services.providers import provider_create, provider_update
from tests.commands import told
from tests.legalqa.llm.setting_up import KEY, ask, calls, set_up
from tests.people import Firm
from tests.provider import ScriptedProvider, refuses_key, says

ClientOf = Callable[[User], Client]


def address(firm: Firm, name: str, **ids: Any) -> str:
    return reverse(name, kwargs={"slug": firm.organization.slug, **ids})


@pytest.fixture
def owner(firm: Firm, client_of: ClientOf) -> Client:
    return client_of(firm.owner)


@pytest.fixture
def program(firm: Firm) -> Callable[..., Any]:
    """Calls an endpoint with an owner's token and returns its JSON."""
    headers = firm.bearer(firm.owner, *ALL_SCOPES)

    def send(method: str, name: str, data: object = None, **ids: Any) -> Any:
        body = {} if method == "get" else {"content_type": "application/json"}
        response = getattr(Client(), method)(reverse(name, kwargs=ids), data or {}, headers=headers, **body)
        return response.json()

    return send


def test_an_owner_sets_up_a_provider_and_a_model_and_nobody_sees_the_key_again(
    firm: Firm, owner: Client, scripted_provider: ScriptedProvider
) -> None:
    given = {"name": "Ours", "base_url": scripted_provider.url, "key": KEY}
    owner.post(address(firm, "llm_provider_create"), given)
    with organization_scope(firm.organization, user=firm.owner):
        provider = Provider.objects.get()
    model = {"role": "answer", "provider_id": provider.pk, "model": "m-1", "price_in": 1, "price_out": 2}
    owner.post(address(firm, "llm_model_create"), model | {"context_tokens": 4096})
    scripted_provider.will(says("Yes."))

    shown = [
        owner.get(address(firm, "llm_page")),
        owner.get(address(firm, "llm_provider_update", provider_id=provider.pk)),
    ]

    assert ask(firm).is_ok
    with connection.cursor() as cursor, organization_scope(firm.organization, user=firm.owner):
        cursor.execute("SELECT sealed_key FROM llm_provider")
        [stored] = cursor.fetchone()
        audited = json.dumps(list(AuditEvent.objects.values("action", "details")))
    assert "…4711" in shown[0].content.decode()
    for text in (stored, audited, *(page.content.decode() for page in shown)):
        assert KEY not in text


def test_an_address_that_the_operator_did_not_list_is_refused(firm: Firm, owner: Client) -> None:
    response = owner.post(
        address(firm, "llm_provider_create"), {"name": "Ours", "base_url": "http://127.0.0.1:5432/v1", "key": "x"}
    )

    assert response.status_code == 422
    with organization_scope(firm.organization, user=firm.owner):
        assert not Provider.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        "http://api.example/v1",
        "https://127.0.0.1/v1",
        "https://[::ffff:169.254.169.254]/v1",
        "https://169.254.169.254/latest",
        "https://2130706433/v1",
        "https://0x7f.1/v1",
        "https://10.0.0.7/v1",
        "https://100.64.0.1/v1",
        "https://[fe80::1]/v1",
        "https://[64:ff9b::a9fe:a9fe]/v1",
        "https://[2002:7f00:1::]/v1",
        "https://user:word@93.184.216.34/v1",
        "https://93.184.216.34:8443/v1",
        "https://localhost./v1",
        "https://93.184.216.34/v1?to=x",
        "ftp://93.184.216.34/v1",
    ],
)
def test_a_typed_address_into_a_private_network_is_refused(firm: Firm, settings: Settings, url: str) -> None:
    settings.LLM_FREE_ENTRY = True

    with pytest.raises((EgressRefused, ApplicationError)):
        provider_create(**firm.by_owner, name="Ours", base_url=url)


def test_a_typed_address_next_to_a_listed_private_one_is_refused(
    firm: Firm, settings: Settings, scripted_provider: ScriptedProvider
) -> None:
    settings.LLM_FREE_ENTRY = True

    with pytest.raises(EgressRefused):
        provider_create(**firm.by_owner, name="Ours", base_url=f"{scripted_provider.origin}/admin")


def test_a_stored_key_is_not_sent_to_a_new_address(
    firm: Firm, scripted_provider: ScriptedProvider, second_provider: ScriptedProvider
) -> None:
    who: dict[str, Any] = {"organization": firm.organization, "user": firm.owner}
    provider = provider_create(**who, name="Ours", base_url=scripted_provider.url, key=KEY)

    with pytest.raises(ApplicationError, match="Enter the key again"):
        provider_update(**who, provider_id=provider.pk, name="Ours", base_url=second_provider.url)
    renamed = provider_update(**who, provider_id=provider.pk, name="Theirs", base_url=scripted_provider.url)
    assert renamed.key_last4 == "4711"


def test_tests_are_few_a_minute(firm: Firm, program: Callable[..., Any], scripted_provider: ScriptedProvider) -> None:
    row = set_up(firm, scripted_provider.url)
    scripted_provider.always = says("yes")

    replies = [program("post", "api_llm_model_test", role_model_id=row.pk) for _ in range(TESTS.limit + 1)]

    assert replies[:-1] == [{"works": True, "said": "It works."}] * TESTS.limit
    assert replies[-1]["code"] == "throttled"


def test_the_order_of_models_is_the_order_in_which_they_are_asked(
    firm: Firm, owner: Client, scripted_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url)
    second = set_up(firm, scripted_provider.url, model="m-2", place=1)
    scripted_provider.will(says("Yes."))

    owner.post(address(firm, "llm_model_first", role_model_id=second.pk))

    assert ask(firm).model == "m-2"


def test_every_sum_opens_its_calls(firm: Firm, owner: Client, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says("Yes."), refuses_key)
    ask(firm)
    ask(firm)

    page = owner.get(address(firm, "llm_costs"), {"by": "outcome"})

    queries = {row.label: (row.calls, query) for row, query in page.context["rows"]}
    assert {label: n for label, (n, _) in queries.items()} == {"Answered": 1, "No answer": 1}
    opened = owner.get(f"{address(firm, 'llm_costs')}?{queries['No answer'][1]}")
    assert [shown.call.outcome for shown in opened.context["calls"]] == ["unavailable"]


def test_a_budget_is_saved_and_its_use_is_told_at_four_fifths(
    firm: Firm, owner: Client, scripted_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url, price_out=1_000)
    owner.post(address(firm, "llm_budget"), {"cap_day": "0.06", "calls_per_minute": "9"})
    scripted_provider.will(says("Yes.", usage={"prompt_tokens": 1, "completion_tokens": 48}))

    ask(firm)

    with organization_scope(firm.organization, user=firm.owner):
        assert GatewaySettings.objects.values_list("cap_day", "cap_month", "calls_per_minute").get() == (
            60_000,
            None,
            9,
        )
    assert "Today: 80 % of the budget" in " ".join(owner.get(address(firm, "llm_page")).content.decode().split())


def test_a_program_does_what_the_pages_do(
    firm: Firm, program: Callable[..., Any], scripted_provider: ScriptedProvider
) -> None:
    provider = program("post", "api_llm_provider_list", {"name": "P", "base_url": scripted_provider.url, "key": KEY})
    model = {"role": "answer", "provider_id": provider["id"], "model": "m-1", "price_out": "1"}
    row = program("post", "api_llm_model_list", model)
    changed = program("post", "api_llm_settings", {"allows_fallback": True, "cap_day": "0.5"})
    scripted_provider.will(says("Yes."))
    ask(firm)

    listed, costs = program("get", "api_llm_call_list"), program("get", "api_llm_cost_list", {"by": "model"})

    assert (provider["key_last4"], "key" in provider) == ("4711", False)
    assert (changed["allows_fallback"], changed["cap_day"], changed["cap_month"]) == (True, "0.500000", None)
    assert [(call["outcome"], call["cost"]) for call in listed["results"]] == [("ok", "0.000005")]
    assert [(cost["key"], cost["calls"], cost["cost"]) for cost in costs["results"]] == [("m-1", 1, "0.000005")]
    assert program("post", "api_llm_model_detail", {"price_in": "3"}, role_model_id=row["id"])["price_in"] == "3.0000"


def test_days_in_the_wrong_order_are_refused(firm: Firm, owner: Client, program: Callable[..., Any]) -> None:
    wrong = {"since": "2024-02-01", "until": "2024-01-31"}
    page = owner.get(address(firm, "llm_costs"), wrong)

    assert page.status_code == 422
    assert "This day is before “From”. Exchange the two, or leave one empty." in page.content.decode()
    for name in ("api_llm_call_list", "api_llm_cost_list"):
        said = program("get", name, wrong)["message"]
        assert said == "until: It is before `since`. Exchange the two, or leave one out."
    assert program("get", "api_llm_call_list", {"until": "9999-12-31"})["count"] == 0


def test_the_command_tests_models_and_lists_calls(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says("yes"))

    tested, listed = told("llm", "test", organization="harding"), told("llm", "calls", organization="harding")

    assert tested["models"] == [
        {"role": "answer", "provider": "First", "model": "m-1", "works": True, "said": "It works."}
    ]
    assert [call["prompt"] for call in listed["calls"]] == ["connection-test@1"]
    with pytest.raises(CommandError, match="There is no organisation"):
        call_command("llm", "test", organization="nobody")
    with pytest.raises(CommandError, match="--limit is -1, but must be at least 1"):
        call_command("llm", "calls", organization="harding", limit=-1)


def test_removing_a_provider_takes_its_models_and_leaves_its_calls(
    firm: Firm, owner: Client, scripted_provider: ScriptedProvider
) -> None:
    row = set_up(firm, scripted_provider.url)
    scripted_provider.will(says("Yes."))
    ask(firm)

    owner.post(address(firm, "llm_provider_remove", provider_id=row.provider_id))

    with organization_scope(firm.organization, user=firm.owner):
        assert not RoleModel.objects.exists()
    assert [call.provider for call in calls(firm)] == ["First"]
