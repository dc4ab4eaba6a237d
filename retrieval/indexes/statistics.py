"""What gate, ranker and rewriter ask of an index about words: of the terms of a question and of some chunks only."""

from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from corpora.tokens import TermIds, term_ids, tokens

ChunkIds = NDArray[np.int64]
Scores = NDArray[np.float64]
F = TypeVar("F", np.float32, np.float64)


def best_of(ids: ChunkIds, scores: NDArray[F], *, k: int, decimals: int) -> tuple[ChunkIds, NDArray[F]]:
    """The k best of chunks by rising id, best first, ties by rising id.

    Scores are compared and returned with so many decimals: what is equal on paper differs by less in the machine.

    Raises:
        ValueError: k < 1.
    """
    if k < 1:
        raise ValueError(f"k is {k}; ask for at least one chunk.")
    if len(ids) > k:
        is_near = scores >= np.partition(scores, -k)[-k] - 10.0**-decimals
        ids, scores = ids[is_near], scores[is_near]
    rounded = np.round(scores, decimals)
    order = np.argsort(-rounded, kind="stable")[:k]
    return ids[order], rounded[order]


class TermStatistics(Protocol):
    """The words of one corpus. Nothing is asked of all chunks, so that an engine elsewhere can answer too."""

    @property
    def size(self) -> int:
        """How many chunks there are."""

    def idf(self, term_ids: TermIds) -> Scores:
        """The idf of each term; of an unknown one, that of a term in no chunk."""

    def holds(self, term_ids: TermIds) -> NDArray[np.bool_]:
        """For each term whether any chunk has it."""

    def presence(self, term_ids: TermIds, chunk_ids: ChunkIds) -> NDArray[np.bool_]:
        """For each term and each chunk whether the chunk has the term: [terms, chunks]."""

    def spread(self, term_ids: TermIds, chunk_ids: ChunkIds | None = None) -> int:
        """How many chunks, of these or of all, have every one of the terms; 0 for no terms."""

    def scores_of(self, term_ids: TermIds, chunk_ids: ChunkIds) -> Scores:
        """The BM25 score of each chunk."""

    def lengths_of(self, chunk_ids: ChunkIds) -> NDArray[np.int64]:
        """The length of each chunk in terms."""


def term_weights(words: TermStatistics, text: str, *, language: str) -> dict[str, float]:
    """The index terms of a text with their idf in a corpus."""
    terms = sorted(set(tokens(text, language=language)))
    return dict(zip(terms, words.idf(term_ids(terms)).tolist(), strict=True))
