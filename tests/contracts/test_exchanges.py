"""A reply is the same from the provider, while it is recorded, and when it is replayed; and so is the lack of one."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from legalqa.accounts.scoping import organization_scope
from legalqa.llm import calling
from legalqa.llm.exchanges import EXCHANGES
from legalqa.llm.models import LLMCall
from legalqa.llm.types import LLMReply
from tests.legalqa.llm.setting_up import Answer, ask, set_up
from tests.people import Firm
from tests.provider import Reply, ScriptedProvider, cut_in_chunk, fails, refuses_key, says, says_json

RENT = "The rent is due."
ONCE: Sequence[dict[str, Any]] = ({},)
Replied = Callable[..., list[LLMReply]]

pytestmark = pytest.mark.django_db


@pytest.fixture(params=EXCHANGES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def replied(
    mode: str,
    firm: Firm,
    scripted_provider: ScriptedProvider,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Replied:
    """Ask with each of the changes while the provider says the replies; what is replayed was recorded just before.

    A replay that asked the provider would fail the test: nobody scripted a second reply.
    """
    settings.LLM_ADDRESSES, settings.LLM_RECORDINGS = [scripted_provider.url], tmp_path / "recordings"
    monkeypatch.setattr(calling, "WAIT_FIRST_S", 0.01)  # or it waits between tries
    set_up(firm, scripted_provider.url, price_in=1)

    def asked(*said: Reply, requests: Sequence[dict[str, Any]] = ONCE) -> list[LLMReply]:
        scripted_provider.will(*said)
        if mode == "replay":
            settings.LLM_MODE = "record"
            for changes in requests:
                ask(firm, **changes | ({"on_delta": lambda _: None} if "on_delta" in changes else {}))
        settings.LLM_MODE = mode
        return [ask(firm, **changes) for changes in requests]

    return asked


def test_text_tokens_and_model_are_those_of_the_provider_and_only_a_replay_is_free(replied: Replied, mode: str) -> None:
    [reply] = replied(says(RENT))

    assert (reply.outcome, reply.text, reply.model) == ("ok", RENT, "m-1")
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.is_estimated) == (20, 5, False)
    assert reply.usage.cost == (Decimal(0) if EXCHANGES[mode].is_free else Decimal("0.000025"))


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (says(None, refusal="I will not."), "refused"),
        (says("The rent is", finish="length"), "truncated"),
        (says("", finish="content_filter"), "filtered"),
        (says(""), "invalid"),
    ],
    ids=["refused", "cut off", "filtered", "empty"],
)
def test_a_reply_that_is_no_answer_is_judged_the_same(replied: Replied, said: Reply, outcome: str) -> None:
    [reply] = replied(said)

    assert (reply.outcome, reply.usage.output_tokens) == (outcome, 5)


def test_an_object_of_the_wrong_form_is_repaired_the_same(replied: Replied) -> None:
    whole = Answer(sentence=RENT, source=1)
    [reply] = replied(says("Rent!"), says_json(whole.model_dump()), requests=[{"schema": Answer}])

    assert (reply.parsed, reply.usage.output_tokens) == (whole, 10)


def test_a_failure_for_good_is_no_reply_and_costs_nothing(replied: Replied) -> None:
    [reply] = replied(refuses_key)

    assert (reply.outcome, reply.text, reply.usage.cost) == ("unavailable", "", Decimal(0))
    assert reply.reason


def test_a_failure_that_passes_is_not_seen(replied: Replied) -> None:
    [reply] = replied(fails(503), fails(429), says(RENT))

    assert (reply.outcome, reply.text) == ("ok", RENT)


def test_a_failure_that_does_not_pass_ends_as_one_for_good(replied: Replied) -> None:
    [reply] = replied(*[fails(503)] * calling.MAX_TRIES)

    assert (reply.outcome, reply.text) == ("unavailable", "")


@pytest.mark.parametrize("requests", [[{"sample": n} for n in range(3)], [{}, {}, {}]], ids=["numbered", "equal"])
def test_samples_differ_and_keep_their_order(replied: Replied, requests: list[dict[str, Any]]) -> None:
    replies = replied(says("One."), says("Two."), says("Three."), requests=requests)

    assert [reply.text for reply in replies] == ["One.", "Two.", "Three."]


def test_the_pieces_that_a_listener_hears_are_the_text(replied: Replied) -> None:
    heard: list[str] = []
    [reply] = replied(says(RENT), requests=[{"on_delta": heard.append}])

    assert "".join(heard) == reply.text
    assert reply.text.strip() == RENT


def test_what_a_listener_raises_reaches_the_caller_and_ends_the_call(replied: Replied, mode: str, firm: Firm) -> None:
    def leaves(piece: str) -> None:
        raise LookupError(piece)

    with pytest.raises(LookupError):
        replied(says(RENT), requests=[{"on_delta": leaves}])
    with organization_scope(firm.organization, user=firm.owner):
        last = LLMCall.objects.order_by("started_at").last()
    assert last is not None and last.outcome == "cancelled"
    assert (last.cost == 0) is EXCHANGES[mode].is_free


def test_a_reply_that_broke_off_is_never_a_whole_one(replied: Replied) -> None:
    [reply] = replied(cut_in_chunk, requests=[{"on_delta": lambda _: None}])

    assert reply.outcome in ("truncated", "unavailable")  # the second where it is replayed: it was not recorded
