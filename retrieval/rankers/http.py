"""Reranking by an endpoint over HTTP that the operator has set."""

from legalqa.llm.rerank import EndpointFailed, rerank_scores
from retrieval.configs import HttpRerank
from retrieval.rankers.base import RerankFailed, reordered
from retrieval.retrievers.base import Resources
from retrieval.selectors import chunk_texts
from retrieval.types import Query, Ranking


def http_rerank(
    query: Query,
    before: Ranking,
    *,
    config: HttpRerank,
    resources: Resources,  # noqa: ARG001 - the endpoint sees texts only
) -> Ranking:
    """Order the first `config.depth` hits by the endpoint's scores.

    Raises:
        RerankFailed: no endpoint is set, or it gave no usable scores.
    """
    if not before.hits:
        return before
    first = before.cut(config.depth)
    held = chunk_texts(chunk_ids=[hit.chunk_id for hit in first.hits])
    try:
        scores = rerank_scores(query.text, [held.get(hit.chunk_id, "") for hit in first.hits])
    except EndpointFailed as error:
        raise RerankFailed(f"{error} The passages stand in the order they were found.") from error
    return reordered(before, scores, stage="http-rerank")
