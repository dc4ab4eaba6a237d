"""Sparse search that also reads the title above each passage."""

from typing import Literal

from corpora.tokens import TermIds
from retrieval.indexes.bm25 import Bm25Matrix
from retrieval.indexes.outline import Outline, title_scores
from retrieval.indexes.statistics import Scores
from retrieval.retrievers.bm25_outline import Bm25Outline


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
