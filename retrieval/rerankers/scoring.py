"""Asking a rerank model for the scores that a search lacks, between two of its transactions."""

from time import perf_counter

from django.conf import settings

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back
from legalqa.llm import gateway
from legalqa.llm.selectors import OPERATOR_RERANKER
from legalqa.llm.types import Role
from retrieval.scores import Scored, ScoreRequest, Scores
from retrieval.types import Timed

STAGE = "rerank-call"
_LATE = "No time was left to ask for the scores."
_NOBODY = "No rerank model is set up, and no endpoint of the operator's (LEGALQA_RERANK_URL)."


def scores_ask(*, organization: Organization, user: User | None, scores: Scores) -> list[Timed]:
    """Ask for all that is lacking, within RERANK_TIMEOUT_S seconds together or the model's own deadline; no transaction
    may be open.

    The organisation's own rerank models are asked; the operator's endpoint only where it has none, so that texts go to
    no machine that the organisation did not choose because its own is down.
    """
    left_s = seconds_for_scores(organization)
    connection_give_back()
    times = []
    for request in scores.lacking:
        started = perf_counter()
        scored = score_ask(organization, user, request, left_s)
        scores.put(request, scored)
        seconds = perf_counter() - started
        left_s -= seconds
        times.append(Timed(STAGE, 1000 * seconds, len(scored.values), scored.note))
    return times


def seconds_for_scores(organization: Organization) -> float:
    """The longest that a question waits for scores: RERANK_TIMEOUT_S, or the model's own deadline."""
    return gateway.seconds_for(organization=organization, role=Role.RERANK, asked_s=float(settings.RERANK_TIMEOUT_S))


def score_ask(organization: Organization, user: User | None, request: ScoreRequest, seconds: float) -> Scored:
    """The scores of one request within so many seconds, or none and the reason; no transaction may be open."""
    if seconds <= 0:
        return Scored((), _LATE)
    reply = gateway.rerank(
        organization=organization, user=user, query=request.query, texts=request.texts, deadline_s=seconds
    )
    if not reply.scores:
        return Scored((), _NOBODY if reply.reason == gateway.NOT_CONFIGURED else reply.reason)
    if reply.provider == OPERATOR_RERANKER:
        return Scored(reply.scores, f"by {OPERATOR_RERANKER}")
    instead = ", in place of the provider that is asked first" if reply.is_fallback else ""
    return Scored(reply.scores, f"by {reply.model} of {reply.provider}{instead}")
