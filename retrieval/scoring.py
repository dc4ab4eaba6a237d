"""Asking a rerank model for the scores that a search lacks, between two of its transactions."""

from time import perf_counter

from django.conf import settings

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back
from legalqa.llm import gateway
from legalqa.llm.rerank import EndpointFailed, rerank_scores
from legalqa.llm.types import Role
from retrieval.build import Timed
from retrieval.scores import Scored, Scores, Wanted

STAGE = "rerank-call"
_LATE = "No time was left to ask for the scores."


def scores_ask(*, organization: Organization, user: User | None, scores: Scores) -> list[Timed]:
    """Ask for all that is lacking, within RERANK_TIMEOUT_S seconds together; no transaction may be open.

    The organisation's own rerank models are asked, through the gateway; the operator's endpoint only where it has none,
    so that texts go to no machine that the organisation did not choose because its own is down.
    """
    is_own = gateway.role_is_configured(organization=organization, role=Role.RERANK)
    connection_give_back()
    times, left_s = [], float(settings.RERANK_TIMEOUT_S)
    for wanted in scores.lacking:
        started = perf_counter()
        if left_s <= 0:
            scored = Scored((), _LATE)
        else:
            scored = _own(organization, user, wanted, left_s) if is_own else _operators(wanted, left_s)
        scores.put(wanted, scored)
        seconds = perf_counter() - started
        left_s -= seconds
        times.append(Timed(STAGE, 1000 * seconds, len(scored.values), scored.note))
    return times


def _own(organization: Organization, user: User | None, wanted: Wanted, seconds: float) -> Scored:
    reply = gateway.rerank(
        organization=organization, user=user, query=wanted.query, texts=wanted.texts, deadline_s=seconds
    )
    if not reply.scores:
        return Scored((), reply.reason)
    instead = ", in place of the provider that is asked first" if reply.is_fallback else ""
    return Scored(reply.scores, f"by {reply.model} of {reply.provider}{instead}")


def _operators(wanted: Wanted, seconds: float) -> Scored:
    try:
        return Scored(tuple(rerank_scores(wanted.query, wanted.texts, seconds=seconds)), "by the operator's endpoint")
    except EndpointFailed as error:
        return Scored((), str(error))
