"""Asking a rerank model, or the reader, for the scores that a search lacks, between two of its transactions."""

from time import perf_counter

from django.conf import settings

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import connection_give_back
from legalqa.common.errors import ResourceDown
from legalqa.encoder.client import reader_is_on, reading
from legalqa.encoder.weights import WeightsWrong
from legalqa.llm import gateway
from legalqa.llm.selectors import OPERATOR_RERANKER
from legalqa.llm.types import Role, reply_record
from retrieval.scores import READER, Scored, ScoreRequest, Scores
from retrieval.types import Timed

STAGE, READING = "rerank-call", "read-call"
_LATE = "No time was left to ask for the scores."
_NO_READER = "The reader is switched off, so passages cannot be judged."
_NOBODY = "No rerank model is set up, and no endpoint of the operator's (LEGALQA_RERANK_URL)."


def scores_ask(*, organization: Organization, user: User | None, scores: Scores) -> list[Timed]:
    """Ask for all that is lacking; no transaction may be open.

    Rerank models have RERANK_TIMEOUT_S seconds together, or the model's own deadline. The reader has no time limit, but
    is not waited for again once it has failed to answer. The organisation's own rerank models are asked, and the
    operator's endpoint only if it has none: texts never go to a machine that the organisation did not choose just
    because its own is down.
    """
    left_s = seconds_for_scores(organization)
    connection_give_back()
    times, refusal = [], ""
    for request in scores.lacking:
        started = perf_counter()
        if request.by == READER:
            scored = Scored((), refusal) if refusal else _read(request)
            refusal = scored.note
        else:
            scored = score_ask(organization, user, request, left_s)
        scores.put(request, scored)
        seconds = perf_counter() - started
        left_s -= seconds if request.by != READER else 0.0
        stage = READING if request.by == READER else STAGE
        times.append(Timed(stage, 1000 * seconds, len(scored.values), scored.note, scored.call))
    return times


def _read(request: ScoreRequest) -> Scored:
    """The reader's chance for each text that it answers the query."""
    if not reader_is_on():
        return Scored((), _NO_READER)
    try:
        reads = reading([(request.query, text) for text in request.texts], is_urgent=True)
    except (ResourceDown, WeightsWrong):
        return Scored((), "The reader does not answer, so passages cannot be judged.")
    return Scored(tuple(one.answers for one in reads), "")


def seconds_for_scores(organization: Organization) -> float:
    """The longest that a question waits for scores: RERANK_TIMEOUT_S, or the model's own deadline."""
    return gateway.seconds_for(organization=organization, role=Role.RERANK, asked_s=float(settings.RERANK_TIMEOUT_S))


def score_ask(organization: Organization, user: User | None, request: ScoreRequest, seconds: float) -> Scored:
    """The scores of one request within this many seconds, or none and the reason; no transaction may be open."""
    if seconds <= 0:
        return Scored((), _LATE)
    reply = gateway.rerank(
        organization=organization, user=user, query=request.query, texts=request.texts, deadline_s=seconds
    )
    if reply.reason == gateway.NOT_CONFIGURED:
        return Scored((), _NOBODY)
    call = reply_record(reply)
    if not reply.scores:
        return Scored((), reply.reason, call)
    if reply.provider == OPERATOR_RERANKER:
        return Scored(reply.scores, f"by {OPERATOR_RERANKER}", call)
    instead = ", in place of the provider that is asked first" if reply.is_fallback else ""
    return Scored(reply.scores, f"by {reply.model} of {reply.provider}{instead}", call)
