"""Who is asked, in which order, with what, and what of it is kept."""

import json
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ScopeError
from legalqa.llm import gateway
from legalqa.llm.models import BudgetWindow, GatewaySettings, LLMCall, Provider
from legalqa.llm.services.ledger import calls_sweep
from legalqa.llm.types import Message, Outcome, Role
from tests.legalqa.llm.setting_up import KEY, Answer, ask, calls, set_up
from tests.people import Firm
from tests.provider import (
    Reply,
    ScriptedProvider,
    cut_in_chunk,
    drips,
    embeds,
    fails,
    has_no_quota,
    overflows,
    refuses_key,
    reranks,
    says,
    says_json,
)

DOWN = fails(404)  # not tried again, so that a test needs one reply
pytestmark = pytest.mark.django_db


def allow(firm: Firm, **values: object) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        GatewaySettings.objects.update_or_create(organization=firm.organization, defaults=values)


def test_nothing_is_set_up_so_nobody_is_asked(firm: Firm) -> None:
    reply = ask(firm)

    assert (reply.outcome, reply.reason, calls(firm)) == (Outcome.UNAVAILABLE, gateway.NOT_CONFIGURED, [])
    assert not gateway.role_is_configured(organization=firm.organization, role=Role.ANSWER)


def test_an_answer_is_in_the_ledger_with_what_it_used(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says("The rent is 900 euros."))

    reply = ask(firm)

    [call] = calls(firm)
    assert (reply.outcome, reply.text, reply.provider, reply.model) == ("ok", "The rent is 900 euros.", "First", "m-1")
    assert (call.pk, call.user, call.prompt, call.model_replied) == (reply.call_id, firm.lawyer, "test@1", "scripted-1")
    assert (call.input_tokens, call.output_tokens, call.cost, call.reserved) == (20, 5, 5, 0)
    assert scripted_provider.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert set(scripted_provider.asked[0].headers) & {"x-stainless-os", "openai-organization"} == set()


@pytest.mark.parametrize("down", [DOWN, refuses_key, has_no_quota], ids=["down", "wrong key", "account used up"])
def test_a_second_provider_answers_where_that_is_allowed(
    firm: Firm, scripted_provider: ScriptedProvider, second_provider: ScriptedProvider, down: Reply
) -> None:
    set_up(firm, scripted_provider.url)
    set_up(firm, second_provider.url, name="Second", model="m-2", place=1)
    allow(firm, allows_fallback=True)
    scripted_provider.will(down)
    second_provider.will(says("Yes."))

    reply = ask(firm)

    assert (reply.outcome, reply.provider, reply.model, reply.is_fallback) == ("ok", "Second", "m-2", True)
    assert [call.is_fallback for call in calls(firm)] == [False, True]


@pytest.mark.parametrize("down", [DOWN, refuses_key], ids=["down", "wrong key"])
def test_a_second_provider_hears_nothing_where_it_is_not_allowed(
    firm: Firm, scripted_provider: ScriptedProvider, second_provider: ScriptedProvider, down: Reply
) -> None:
    set_up(firm, scripted_provider.url)
    set_up(firm, second_provider.url, name="Second", place=1)
    scripted_provider.will(down)

    reply = ask(firm)

    assert reply.outcome is Outcome.UNAVAILABLE
    assert "does not allow falling back" in reply.reason
    assert second_provider.asked == []
    assert [call.outcome for call in calls(firm)] == ["unavailable"]


def test_another_model_of_the_same_provider_may_always_follow(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    set_up(firm, scripted_provider.url, model="m-2", place=1)
    scripted_provider.will(DOWN, says("Yes."))

    reply = ask(firm)

    assert (reply.outcome, reply.model, reply.is_fallback) == ("ok", "m-2", False)


def test_a_provider_that_keeps_failing_is_left_alone(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(*[refuses_key] * 5)

    outcomes = [ask(firm).outcome for _ in range(6)]

    assert outcomes == [Outcome.UNAVAILABLE] * 6
    assert len(scripted_provider.asked) == 5


def test_an_object_that_does_not_fit_is_repaired_once(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says_json({"sentence": "x"}), says_json({"sentence": "The rent.", "source": 2}))

    reply = ask(firm, schema=Answer)

    assert (reply.outcome, reply.parsed) == ("ok", Answer(sentence="The rent.", source=2))
    assert "source: Field required" in scripted_provider.asked[1].text
    assert [call.is_repair for call in calls(firm)] == [False, True]


@pytest.mark.parametrize(
    "text",
    ['{"sentence": "x", "source": NaN}', '{"sentence": "x", "source": 1, "source": 2}', "[1]", "no", "[" * 5000],
    ids=["NaN", "a key twice", "a list", "no JSON", "nested without end"],
)
def test_what_is_no_strict_object_after_one_repair_is_invalid(
    firm: Firm, scripted_provider: ScriptedProvider, text: str
) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says(text), says(text))

    reply = ask(firm, schema=Answer)

    assert (reply.outcome, reply.parsed) == (Outcome.INVALID, None)


def test_a_model_without_schemas_gets_the_schema_as_words(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url, model="plain-1")
    scripted_provider.will(fails(400, message="response_format is not supported"))
    scripted_provider.will(says('```json\n{"sentence": "x", "source": 1}\n```'))

    reply = ask(firm, schema=Answer)

    assert reply.outcome is Outcome.OK
    assert "response_format" not in scripted_provider.asked[1].body
    assert '"source"' in scripted_provider.asked[1].text


def test_evidence_that_does_not_fit_is_left_out_from_the_end(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url, context=560)
    scripted_provider.will(says("Yes."))
    blocks = tuple(f"[S{n}] " + "The tenant pays the rent. " * 20 for n in range(1, 9))

    reply = ask(firm, messages=(Message("user", "Read:", blocks=blocks, after="What rent?"),))

    sent = scripted_provider.asked[0].text
    assert 0 < reply.blocks_dropped < 8
    assert sent.startswith("Read:\n\n[S1]")
    assert sent.endswith("What rent?")
    assert [f"[S{n}]" in sent for n in range(1, 9)] == [True] * (8 - reply.blocks_dropped) + [
        False
    ] * reply.blocks_dropped
    assert calls(firm)[0].blocks_dropped == reply.blocks_dropped


def test_after_an_overflow_half_of_the_evidence_is_sent_once(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(overflows, says("Yes."))

    reply = ask(firm, messages=(Message("user", "Read:", blocks=("one", "two", "three", "four")),))

    assert (reply.outcome, reply.blocks_dropped) == ("ok", 2)
    assert "three" not in scripted_provider.asked[1].text


def test_a_long_reply_leaves_half_of_a_small_context_to_the_question(
    firm: Firm, scripted_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url, context=4096)
    scripted_provider.will(says("Yes."))

    reply = ask(firm, max_tokens=4000)

    assert (reply.outcome, scripted_provider.asked[0].body["max_tokens"]) == (Outcome.OK, 2048)


def test_a_question_that_no_context_holds_is_not_sent(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url, context=512)

    reply = ask(firm, text="rent " * 2000)

    assert (reply.outcome, len(calls(firm)), scripted_provider.asked) == (Outcome.OVERFLOW, 1, [])


def test_pieces_are_heard_as_they_come(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says("The rent is 900 euros."))
    heard: list[str] = []

    reply = ask(firm, on_delta=heard.append)

    assert (reply.outcome, "".join(heard), len(heard)) == ("ok", reply.text, 5)


def test_a_cancelled_question_ends_and_is_charged_for_what_came(
    firm: Firm, scripted_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(drips(0.02))
    heard: list[str] = []

    reply = ask(firm, on_delta=heard.append, cancelled=lambda: len(heard) > 2, deadline_s=20.0)

    assert reply.outcome is Outcome.CANCELLED
    assert calls(firm)[0].cost > 0


def test_nobody_else_is_asked_once_a_part_of_an_answer_was_heard(
    firm: Firm, scripted_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url)
    set_up(firm, scripted_provider.url, model="m-2", place=1)
    scripted_provider.will(cut_in_chunk)

    reply = ask(firm, stream=True)

    assert (reply.outcome, reply.text) == (Outcome.TRUNCATED, "The tenant shall ")


def test_a_listener_that_fails_is_no_fault_of_the_provider(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says("Yes."))

    def leave(_: str) -> None:
        raise ValueError("gone")

    with pytest.raises(ValueError, match="gone"):
        ask(firm, on_delta=leave)
    assert [call.outcome for call in calls(firm)] == ["cancelled"]


def test_no_model_is_called_inside_a_transaction_of_the_organisation(firm: Firm) -> None:
    with organization_scope(firm.organization, user=firm.lawyer), pytest.raises(ScopeError):
        ask(firm)


def test_vectors_and_scores_come_through_the_same_gateway(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url, role=Role.EMBED)
    set_up(firm, scripted_provider.url, role=Role.RERANK)
    scripted_provider.will(embeds([1.0, 0.0], [0.0, 1.0]), reranks(0.2, 0.9), embeds([1.0]))
    who: dict[str, Any] = {"organization": firm.organization, "user": firm.lawyer}

    vectors = gateway.embed(**who, texts=["a", "b"])
    scores = gateway.rerank(**who, query="rent", texts=["a", "b"])
    too_few = gateway.embed(**who, texts=["a", "b"])

    assert (vectors.vectors, scores.scores) == (((1.0, 0.0), (0.0, 1.0)), (0.2, 0.9))
    assert (too_few.outcome, too_few.vectors) == (Outcome.INVALID, ())
    assert [call.role for call in calls(firm)] == ["embed", "rerank", "embed"]


def test_a_recorded_answer_is_replayed_without_a_provider(
    firm: Firm, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says("Said in [tag-1]."))
    settings.LLM_MODE = "record"
    ask(firm, text="[tag-1] What rent?", volatile=("tag-1",))
    settings.LLM_MODE = "replay"

    again = ask(firm, text="[tag-2] What rent?", volatile=("tag-2",))
    other = ask(firm, text="Something else")

    assert (again.is_ok, again.text, again.usage.cost) == (True, "Said in [tag-2].", Decimal(0))
    assert (other.outcome, len(scripted_provider.asked)) == (Outcome.UNAVAILABLE, 1)
    assert KEY not in "".join(path.read_text() for path in settings.LLM_RECORDINGS.iterdir())


def test_the_operators_model_answers_those_whom_the_operator_named(
    firm: Firm, rivals: Firm, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    settings.LLM_URL, settings.LLM_MODEL, settings.LLM_FOR = scripted_provider.url, "house-1", ["harding"]
    scripted_provider.will(says("Yes."))

    ours, theirs = ask(firm), ask(rivals)
    allow(firm, uses_operator=False)
    refused = ask(firm)

    assert (ours.outcome, ours.model) == ("ok", "house-1")
    assert [theirs.reason, refused.reason] == [gateway.NOT_CONFIGURED] * 2


def test_an_address_that_the_operator_took_from_the_list_is_not_called(
    firm: Firm, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    set_up(firm, scripted_provider.url)
    settings.LLM_ADDRESSES = []

    reply = ask(firm)

    assert (reply.outcome, reply.reason) == (Outcome.UNAVAILABLE, "The provider's address is not allowed.")


def test_a_key_in_another_row_than_its_own_is_not_sent(
    firm: Firm, scripted_provider: ScriptedProvider, second_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url)
    with organization_scope(firm.organization, user=firm.owner):
        Provider.objects.update(base_url=second_provider.url)

    reply = ask(firm)

    assert (reply.outcome, second_provider.asked) == (Outcome.UNAVAILABLE, [])


def test_places_at_a_provider_are_those_of_all_processes(
    firm: Firm, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    settings.LLM_CONCURRENT = 1
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says("Yes."), says("Yes."))
    ask(firm)
    with organization_scope(firm.organization, user=firm.owner):
        LLMCall.objects.update(outcome="open")  # as if another process had it under way

    full = ask(firm, deadline_s=0.3)
    with organization_scope(firm.organization, user=firm.owner):
        LLMCall.objects.filter(outcome="open").update(expires_at=timezone.now())  # it was killed, and its time is over

    assert (full.outcome, "at once" in full.reason) == (Outcome.UNAVAILABLE, True)
    assert ask(firm).is_ok


def test_rows_of_old_calls_are_removed_and_open_ones_stay(
    firm: Firm, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    settings.LLM_CALLS_DAYS = 30
    set_up(firm, scripted_provider.url)
    scripted_provider.always = says("Yes.")
    for _ in range(3):
        ask(firm)
    old, open_, young = (call.pk for call in calls(firm))
    with organization_scope(firm.organization, user=firm.owner):
        LLMCall.objects.filter(pk__in=[old, open_]).update(started_at=timezone.now() - timedelta(days=31))
        LLMCall.objects.filter(pk=open_).update(outcome="open", expires_at=timezone.now() + timedelta(hours=1))

    calls_sweep()

    assert {call.pk for call in calls(firm)} == {open_, young}


def test_a_call_whose_process_died_is_ended_and_charged_in_full(
    firm: Firm, scripted_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says("Yes."))
    ask(firm)
    with organization_scope(firm.organization, user=firm.owner):
        [call] = LLMCall.objects.all()
        long_ago = call.started_at.replace(year=2020)
        LLMCall.objects.update(outcome="open", reserved=50, expires_at=long_ago)
        BudgetWindow.objects.update(reserved=50, spent=0)

    n_ended = calls_sweep()

    [call] = calls(firm)
    with organization_scope(firm.organization, user=firm.owner):
        windows = list(BudgetWindow.objects.values_list("spent", "reserved"))
    assert (n_ended, call.outcome, call.cost, windows) == (1, "unavailable", 50, [(50, 0)] * 2)


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(0):
        yield caplog


def test_neither_key_nor_question_nor_answer_is_in_logs_or_rows(
    firm: Firm, scripted_provider: ScriptedProvider, logged: pytest.LogCaptureFixture
) -> None:
    set_up(firm, scripted_provider.url)
    marker = "the aubergine clause"
    echo = fails(500, message=f"{KEY} {marker}")
    scripted_provider.will(says(f"About {marker}."), fails(401, message=f"{KEY} {marker}"), *[echo] * 3)

    replies = [ask(firm, text=f"What of {marker}?", deadline_s=5.0) for _ in range(3)]

    from legalqa.common.logs import log_line

    lines = json.dumps([log_line(record) for record in logged.records], default=str)
    with organization_scope(firm.organization, user=firm.owner):
        rows = json.dumps([*LLMCall.objects.values(), *AuditEvent.objects.values()], default=str)
    told = [reply.reason for reply in replies]
    for text in (lines, rows, json.dumps(told)):
        assert KEY not in text
        assert "aubergine" not in text
