"""Reranking by a model over HTTP: the organisation's own, or the endpoint that the operator has set."""

from typing import Literal

from pydantic import Field

from legalqa.accounts.models import Organization
from legalqa.llm.gateway import role_is_configured
from legalqa.llm.types import Role
from retrieval.rerankers.base import Reranker, RerankFailed, reordered
from retrieval.selectors import chunk_texts
from retrieval.stages import Resources
from retrieval.types import Query, Ranking

_UNCHANGED = "The passages are in the order they were found."


class HttpRerank(Reranker):
    """A rerank endpoint over HTTP over the first `depth` hits; which one is a setting of the installation.

    Attributes:
        depth: Hits that are scored, 1 to 200; those behind keep their order.

    Source: the protocols of Cohere and Jina, and of text-embeddings-inference; the scores are those of the endpoint.
    """

    label = "Rerank server"
    action = "Reranked by these scores"
    choice = ("http", "rerank service")

    kind: Literal["http-rerank.v1"] = "http-rerank.v1"
    depth: int = Field(default=50, ge=1, le=200)

    @classmethod
    def is_available(cls, *, organization: Organization) -> bool:
        return role_is_configured(organization=organization, role=Role.RERANK)

    def rerank(self, query: Query, before: Ranking, resources: Resources) -> Ranking:
        """Order the first hits by the scores that `retrieval.rerankers.scoring` brought.

        This runs inside a transaction, where nobody outside is asked: the first run only notes what is to be scored.

        Returns:
            The same hits, best first, ties as they were. Scores are 1 / (RRF_K + rank); the part "http-rerank.score" is
            the endpoint's, on its scale.

        Raises:
            RerankFailed: nobody was asked yet, nobody gave usable scores, or the corpus changed during the search.
        """
        if not before.hits:
            return before
        first = before.cut(self.depth)
        texts = chunk_texts(corpus=resources.corpus, chunk_ids=[hit.chunk_id for hit in first.hits])
        if len(texts) < len(first.hits):
            raise RerankFailed(f"The corpus changed during the search. {_UNCHANGED}")
        scored = resources.scores.of(query.text, [texts[hit.chunk_id] for hit in first.hits])
        if scored is None:
            raise RerankFailed(f"The rerank model was not asked. {_UNCHANGED}")
        if not scored.values:
            raise RerankFailed(f"{scored.note} {_UNCHANGED}")
        return reordered(before, scored.values, stage=self.name)
