"""Asking one candidate after the other, each as often as it makes sense, within one deadline.

Source: `openai` has no deadline over all tries and slow replies, so we retry ourselves: at most three tries, waits of
uniform(0, min(8, 0.5 * 2^n)) seconds ("full jitter", Brooker, AWS Architecture Blog 2015), Retry-After obeyed as far as
the deadline allows.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from uuid import UUID

from django.conf import settings
from pydantic import BaseModel

from legalqa.accounts.scoping import connection_give_back
from legalqa.llm.breaker import BREAKERS
from legalqa.llm.clock import SLICE_S, Clock, ClockStopped
from legalqa.llm.exchanges import EXCHANGES
from legalqa.llm.failing import MEANINGS, charge_of, meaning_of
from legalqa.llm.models import LLMCall
from legalqa.llm.pricing import cost_of, money, tokens_estimate
from legalqa.llm.recordings import request_hash
from legalqa.llm.replies import SENTENCES
from legalqa.llm.selectors import Candidate
from legalqa.llm.services.ledger import Asking, Ending, NoPlace, call_note, call_open, call_settle
from legalqa.llm.types import Json, Outcome, Token, Usage
from legalqa.llm.wire import CallFailed, Fault
from legalqa.llm.works import Work

MAX_TRIES = 3
WAIT_FIRST_S = 0.5  # ours: at most so many seconds before the second try; twice as many before each further one
WAIT_MOST_S = 8.0  # ours: at most so many seconds before any try
SHARE = 0.6  # ours: share of the remaining time that a provider gets if another one could follow
DEADLINE_MAX_S = float(settings.LLM_DEADLINE_MAX_S)


@dataclass
class Result:
    """The result of asking a candidate; `usage` adds up all its calls."""

    outcome: Outcome
    reason: str = ""
    text: str = ""
    parsed: BaseModel | None = None
    falls_back: bool = False
    retry_in_s: float | None = None
    call_id: UUID | None = None
    candidate: Candidate | None = None
    is_fallback: bool = False
    usage: Usage = field(default_factory=Usage)
    blocks_dropped: int = 0
    tops: tuple[Token, ...] = ()
    scored: tuple[tuple[str, float], ...] = ()
    fault: Fault | None = None


def candidates_allowed(candidates: Sequence[Candidate], *, allows_fallback: bool) -> list[Candidate]:
    """Those that may be asked: all models of the first provider, and other providers only if that is allowed."""
    return [each for each in candidates if allows_fallback or each.provider_id == candidates[0].provider_id]


def seconds_allowed(candidates: Sequence[Candidate], *, asked_s: float) -> float:
    """The time that a question has in all: each model's own deadline, plus `asked_s` for all those without one."""
    own = [each.limits.deadline_s for each in candidates if each.limits.deadline_s is not None]
    return min(DEADLINE_MAX_S, sum(own) + (0.0 if own and len(own) == len(candidates) else asked_s))


def ask_in_order(
    asking: Asking, candidates: Sequence[Candidate], work: Work, clock: Clock, *, asked_s: float
) -> Result:
    """Ask the first candidate, then the next ones until one answers.

    Args:
        clock: For all of them together.
        asked_s: Seconds for candidates that have no deadline of their own.
    """
    first = candidates[0]
    usage = Usage()
    for place, candidate in enumerate(candidates):
        own_clock = _clock_of(candidate, candidates[place + 1 :], clock, asked_s)
        result = _ask(asking, candidate, work, own_clock, is_fallback=candidate.provider_id != first.provider_id)
        usage += result.usage
        if not result.falls_back or clock.left() <= 0:
            break
    result.usage = usage
    return result


def _clock_of(candidate: Candidate, later: Sequence[Candidate], clock: Clock, asked_s: float) -> Clock:
    """A candidate's own deadline; without one, its share of the time that later candidates' deadlines leave."""
    if candidate.limits.deadline_s is not None:
        return clock.part(candidate.limits.deadline_s)
    left_s = min(asked_s, clock.left() - sum(each.limits.deadline_s or 0.0 for each in later))
    is_last = all(each.limits.deadline_s is not None for each in later)
    return clock.part(max(0.0, left_s) * (1.0 if is_last else SHARE))


def _ask(asking: Asking, candidate: Candidate, work: Work, clock: Clock, *, is_fallback: bool) -> Result:
    def unasked(outcome: Outcome, reason: str, *, falls_back: bool) -> Result:
        call = call_note(asking=asking, candidate=candidate, ending=Ending(outcome, reason), is_fallback=is_fallback)
        return Result(
            outcome, reason, falls_back=falls_back, call_id=call.pk, candidate=candidate, is_fallback=is_fallback
        )

    if candidate.endpoint is None:
        reason = MEANINGS[Fault.ADDRESS].reason
        return unasked(Outcome.UNAVAILABLE, reason, falls_back=True)
    if work.body(candidate) is None:
        return unasked(Outcome.OVERFLOW, SENTENCES[Outcome.OVERFLOW], falls_back=False)
    try:
        return _try(asking, candidate, work, clock, is_fallback=is_fallback) or unasked(
            Outcome.UNAVAILABLE, "The provider has failed several times and is paused for a while.", falls_back=True
        )
    except ClockStopped as stopped:
        if stopped.is_cancelled:
            return unasked(Outcome.CANCELLED, SENTENCES[Outcome.CANCELLED], falls_back=False)
        return unasked(Outcome.UNAVAILABLE, "Too many questions at once: no slot became free.", falls_back=True)


def _try(asking: Asking, candidate: Candidate, work: Work, clock: Clock, *, is_fallback: bool) -> Result | None:
    """Up to MAX_TRIES exchanges, not counting changed requests; None if the breaker is open."""
    key = (asking.organization.pk, candidate.provider_id, candidate.model)
    result: Result | None = None
    usage, n_tries = Usage(), 0
    while BREAKERS.is_closed(key, seconds=max(0.0, clock.left())):
        is_down: bool | None = None
        try:
            result, is_down, is_changed = _exchange(asking, candidate, work, clock, is_fallback=is_fallback)
        except ClockStopped as stopped:  # no place became free
            if result is None or stopped.is_cancelled:
                raise
            break
        finally:
            BREAKERS.note(key, failed=is_down)
        usage += result.usage
        result.usage = usage
        if is_changed:
            continue
        n_tries += 1
        if result.retry_in_s is None or n_tries == MAX_TRIES:
            break
        wait_s = result.retry_in_s or random.uniform(0, min(WAIT_MOST_S, WAIT_FIRST_S * 2**n_tries))  # noqa: S311 - spreads load
        if wait_s >= clock.left():
            break
        try:
            clock.sleep(wait_s)
        except ClockStopped as stopped:
            if stopped.is_cancelled:
                result.outcome, result.reason = Outcome.CANCELLED, SENTENCES[Outcome.CANCELLED]
                result.falls_back = False
            break
    return result


def _exchange(
    asking: Asking, candidate: Candidate, work: Work, clock: Clock, *, is_fallback: bool
) -> tuple[Result, bool | None, bool]:
    """One request and its row. Returns its result, whether the provider failed, and whether to send a changed one."""
    body = work.body(candidate)
    blank = Result(Outcome.OVERFLOW, candidate=candidate, is_fallback=is_fallback, blocks_dropped=work.blocks_dropped)
    if body is None:
        blank.reason = SENTENCES[Outcome.OVERFLOW]
        return blank, None, False
    call = _opened(asking, candidate, work, body, clock, is_fallback=is_fallback)
    blank.call_id = call.pk
    if call.outcome == Outcome.QUOTA:
        blank.outcome, blank.reason = Outcome.QUOTA, call.reason
        return blank, None, False
    connection_give_back()
    started, exchange = monotonic(), EXCHANGES[settings.LLM_MODE]
    try:
        reply = exchange.send(candidate, work, body, clock, name=call.request_hash)
    except CallFailed as failure:
        return _failed(asking, candidate, work, call, failure, blank, started)
    except BaseException:  # the listener has gone
        ending = Ending(
            Outcome.CANCELLED, SENTENCES[Outcome.CANCELLED], work.tokens_in, is_estimated=True, is_free=exchange.is_free
        )
        call_settle(asking=asking, call=call, candidate=candidate, ending=ending)
        raise
    verdict = work.judge(reply)
    tokens = reply.tokens or (work.tokens_in, tokens_estimate([reply.text])[0])
    reason = "" if verdict.outcome is Outcome.OK else SENTENCES[verdict.outcome]
    ending = Ending(
        verdict.outcome,
        reason,
        *tokens,
        is_estimated=reply.tokens is None,
        model_replied=reply.model,
        milliseconds=(monotonic() - started) * 1000,
        is_free=exchange.is_free,
    )
    call_settle(asking=asking, call=call, candidate=candidate, ending=ending)
    blank.outcome, blank.reason, blank.text, blank.parsed = verdict.outcome, reason, reply.text, verdict.parsed
    blank.usage, blank.tops, blank.scored = _usage(candidate, ending), reply.tops, reply.scored
    is_changed = verdict.outcome is Outcome.INVALID and work.change(candidate, failure=None, verdict=verdict)
    return blank, False, is_changed


def _opened(
    asking: Asking, candidate: Candidate, work: Work, body: Json, clock: Clock, *, is_fallback: bool
) -> LLMCall:
    """The call's row, once a place at the provider is free; raises ClockStopped if none is free in time."""
    while True:
        try:
            return call_open(
                asking=asking,
                candidate=candidate,
                request_hash=request_hash(body, work.volatile, sample=work.sample),
                most_in=work.tokens_in,
                most_out=work.most_out,
                seconds=max(0.0, clock.left()),
                is_fallback=is_fallback,
                is_repair=work.is_repair,
                blocks_dropped=work.blocks_dropped,
            )
        except NoPlace:
            connection_give_back()
            clock.sleep(SLICE_S)


def _failed(
    asking: Asking, candidate: Candidate, work: Work, call: LLMCall, failure: CallFailed, result: Result, started: float
) -> tuple[Result, bool | None, bool]:
    meaning = meaning_of(failure)
    tokens = charge_of(failure, tokens_in=work.tokens_in, most_out=work.most_out)
    ending = Ending(
        meaning.outcome, meaning.reason, *tokens, is_estimated=any(tokens), milliseconds=(monotonic() - started) * 1000
    )
    call_settle(asking=asking, call=call, candidate=candidate, ending=ending)
    result.outcome, result.reason, result.text = meaning.outcome, meaning.reason, failure.text
    result.falls_back, result.fault = meaning.falls_back, failure.fault
    result.retry_in_s = (failure.retry_after or 0.0) if meaning.retry else None
    result.usage = _usage(candidate, ending)
    return result, meaning.is_down, work.change(candidate, failure=failure, verdict=None)


def _usage(candidate: Candidate, ending: Ending) -> Usage:
    cost = cost_of(ending.tokens_in, ending.tokens_out, price_in=candidate.price_in, price_out=candidate.price_out)
    return Usage(
        ending.tokens_in, ending.tokens_out, money(0 if ending.is_free else cost), is_estimated=ending.is_estimated
    )
