"""The one way to a language model: which model answers, how long it may take, what it may cost, and the record of it.

Callers name a role and never see a provider. None of these functions raises because of a provider: whatever it does
ends in an `Outcome`. Call them outside any organisation scope: a transaction that stays open while a model writes
would hold a connection, and a rollback would erase the record of the call.
"""

from collections.abc import Sequence
from time import monotonic
from typing import Any
from uuid import uuid4

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope, scope_is_active
from legalqa.accounts.services import request_count
from legalqa.accounts.services.rates import Bucket, Rate
from legalqa.common.errors import ScopeError
from legalqa.llm.calling import DEADLINE_MAX_S, Result, ask_in_order, candidates_allowed, seconds_allowed
from legalqa.llm.clock import Clock
from legalqa.llm.models import GatewaySettings
from legalqa.llm.pricing import tokens_estimate
from legalqa.llm.selectors import Candidate, candidate_list, settings_get
from legalqa.llm.services.ledger import Asking
from legalqa.llm.types import Cancelled, LLMReply, LLMRequest, NumbersReply, OnDelta, Outcome, Role
from legalqa.llm.wire import ListenerFailed, sdk_load
from legalqa.llm.works import ChatWork, NumbersWork, Work

NOT_CONFIGURED = "No language model is set up for this."
NOT_SET_UP = "The model {!r} is not set up for this. Add it under Language models, or choose another."
NO_PROMPT = ("none@1", "0" * 64)  # for embedding and reranking
RATE_KIND = "llm"


def complete(
    *,
    organization: Organization,
    user: User | None,
    request: LLMRequest,
    on_delta: OnDelta | None = None,
    cancelled: Cancelled | None = None,
) -> LLMReply:
    """Ask the models of the request's role, in the organisation's order, until one answers.

    If a request names its model, only that model is asked.

    Args:
        user: Who asks, for the ledger and the calls per minute; None for background work.
        on_delta: Receives the answer piece by piece, as it is written and before it is judged. All pieces belong to
            one answer: after the first piece no other model is asked, and the repair of a reply is not streamed.
        cancelled: Called about every tenth of a second; True ends the call.

    Returns:
        The reply. Only with the outcome OK is the answer complete; otherwise `text` may be part of one.

    Raises:
        ScopeError: a transaction of an organisation is open.
        Exception: whatever `on_delta` raised, after the call was ended and charged.
    """
    started = monotonic()
    asking = Asking(
        organization,
        user,
        request.role,
        uuid4(),
        request.prompt,
        request.prompt_hash,
        is_evaluation=request.is_evaluation,
        subject=request.subject,
        model=request.model,
    )
    try:
        result = _run(asking, ChatWork(request, on_delta), deadline_s=request.deadline_s, cancelled=cancelled)
    except ListenerFailed as failed:
        raise (failed.__cause__ or failed) from None
    return LLMReply(
        **_replied(result, started),
        text=result.text,
        parsed=result.parsed,
        blocks_dropped=result.blocks_dropped,
        tops=result.tops,
        scored=result.scored,
    )


def embed(
    *, organization: Organization, user: User | None, texts: Sequence[str], deadline_s: float = 30.0, model: str = ""
) -> NumbersReply:
    """A vector for each text from the organisation's embedding model; all of one length, not normalised.

    Vectors of different models cannot be compared: check `model` of the reply, or name the only model that may be
    asked, as "provider/model" or "model".

    Raises:
        ScopeError: a transaction of an organisation is open.
    """
    return _numbers(_asking(organization, user, Role.EMBED, model=model), NumbersWork(texts), deadline_s)


def rerank(
    *, organization: Organization, user: User | None, query: str, texts: Sequence[str], deadline_s: float = 10.0
) -> NumbersReply:
    """A score of each text for the query from the organisation's rerank model, or the operator's; larger is better.

    Args:
        deadline_s: Seconds for the whole request, whatever the models' own deadlines are.

    Raises:
        ScopeError: a transaction of an organisation is open.
    """
    asking = _asking(organization, user, Role.RERANK)
    return _numbers(asking, NumbersWork(texts, query), deadline_s, at_most_s=deadline_s)


def role_is_configured(*, organization: Organization, role: Role) -> bool:
    """Whether a model is set up for that role; inside the organisation's scope or outside any."""
    if scope_is_active():
        return bool(candidate_list(organization=organization, role=role))
    with organization_scope(organization, user=None):
        return bool(candidate_list(organization=organization, role=role))


def candidate_ask(
    *, organization: Organization, user: User | None, role: Role, candidate: Candidate, work: Work, deadline_s: float
) -> Result:
    """Ask one candidate only, to test a connection.

    Raises:
        ScopeError: a transaction of an organisation is open.
    """
    asking = _asking(organization, user, role, ("connection-test@1", "0" * 64))
    return _run(asking, work, deadline_s=deadline_s, only=candidate)


def seconds_for(*, organization: Organization, role: Role, asked_s: float) -> float:
    """The most seconds that a request in a role can take; models without limits of their own take `asked_s`."""
    with organization_scope(organization, user=None):
        candidates = candidate_list(organization=organization, role=role)
        allows_fallback = settings_get(organization=organization).allows_fallback
    return seconds_allowed(candidates_allowed(candidates, allows_fallback=allows_fallback), asked_s=asked_s)


def _asking(
    organization: Organization, user: User | None, role: Role, prompt: tuple[str, str] = NO_PROMPT, *, model: str = ""
) -> Asking:
    return Asking(organization, user, role, uuid4(), *prompt, model=model)


def _numbers(
    asking: Asking, work: NumbersWork, deadline_s: float, *, at_most_s: float = DEADLINE_MAX_S
) -> NumbersReply:
    started = monotonic()
    result = _run(asking, work, deadline_s=deadline_s, at_most_s=at_most_s)
    is_ok = result.outcome is Outcome.OK
    return NumbersReply(
        **_replied(result, started),
        vectors=tuple(tuple(vector) for vector in work.vectors) if is_ok else (),
        scores=tuple(work.scores) if is_ok else (),
    )


def _replied(result: Result, started: float) -> dict[str, Any]:
    """The fields of every reply."""
    candidate = result.candidate
    return {
        "outcome": result.outcome,
        "usage": result.usage,
        "provider": candidate.provider if candidate else "",
        "model": candidate.model if candidate else "",
        "is_fallback": result.is_fallback,
        "call_id": result.call_id,
        "reason": result.reason,
        "milliseconds": (monotonic() - started) * 1000,
    }


def _run(
    asking: Asking,
    work: Work,
    *,
    deadline_s: float,
    at_most_s: float = DEADLINE_MAX_S,
    cancelled: Cancelled | None = None,
    only: Candidate | None = None,
) -> Result:
    if scope_is_active():
        raise ScopeError("Call language models outside organisation_scope(): no transaction may stay open.")
    with organization_scope(asking.organization, user=asking.user):
        allowed = settings_get(organization=asking.organization)
        candidates = candidate_list(organization=asking.organization, role=asking.role) if only is None else [only]
    if not candidates:
        return Result(Outcome.UNAVAILABLE, NOT_CONFIGURED)
    candidates = [each for each in candidates if each.is_called(asking.model)]
    if not candidates:
        return Result(Outcome.UNAVAILABLE, NOT_SET_UP.format(asking.model))
    if not _is_within_rate(asking, allowed):
        return Result(Outcome.QUOTA, "Too many questions within a minute. Wait a little and ask again.")
    sdk_load()
    tokens_estimate([""])  # loads the tokenizer the first time, which takes as long
    may_answer = candidates_allowed(candidates, allows_fallback=allowed.allows_fallback)
    clock = Clock.of(min(at_most_s, seconds_allowed(may_answer, asked_s=deadline_s)), cancelled)
    result = ask_in_order(asking, may_answer, work, clock, asked_s=deadline_s)
    if result.falls_back and len(may_answer) < len(candidates):
        result.reason += " Another provider is set up, but your organisation does not allow falling back to it."
    return result


def _is_within_rate(asking: Asking, allowed: GatewaySettings) -> bool:
    """Count the question towards the person's calls per minute."""
    if asking.user is None or allowed.calls_per_minute is None:
        return True
    bucket = Bucket(asking.user.pk, RATE_KIND, Rate(allowed.calls_per_minute, 60))
    standing = request_count(organization_id=asking.organization.pk, user=asking.user, buckets=[bucket])
    return standing.wait_s == 0
