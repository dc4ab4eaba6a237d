"""How long each model is waited for and how much it is given to read: its own limits, and the usual ones."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.llm import gateway
from legalqa.llm.models import GatewaySettings, Provider, RoleModel
from legalqa.llm.selectors import candidate_list
from legalqa.llm.types import LOCAL_LIMITS, Limits, Message, Outcome, Role
from tests.commands import told
from tests.legalqa.llm.setting_up import KEY, ask, calls, set_up
from tests.people import Firm
from tests.provider import ScriptedProvider, Wire, drips, never_answers, says

pytestmark = pytest.mark.django_db
BLOCKS = tuple(f"[S{n}] " + "The tenant pays the rent. " * 20 for n in range(1, 9))


def change(firm: Firm, row: RoleModel, **values: Any) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        RoleModel.objects.filter(pk=row.pk).update(**values)


def limits(firm: Firm, role: Role = Role.ANSWER) -> list[Limits]:
    with organization_scope(firm.organization, user=firm.owner):
        return [each.limits for each in candidate_list(organization=firm.organization, role=role)]


def begins_after(seconds: float) -> Any:
    """A server that reads for a while before it writes."""

    def reply(wire: Wire) -> None:
        wire.wait(seconds)
        says("The rent is 900 euros.")(wire)

    return reply


def test_a_model_that_reads_for_longer_than_usual_is_heard_where_its_limits_say_so(
    firm: Firm, scripted_provider: ScriptedProvider
) -> None:
    row = set_up(firm, scripted_provider.url)
    slow: dict[str, Any] = {"stream": True, "first_token_s": 0.2, "deadline_s": 0.5}
    scripted_provider.always = begins_after(0.8)

    before = ask(firm, **slow)
    change(firm, row, deadline_s=20, first_token_s=20)
    after = ask(firm, **slow)

    assert (before.outcome, before.reason) == (Outcome.UNAVAILABLE, "The provider did not answer in time.")
    assert (after.outcome, after.text.strip()) == (Outcome.OK, "The rent is 900 euros.")


def test_evidence_is_cut_to_the_models_budget_and_the_best_passage_always_goes(
    firm: Firm, scripted_provider: ScriptedProvider
) -> None:
    row = set_up(firm, scripted_provider.url)
    scripted_provider.always = says("Yes.")
    asked = {"messages": (Message("user", "Read:", blocks=BLOCKS, after="What rent?"),)}
    sent = []
    for tokens in (None, 400, 100):
        change(firm, row, evidence_tokens=tokens)
        sent.append(8 - ask(firm, **asked).blocks_dropped)

    assert sent == [8, 2, 1]
    assert scripted_provider.asked[2].text.startswith("Read:\n\n[S1]")
    assert [call.blocks_dropped for call in calls(firm)] == [0, 6, 7]


def test_a_local_model_has_the_usual_limits_of_local_ones_until_others_are_set(
    firm: Firm, scripted_provider: ScriptedProvider
) -> None:
    row = set_up(firm, scripted_provider.url)
    plain = limits(firm)
    with organization_scope(firm.organization, user=firm.owner):
        Provider.objects.update(is_local=True)
    local = limits(firm)
    change(firm, row, first_token_s=240)

    assert (plain, local) == ([Limits()], [LOCAL_LIMITS[Role.ANSWER]])
    assert (limits(firm)[0].first_token_s, limits(firm)[0].deadline_s) == (240, 600)


@pytest.mark.parametrize(("role", "n_read", "n_written"), [(Role.EXTRACT, 2000, 1500), (Role.JUDGE, 8000, 512)])
def test_a_local_model_has_the_time_to_read_and_write_what_its_role_asks_for(
    role: Role, n_read: int, n_written: int, firm: Firm, scripted_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url, role=role)
    with organization_scope(firm.organization, user=firm.owner):
        Provider.objects.update(is_local=True)

    (held,) = limits(firm, role)
    assert (held.deadline_s or 0) > n_read / 70 + n_written / 10


def test_the_command_waits_for_a_local_model_to_load_and_not_for_one_that_only_has_a_limit_of_its_own(
    firm: Firm, scripted_provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(firm, set_up(firm, scripted_provider.url), deadline_s=60)
    # The real one is 15 seconds.
    monkeypatch.setattr("legalqa.llm.connection.DEADLINE_S", 0.2)
    scripted_provider.will(begins_after(0.6), begins_after(0.6))

    with pytest.raises(SystemExit):
        told("llm", "test", organization="harding")
    with organization_scope(firm.organization, user=firm.owner):
        Provider.objects.update(is_local=True)
    assert told("llm", "test", organization="harding")["models"][0]["works"]


def test_a_model_that_follows_has_its_own_time_beside_that_of_the_first(
    firm: Firm, scripted_provider: ScriptedProvider, second_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url)
    second = set_up(firm, second_provider.url, name="Second", place=1)
    change(firm, second, deadline_s=200)
    who: dict[str, Any] = {"organization": firm.organization, "role": Role.ANSWER}

    alone = gateway.seconds_for(**who, asked_s=90.0)
    with organization_scope(firm.organization, user=firm.owner):
        GatewaySettings.objects.create(organization=firm.organization, allows_fallback=True)
    both = gateway.seconds_for(**who, asked_s=90.0)
    change(firm, second, deadline_s=900)
    most = gateway.seconds_for(**who, asked_s=90.0)

    assert (alone, both, most) == (90.0, 290.0, 900.0)


def test_the_first_model_leaves_the_second_its_whole_time(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    row = set_up(firm, scripted_provider.url)
    change(firm, row, deadline_s=1)
    later = set_up(firm, scripted_provider.url, model="m-2", place=1)
    change(firm, later, deadline_s=20)
    scripted_provider.will(never_answers, begins_after(1.2))

    reply = ask(firm, stream=True, deadline_s=1.0)

    assert (reply.outcome, reply.model) == (Outcome.OK, "m-2")


def test_a_long_answer_is_cancelled_as_soon_as_a_short_one(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    row = set_up(firm, scripted_provider.url)
    change(firm, row, deadline_s=600, between_s=600, first_token_s=600)
    scripted_provider.will(drips(0.02))
    heard: list[str] = []

    reply = ask(firm, on_delta=heard.append, cancelled=lambda: len(heard) > 2)

    assert reply.outcome is Outcome.CANCELLED


def test_a_client_that_waits_for_an_answer_waits_as_long_as_any_model_may_take() -> None:
    from legalqa.answering import streaming

    most = django_settings.LLM_DEADLINE_MAX_S
    assert most < streaming.STREAM_S
    assert most < django_settings.QUEUE_TIMEOUT_S


def test_the_operators_model_may_be_a_local_one(
    firm: Firm, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    settings.LLM_URL, settings.LLM_MODEL, settings.LLM_FOR = scripted_provider.url, "smollm2", ["harding"]
    settings.LLM_LOCAL, settings.LLM_EVIDENCE = True, 800

    assert limits(firm) == [Limits(deadline_s=600, first_token_s=300, between_s=60, evidence_tokens=800)]


def test_one_form_sets_up_a_local_model_without_a_key(
    firm: Firm, client_of: Callable[[User], Client], scripted_provider: ScriptedProvider
) -> None:
    owner, slug = client_of(firm.owner), firm.organization.slug
    typed = {"name": "Ollama", "base_url": scripted_provider.url, "is_local": "on", "model": "qwen3:4b"}
    scripted_provider.will(says("Yes."))

    owner.post(reverse("llm_provider_create", kwargs={"slug": slug}), typed)

    assert ask(firm).model == "qwen3:4b"
    assert limits(firm) == [LOCAL_LIMITS[Role.ANSWER]]
    with organization_scope(firm.organization, user=firm.owner):
        row = RoleModel.objects.get()
    change_page = reverse("llm_model_update", kwargs={"slug": slug, "role_model_id": row.pk})
    given = {"price_in": "0", "price_out": "0", "context_tokens": "4096", "evidence_tokens": "900"}
    refused = owner.post(change_page, given | {"deadline_s": "901"})
    owner.post(change_page, given | {"deadline_s": "240"})

    assert "900" in str(refused.context["form"].errors["deadline_s"])
    assert limits(firm) == [Limits(deadline_s=240, first_token_s=300, between_s=60, evidence_tokens=900)]


def test_the_page_says_what_the_operator_must_set_and_what_of_a_key_is_shown(
    firm: Firm, client_of: Callable[[User], Client], settings: Settings
) -> None:
    settings.LLM_ADDRESSES = ["https://api.openai.com/v1"]
    owner, page = client_of(firm.owner), {"slug": firm.organization.slug}
    typed = {"name": "Ollama", "base_url": "http://localhost:11434/v1", "is_local": "on"}

    refused = owner.post(reverse("llm_provider_create", kwargs=page), typed)
    for name, key in (("Long", KEY), ("Short", "shortkey")):
        given = {"name": name, "base_url": "https://api.openai.com/v1", "key": key}
        owner.post(reverse("llm_provider_create", kwargs=page), given)
    shown = " ".join(owner.get(reverse("llm_page", kwargs=page)).content.decode().split())

    assert refused.status_code == 422
    assert "LEGALQA_LLM_ADDRESSES=https://api.openai.com/v1, http://localhost:11434/v1" in refused.content.decode()
    assert "The last four characters are shown if the key has at least 12; otherwise none." in shown
    assert "…4711" in shown
    assert "stored; too short to show part of it" in shown


def test_only_roles_that_something_asks_are_offered(
    firm: Firm, client_of: Callable[[User], Client], scripted_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url, role=Role.MODERATE)  # set up while it was offered
    page = client_of(firm.owner).get(reverse("llm_page", kwargs={"slug": firm.organization.slug}))

    assert [key for key, _ in page.context["model_form"].fields["role"].choices] == [
        "answer",
        "rewrite",
        "extract",
        "judge",
        "embed",
        "rerank",
    ]
    assert [role.key for role in page.context["roles"]] == [
        "answer",
        "rewrite",
        "extract",
        "judge",
        "embed",
        "moderate",
        "rerank",
    ]
