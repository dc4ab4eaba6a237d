"""Sparse search that also reads the passages beside each passage."""

from typing import Literal

from corpora.tokens import TermIds
from retrieval.indexes.bm25 import Bm25Matrix
from retrieval.indexes.outline import Outline, near_scores
from retrieval.indexes.statistics import Scores
from retrieval.retrievers.bm25_outline import Bm25Outline


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
