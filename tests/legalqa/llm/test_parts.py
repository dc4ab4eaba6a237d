"""The gateway's parts on their own: prompts, breaker, clock, hashes."""

import json
import logging
from pathlib import Path
from uuid import uuid4

import pytest

from legalqa.accounts.scoping import organization_scope
from legalqa.common.logs import JsonFormatter
from legalqa.llm.breaker import REST_S, Breakers, Key
from legalqa.llm.clock import Clock, ClockStopped
from legalqa.llm.models import BreakerState
from legalqa.llm.prompts import prompt_load
from legalqa.llm.recordings import request_hash
from tests.people import Firm

PROVIDER = uuid4()


def key_of(firm: Firm) -> Key:
    return firm.organization.pk, PROVIDER, "m-1"


@pytest.fixture
def prompt_file(tmp_path: Path) -> Path:
    file = tmp_path / "answer.v2.md"
    file.write_text("Answer {{ question }} from {{ n }} blocks.\n")
    return file


def test_a_prompt_knows_its_name_version_and_hash(prompt_file: Path) -> None:
    prompt = prompt_load(prompt_file)

    assert (prompt.label, len(prompt.sha256)) == ("answer@2", 64)


def test_what_a_value_holds_is_never_read_as_a_slot(prompt_file: Path) -> None:
    assert prompt_load(prompt_file).render(question="{{ n }}", n=3) == "Answer {{ n }} from 3 blocks."


def test_a_slot_without_a_value_and_a_value_without_a_slot_are_refused(prompt_file: Path) -> None:
    with pytest.raises(KeyError):
        prompt_load(prompt_file).render(n=3)
    with pytest.raises(ValueError, match="no slot for other"):
        prompt_load(prompt_file).render(question="x", n=3, other=1)


def test_a_prompt_without_a_version_is_none(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"name\.vN\.md"):
        prompt_load(tmp_path / "answer.md")


class Now:
    at = 0.0

    def __call__(self) -> float:
        return self.at


def test_after_five_failures_nobody_asks_until_one_may_try(firm: Firm) -> None:
    now, key = Now(), key_of(firm)
    breakers = Breakers(now)
    for _ in range(5):
        assert breakers.is_closed(key)
        breakers.note(key, failed=True)

    open_at_once = breakers.is_closed(key)
    now.at = REST_S
    probe, beside_it = breakers.is_closed(key), breakers.is_closed(key)
    breakers.note(key, failed=True)
    after_a_failure = breakers.is_closed(key)
    now.at = 2 * REST_S
    again = breakers.is_closed(key)
    breakers.note(key, failed=False)

    assert (open_at_once, probe, beside_it, after_a_failure, again) == (False, True, False, False, True)
    assert breakers.is_closed(key)


def test_half_of_twenty_failures_open_it_however_slowly_they_came(firm: Firm) -> None:
    now, key = Now(), key_of(firm)
    breakers = Breakers(now)
    for n in range(21):
        now.at += 60
        breakers.note(key, failed=n % 2 == 0)

    assert not breakers.is_closed(key)


def test_another_process_knows_of_it_and_takes_over_from_a_probe_that_died(firm: Firm) -> None:
    now, key = Now(), key_of(firm)
    for _ in range(5):
        Breakers(now).note(key, failed=True)
    now.at = REST_S
    probe = Breakers(now).is_closed(key, seconds=60)  # and its process is killed
    now.at += 59
    too_early = Breakers(now).is_closed(key)
    now.at += 1

    assert (probe, too_early, Breakers(now).is_closed(key)) == (True, False, True)


def test_a_model_that_works_again_leaves_no_row(firm: Firm) -> None:
    breakers, key = Breakers(Now()), key_of(firm)
    for failed in (False, True, *[False] * 20):
        breakers.note(key, failed=failed)

    with organization_scope(firm.organization, user=None):
        assert not BreakerState.objects.exists()


def test_another_organisation_is_not_shut_out_by_it(firm: Firm, rivals: Firm) -> None:
    key = key_of(firm)
    breakers = Breakers(Now())
    for _ in range(5):
        breakers.note(key, failed=True)

    assert breakers.is_closed((rivals.organization.pk, *key[1:]))


def test_a_clock_stops_at_the_nearer_of_its_ends() -> None:
    now = Now()
    clock = Clock(10.0, None, now)
    clock.expect_piece(2)
    now.at = 3

    with pytest.raises(ClockStopped):
        clock.check()
    clock.expect_piece(20)
    assert clock.left() == 7


@pytest.mark.parametrize(
    "said", ["key sk-abcdef123456 used", "Authorization: Bearer abc.def", '{"api_key": "abcdef"}', "API-KEY=abcdef"]
)
def test_what_looks_like_a_key_never_reaches_a_log(said: str) -> None:
    record = logging.LogRecord("legalqa.llm", logging.INFO, "x.py", 1, said, None, None)

    line = JsonFormatter().format(record)

    assert "abc" not in line
    assert "[secret]" in json.loads(line)["message"]


def test_strings_that_differ_from_run_to_run_do_not_change_the_hash() -> None:
    def said(tag: str) -> str:
        return request_hash({"messages": [{"content": f'<{tag}> "quoted"'}]}, (tag,))

    assert said("a1") == said("b2") != request_hash({"messages": []}, ("a1",))
