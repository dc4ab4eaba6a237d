"""Sparse search that also reads what is around each passage: the title above it, or the passages beside it."""

from abc import abstractmethod
from typing import Literal

from corpora.tokens import TermIds, term_ids, tokens
from retrieval.indexes.bm25 import Bm25Matrix
from retrieval.indexes.cache import matrix_current, outline_current
from retrieval.indexes.outline import Outline, near_scores, title_scores
from retrieval.indexes.statistics import Scores
from retrieval.retrievers.base import Retriever
from retrieval.stages import Resources
from retrieval.types import Query, Ranking


class Bm25Outline(Retriever):
    """BM25 over the text and over what is around it; a subclass says what of that counts.

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


class Bm25Title(Bm25Outline):
    """BM25 over the text and, at `outline.TITLE_WEIGHT` (ours), over the title above each passage.

    Attributes:
        top_k: Hits at most, 1 to 10,000.

    Source: ours, over BM25 as in `retrieval.indexes.bm25`; the scores are those of `outline.title_scores`.
    """

    label = "Words with titles"
    action = "Searched by words, with titles"

    kind: Literal["bm25-title.v1"] = "bm25-title.v1"

    def scores(self, matrix: Bm25Matrix, outline: Outline, terms: TermIds) -> Scores:
        return title_scores(matrix, outline, terms)


class Bm25Near(Bm25Outline):
    """BM25 over the text and, at `outline.NEAR_WEIGHT` (ours), over the passages before and after each.

    Attributes:
        top_k: Hits at most, 1 to 10,000.

    Source: ours, over BM25 as in `retrieval.indexes.bm25`; the scores are those of `outline.near_scores`.
    """

    label = "Words nearby"
    action = "Searched by words, with the passages beside"

    kind: Literal["bm25-near.v1"] = "bm25-near.v1"

    def scores(self, matrix: Bm25Matrix, outline: Outline, terms: TermIds) -> Scores:
        return near_scores(matrix, outline, terms)
