"""The scripted provider keeps its word: what nobody scripted, and what nobody fetched, fails the test that uses it."""

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from tests.provider import ScriptedProvider, provider_running, says

QUESTION = "How long is the notice period?"


@pytest.fixture
def provider() -> Iterator[ScriptedProvider]:
    """A provider that is not checked at its end: these tests check it themselves."""
    provider = ScriptedProvider()
    yield provider
    provider.close()


def ask(provider: ScriptedProvider) -> tuple[int, dict[str, Any]]:
    caller = HTTPConnection(provider.origin.removeprefix("http://"), timeout=10)
    body = json.dumps({"messages": [{"role": "user", "content": QUESTION}]})
    caller.request("POST", "/v1/chat/completions", body)
    reply = caller.getresponse()
    document = json.loads(reply.read())
    caller.close()
    return reply.status, document


def text_of(document: dict[str, Any]) -> str:
    return str(document["choices"][0]["message"]["content"])


def test_a_request_that_nobody_scripted_gets_500_and_fails_the_check(provider: ScriptedProvider) -> None:
    status, document = ask(provider)

    assert (status, document["error"]["code"]) == (500, "unscripted")
    with pytest.raises(AssertionError, match=QUESTION.rstrip("?")):
        provider.check()


def test_a_reply_that_nobody_fetched_fails_the_check(provider: ScriptedProvider) -> None:
    provider.will(says("One month."), says("Three months."))

    assert text_of(ask(provider)[1]) == "One month."
    with pytest.raises(AssertionError, match="1 scripted replies were not fetched"):
        provider.check()


def test_replies_come_in_their_order_and_the_check_passes(provider: ScriptedProvider) -> None:
    provider.will(says("One month."), says("Three months."))

    assert [text_of(ask(provider)[1]) for _ in range(2)] == ["One month.", "Three months."]
    provider.check()


def test_a_reply_for_always_may_be_fetched_any_number_of_times(provider: ScriptedProvider) -> None:
    provider.always = says("One month.")

    provider.check()
    assert [text_of(ask(provider)[1]) for _ in range(3)] == ["One month."] * 3
    provider.check()


def test_the_fixture_checks_at_the_end_of_a_test() -> None:
    fixture = provider_running()
    assert ask(next(fixture))[0] == 500

    with pytest.raises(AssertionError, match="nobody scripted a reply to"):
        next(fixture)
