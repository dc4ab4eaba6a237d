"""Each way in which a provider can misbehave: the right outcome in time, charged right, nothing partial as whole."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Event
from time import monotonic

import pytest

from legalqa.llm import calling
from legalqa.llm.clock import Clock, ClockStopped
from legalqa.llm.transport import Endpoint, http_client
from legalqa.llm.types import Outcome
from tests import provider as p
from tests.legalqa.llm.setting_up import ask, calls, set_up
from tests.people import Firm

WORDS_OUT = 5  # of `USAGE`: at a price of a millionth a token, what an answer costs


@dataclass(frozen=True)
class Case:
    """What a provider does, how often it is asked, and what comes of it; `cost` None: more than nothing."""

    name: str
    replies: tuple[p.Reply, ...]
    outcome: Outcome
    cost: int | None = 0
    stream: bool = False
    times: tuple[float, float, float] = (30.0, 20.0, 10.0)  # in all, to the first piece, between two

    def __str__(self) -> str:
        return f"{self.name}{' (stream)' if self.stream else ''}"


HANGS = (1.2, 0.6, 0.6)


def both(name: str, outcome: Outcome, *replies: p.Reply, cost: int | None = 0, hangs: bool = False) -> list[Case]:
    times = HANGS if hangs else Case.times
    return [Case(name, replies, outcome, cost, stream, times) for stream in (False, True)]


CASES = [
    *both("answers", Outcome.OK, p.says("The rent is 900 euros."), cost=WORDS_OUT),
    *both("never answers", Outcome.UNAVAILABLE, p.never_answers, hangs=True),
    *both("429, then an answer", Outcome.OK, p.fails(429, Retry_After="0"), p.says("Yes."), cost=WORDS_OUT),
    *both("429 for five minutes", Outcome.UNAVAILABLE, p.fails(429, Retry_After="300")),
    *both("account used up", Outcome.QUOTA, p.has_no_quota),
    *both("500 three times", Outcome.UNAVAILABLE, *[p.fails(500)] * 3),
    *both("a proxy's page", Outcome.INVALID, p.html),
    *both("no choices", Outcome.INVALID, p.no_choices, cost=WORDS_OUT),
    *both("nothing said", Outcome.INVALID, p.says(""), cost=WORDS_OUT),
    *both("slow loris", Outcome.UNAVAILABLE, p.slow_loris, hangs=True),
    *both("a hundred megabytes", Outcome.INVALID, p.huge, cost=None),
    *both("invalid UTF-8", Outcome.INVALID, p.invalid_utf8),
    *both(
        "negative usage", Outcome.OK, p.says("Yes.", usage={"prompt_tokens": -9, "completion_tokens": -9}), cost=None
    ),
    *both("no usage", Outcome.OK, p.says("Yes.", usage=None), cost=None),
    *both("redirect to metadata", Outcome.UNAVAILABLE, p.redirects("http://169.254.169.254/latest/meta-data/")),
    *both("context overflow", Outcome.OVERFLOW, p.overflows),
    *both("refusal", Outcome.REFUSED, p.says(None, refusal="I will not."), cost=WORDS_OUT),
    *both("content filter", Outcome.FILTERED, p.says("The rent", finish="content_filter"), cost=WORDS_OUT),
    *both("at its limit", Outcome.TRUNCATED, p.says("The rent is", finish="length"), cost=WORDS_OUT),
    *both("wrong key", Outcome.UNAVAILABLE, p.refuses_key),
    *both("unknown model", Outcome.UNAVAILABLE, p.fails(404)),
    *both("calls a tool", Outcome.INVALID, p.says("x", finish="tool_calls"), cost=WORDS_OUT),
    *both("cut off before a word", Outcome.OK, p.cut_before_text, p.says("Yes."), cost=None),
    Case("cut inside a piece", (p.cut_in_chunk,), Outcome.TRUNCATED, None, stream=True),
    Case("ends without a finish reason", (p.no_finish,), Outcome.TRUNCATED, None, stream=True),
    Case("drips", (p.drips(0.05),), Outcome.TRUNCATED, None, stream=True, times=(1.5, 20.0, 10.0)),
    Case("stalls between two pieces", (p.drips(50),), Outcome.TRUNCATED, None, stream=True, times=(30.0, 20.0, 0.3)),
    Case("garbage for events", (p.sse_garbage,), Outcome.INVALID, 0, stream=True),
    Case("done twice", (p.done_twice,), Outcome.OK, WORDS_OUT, stream=True),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_misbehaving_provider_ends_in_its_outcome(
    case: Case, firm: Firm, scripted_provider: p.ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "WAIT_FIRST_S", 0.01)  # or it waits between tries
    set_up(firm, scripted_provider.url)
    scripted_provider.will(*case.replies)
    started = monotonic()

    whole, first, between = case.times
    reply = ask(firm, stream=case.stream, deadline_s=whole, first_token_s=first, between_s=between)

    took_s = monotonic() - started
    cost = sum(call.cost for call in calls(firm))
    assert reply.outcome is case.outcome
    assert (reply.reason == "") == reply.is_ok
    assert took_s < 25  # those that hang do so for a minute
    assert cost > 0 if case.cost is None else cost == case.cost
    assert [call.outcome for call in calls(firm)][-1] == case.outcome
    assert reply.usage.cost * 1_000_000 == cost


@pytest.mark.parametrize("is_cancelled", [False, True], ids=["late", "cancelled"])
def test_a_name_that_is_looked_up_for_ever_ends_with_the_call(is_cancelled: bool) -> None:
    is_over, asked = Event(), Event()

    def hangs(host: str, port: int) -> Sequence[str]:
        asked.set()
        is_over.wait()
        return ["192.0.2.1"]

    clock = Clock.of(60.0, asked.is_set) if is_cancelled else Clock.of(0.2)
    endpoint = Endpoint("https://slow.example/v1", "", is_trusted=False)
    with http_client(endpoint, clock, resolve=hangs) as client, pytest.raises(ClockStopped) as stopped:
        client.get("https://slow.example/v1/models")
    is_over.set()

    assert (stopped.value.is_cancelled, asked.is_set()) == (is_cancelled, True)
