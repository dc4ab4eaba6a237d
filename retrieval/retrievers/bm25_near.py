"""Sparse search that also reads the passages before and after each."""

from typing import Literal

from pydantic import Field

from corpora.tokens import term_ids, tokens
from retrieval.indexes.cache import matrix_current, outline_current
from retrieval.indexes.outline import near_scores
from retrieval.retrievers.base import Retriever
from retrieval.stages import Resources
from retrieval.types import Query, Ranking


class Bm25Near(Retriever):
    """BM25 over the text and, at `outline.NEAR_WEIGHT` (ours), over the passages before and after each.

    Attributes:
        top_k: Hits at most, 1 to 10,000.

    Source: ours, over BM25 as in `retrieval.indexes.bm25`; the scores are those of `outline.near_scores`.
    """

    label = "Words nearby"
    action = "Searched by words, with the passages beside"

    kind: Literal["bm25-near.v1"] = "bm25-near.v1"
    top_k: int = Field(default=100, ge=1, le=10_000)

    def search(self, query: Query, resources: Resources) -> Ranking:
        """Rank chunks by both scores together.

        Returns:
            At most `top_k` chunks that hold a term of the query or are beside one that does, best first, ties by rising
            chunk id. Scores are above 0 and without an upper bound.
        """
        matrix, outline = matrix_current(corpus=resources.corpus), outline_current(corpus=resources.corpus)
        terms = term_ids(tokens(query.text, language=resources.corpus.language))
        scores = near_scores(matrix, outline, terms)
        ids, best = matrix.best(scores, k=self.top_k, allowed=resources.allowed)
        return Ranking.of(query.text, zip(ids.tolist(), best.tolist(), strict=True), stage=self.name)
