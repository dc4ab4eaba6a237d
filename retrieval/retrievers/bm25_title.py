"""Sparse search that also reads the title above each passage."""

from typing import Literal

from pydantic import Field

from corpora.tokens import term_ids, tokens
from retrieval.indexes.cache import matrix_current, outline_current
from retrieval.indexes.outline import title_scores
from retrieval.retrievers.base import Retriever
from retrieval.stages import Resources
from retrieval.types import Query, Ranking


class Bm25Title(Retriever):
    """BM25 over the text and, at `outline.TITLE_WEIGHT` (ours), over the title above each passage.

    Attributes:
        top_k: Hits at most, 1 to 10,000.

    Source: ours, over BM25 as in `retrieval.indexes.bm25`; the scores are those of `outline.title_scores`.
    """

    label = "Words with titles"
    action = "Searched by words, with titles"

    kind: Literal["bm25-title.v1"] = "bm25-title.v1"
    top_k: int = Field(default=100, ge=1, le=10_000)

    def search(self, query: Query, resources: Resources) -> Ranking:
        """Rank chunks by both scores together.

        Returns:
            At most `top_k` chunks whose text or title holds a term of the query, best first, ties by rising chunk id.
            Scores are above 0 and without an upper bound.
        """
        matrix, outline = matrix_current(corpus=resources.corpus), outline_current(corpus=resources.corpus)
        terms = term_ids(tokens(query.text, language=resources.corpus.language))
        scores = title_scores(matrix, outline, terms)
        ids, best = matrix.best(scores, k=self.top_k, allowed=resources.allowed)
        return Ranking.of(query.text, zip(ids.tolist(), best.tolist(), strict=True), stage=self.name)
