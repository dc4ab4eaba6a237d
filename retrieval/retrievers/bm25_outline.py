"""Sparse search that also reads the surroundings of each passage; the base of retrievers that say which parts count."""

from abc import abstractmethod

from corpora.tokens import TermIds, term_ids, tokens
from retrieval.indexes.bm25 import Bm25Matrix
from retrieval.indexes.cache import matrix_current, outline_current
from retrieval.indexes.outline import Outline
from retrieval.indexes.statistics import Scores
from retrieval.retrievers.base import Retriever
from retrieval.stages import Resources
from retrieval.types import Query, Ranking


class Bm25Outline(Retriever):
    """BM25 over the text and over its surroundings; a subclass says which of these count.

    Attributes:
        top_k: Hits at most, 1 to 10,000.
    """

    @abstractmethod
    def scores(self, matrix: Bm25Matrix, outline: Outline, terms: TermIds) -> Scores:
        """Both scores together, for each chunk."""

    def search(self, query: Query, resources: Resources) -> Ranking:
        """Rank chunks by both scores together.

        Returns:
            At most `top_k` chunks in which, or around which, a term of the query is, best first, ties by rising chunk
            id. Scores are above 0 and without an upper bound.
        """
        matrix, outline = matrix_current(corpus=resources.corpus), outline_current(corpus=resources.corpus)
        scores = self.scores(matrix, outline, term_ids(tokens(query.text, language=resources.corpus.language)))
        ids, best = matrix.best(scores, k=self.top_k, allowed=resources.allowed)
        return Ranking.of(query.text, zip(ids.tolist(), best.tolist(), strict=True), stage=self.name)
