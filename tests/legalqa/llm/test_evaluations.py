"""What judges and experiments need of the gateway: one model and no other, samples, log-probabilities, subjects."""

from decimal import Decimal
from math import log
from typing import Any

import pytest
from pytest_django import Settings

from legalqa.accounts.scoping import organization_scope
from legalqa.llm.models import GatewaySettings
from legalqa.llm.selectors import cost_list
from legalqa.llm.types import Outcome
from tests.legalqa.llm.setting_up import ask, calls, set_up
from tests.people import Firm
from tests.provider import ScriptedProvider, completion, fails, says

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["m-2", "First/m-2"])
def test_a_request_that_names_its_model_is_asked_of_that_one(
    firm: Firm, scripted_provider: ScriptedProvider, name: str
) -> None:
    set_up(firm, scripted_provider.url)
    set_up(firm, scripted_provider.url, model="m-2", place=1)
    scripted_provider.will(says("Yes."))

    assert ask(firm, model=name).model == "m-2"


def test_no_other_model_answers_for_the_one_that_was_named(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    set_up(firm, scripted_provider.url, model="m-2", place=1)
    scripted_provider.will(fails(404))

    reply = ask(firm, model="m-1")

    assert (reply.outcome, reply.model) == (Outcome.UNAVAILABLE, "m-1")


def test_a_named_model_that_is_not_set_up_is_said(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)

    reply = ask(firm, model="m-9")

    assert (reply.outcome, "'m-9'" in reply.reason, calls(firm)) == (Outcome.UNAVAILABLE, True, [])


def test_each_sample_has_its_own_seed(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says("One."), says("Two."), says("Three."))

    ask(firm, seed=40)
    ask(firm, seed=40, sample=2)
    ask(firm)

    assert [asked.body.get("seed") for asked in scripted_provider.asked] == [40, 42, None]


def test_a_model_that_takes_no_seed_is_asked_without(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url, model="seedless")
    scripted_provider.will(fails(400, message="Unsupported parameter: 'seed'"), says("Yes."))

    assert ask(firm, seed=1).is_ok
    assert "seed" not in scripted_provider.asked[1].body


def test_a_sample_is_replayed_by_its_number(
    firm: Firm, scripted_provider: ScriptedProvider, settings: Settings
) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says("One."), says("Two."))
    settings.LLM_MODE = "record"
    for sample in (0, 1):
        ask(firm, sample=sample)
    settings.LLM_MODE = "replay"

    assert [ask(firm, sample=sample).text for sample in (1, 0, 1)] == ["Two.", "One.", "Two."]


TOPS = {"content": [{"token": "4", "logprob": log(0.6), "top_logprobs": [{"token": "4", "logprob": log(0.6)}]}]}


@pytest.mark.parametrize(
    ("said", "tops"),
    [(TOPS, (("4", (("4", log(0.6)),)),)), (None, ()), ({"tokens": ["4"]}, ()), ({"content": None}, ())],
    ids=["as asked", "none", "of another shape", "empty"],
)
def test_log_probabilities_are_given_where_the_provider_gives_them(
    firm: Firm, scripted_provider: ScriptedProvider, said: Any, tops: Any
) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.will(says("4", logprobs=said))

    reply = ask(firm, n_tops=5)

    assert (reply.text, reply.tops) == ("4", tops)
    assert scripted_provider.asked[0].body["top_logprobs"] == 5


def test_the_tokens_of_a_request_are_scored_where_the_provider_does_that(
    firm: Firm, scripted_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url)
    places = [None, {"17": {"logprob": -0.5, "rank": 1, "decoded_token": " rent"}}]
    scripted_provider.will(
        lambda wire: wire.document(completion("x", "length") | {"prompt_logprobs": places}), says("x", finish="length")
    )

    scored, other = ask(firm, is_scored=True), ask(firm, is_scored=True)

    assert (scored.is_ok, scored.scored) == (True, ((" rent", -0.5),))
    assert (other.is_ok, other.scored) == (False, ())
    assert scripted_provider.asked[0].body["prompt_logprobs"] == 0


def test_the_costs_of_one_subject_add_up(firm: Firm, scripted_provider: ScriptedProvider) -> None:
    set_up(firm, scripted_provider.url)
    scripted_provider.always = says("Yes.")
    for subject in ("experiment:1", "experiment:1", "experiment:2", ""):
        ask(firm, subject=subject)

    with organization_scope(firm.organization, user=firm.owner):
        [row] = cost_list(organization=firm.organization, filters={"subject": "experiment:1"}, by="subject")
    assert (row.label, row.calls, row.cost) == ("experiment:1", 2, Decimal("0.00001"))


def test_evaluations_stop_at_their_own_cap_and_nothing_else_does(
    firm: Firm, scripted_provider: ScriptedProvider
) -> None:
    set_up(firm, scripted_provider.url)
    with organization_scope(firm.organization, user=firm.owner):
        GatewaySettings.objects.create(organization=firm.organization, cap_evaluation=10)
    scripted_provider.will(says("Yes."))

    assert ask(firm, is_evaluation=True).outcome is Outcome.QUOTA
    assert ask(firm).is_ok
