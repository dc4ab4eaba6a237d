"""Reranking by a model over HTTP: the organisation's own, or the endpoint that the operator has set."""

from retrieval.pipelines.configs import HttpRerank
from retrieval.rerankers.base import RerankFailed, reordered
from retrieval.retrievers.base import Resources
from retrieval.selectors import chunk_texts
from retrieval.types import Query, Ranking

_STANDING = "The passages stand in the order they were found."


def http_rerank(query: Query, before: Ranking, *, config: HttpRerank, resources: Resources) -> Ranking:
    """Order the first `config.depth` hits by the scores that `retrieval.rerankers.scoring` brought.

    This runs inside a transaction, where nobody outside is asked: the first run only notes what is to be scored.

    Raises:
        RerankFailed: nobody was asked yet, nobody gave usable scores, or the corpus changed during the search.
    """
    if not before.hits:
        return before
    first = before.cut(config.depth)
    held = chunk_texts(chunk_ids=[hit.chunk_id for hit in first.hits])
    if len(held) < len(first.hits):
        raise RerankFailed(f"The corpus changed during the search. {_STANDING}")
    scored = resources.scores.of(query.text, [held[hit.chunk_id] for hit in first.hits])
    if scored is None:
        raise RerankFailed(f"The rerank model was not asked. {_STANDING}")
    if not scored.values:
        raise RerankFailed(f"{scored.note} {_STANDING}")
    return reordered(before, scored.values, stage="http-rerank")
