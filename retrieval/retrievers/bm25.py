"""Sparse search over in-process matrices that are checked against the corpus's version before every use."""

from typing import Literal

from pydantic import Field

from corpora.tokens import term_ids, tokens
from retrieval.indexes.cache import matrix_current
from retrieval.retrievers.base import Retriever
from retrieval.stages import Resources
from retrieval.types import Query, Ranking


class Bm25(Retriever):
    """Sparse search by BM25 over text and nearest heading; exact after every commit, deletes included.

    Attributes:
        top_k: Hits at most, 1 to 10,000.
        k1: Saturation of term counts, 0 to 100; with 0 a term counts once, however often it occurs.
        b: Share of length normalisation, 0 for none to 1 for all of it.

    Source: Robertson and Zaragoza 2009, as in `retrieval.indexes.bm25`.
    """

    label = "Words"
    action = "Searched by words"
    settable = ("k1", "b", "top_k")

    kind: Literal["bm25.v1"] = "bm25.v1"
    k1: float = Field(default=1.2, ge=0, le=100)
    b: float = Field(default=0.75, ge=0, le=1)

    def search(self, query: Query, resources: Resources) -> Ranking:
        """Rank chunks by BM25.

        Returns:
            At most `top_k` chunks that hold a term of the query, best first, ties by rising chunk id. Scores are sums
            over terms, above 0 and without an upper bound.
        """
        matrix = matrix_current(corpus=resources.corpus)
        terms = term_ids(tokens(query.text, language=resources.corpus.language))
        ids, scores = matrix.top(terms, k=self.top_k, allowed=resources.allowed, k1=self.k1, b=self.b)
        return Ranking.of(query.text, zip(ids.tolist(), scores.tolist(), strict=True), stage=self.name)
