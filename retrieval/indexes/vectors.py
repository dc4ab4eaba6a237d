"""Exact search by cosine in memory: the vectors of a corpus's windows, refreshed like its BM25 matrix."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from retrieval.indexes.statistics import best_of

Ids = NDArray[np.int64]
Floats = NDArray[np.float32]
TIE_DECIMALS = 6  # ours: decimals that float32 sums of 384 products agree to, so that equals are ties


@dataclass(frozen=True, slots=True)
class WindowRows:
    """Stored windows: the id of each, the chunk it belongs to, and its unit vector [n, d]."""

    ids: Ids
    chunk_ids: Ids
    vectors: Floats


FetchWindows = Callable[[Ids], WindowRows]


@dataclass(frozen=True)
class VectorMatrix:
    """The windows of a corpus, sorted by chunk, then window id; rows of `vectors` have length 1."""

    ids: Ids
    window_chunk_ids: Ids
    vectors: Floats

    @classmethod
    def build(cls, rows: WindowRows) -> Self:
        order = np.lexsort((rows.ids, rows.chunk_ids))
        return cls(rows.ids[order], rows.chunk_ids[order], np.ascontiguousarray(rows.vectors[order]))

    @classmethod
    def empty(cls) -> Self:
        none = np.zeros(0, np.int64)
        return cls(none, none, np.zeros((0, 0), np.float32))

    @property
    def nbytes(self) -> int:
        return self.ids.nbytes + self.window_chunk_ids.nbytes + self.vectors.nbytes

    @cached_property
    def chunk_ids(self) -> Ids:
        """The chunks that have a window, rising."""
        return self.window_chunk_ids[self._starts]

    @cached_property
    def _starts(self) -> Ids:
        """The first window of every chunk."""
        return np.flatnonzero(np.diff(self.window_chunk_ids, prepend=-1))

    def scores(self, vector: Floats) -> Floats:
        """Return for each of `chunk_ids` the largest cosine of one of its windows with a unit vector [d]."""
        if not len(self.ids):
            return np.zeros(0, np.float32)
        return np.asarray(np.maximum.reduceat(self.vectors @ vector, self._starts), np.float32)

    def top(self, vector: Floats, *, k: int, allowed: Ids | None = None) -> tuple[Ids, Floats]:
        """Return the k chunks closest to a unit vector, best first, ties by rising chunk id.

        Args:
            vector: The query's unit vector, [d].
            k: Most chunks to return, > 0.
            allowed: Chunk ids that may be returned; None allows all.

        Returns:
            Chunk ids and their cosines, rounded to TIE_DECIMALS.

        Raises:
            ValueError: k < 1.
        """
        chunk_ids, scores = self.chunk_ids, self.scores(vector)
        if allowed is not None:
            is_allowed = np.isin(chunk_ids, allowed)
            chunk_ids, scores = chunk_ids[is_allowed], scores[is_allowed]
        return best_of(chunk_ids, scores, k=k, decimals=TIE_DECIMALS)

    def of(self, chunk_ids: Sequence[int]) -> tuple[Ids, Floats]:
        """Return the windows of some chunks: for each window its chunk id, and its vector."""
        at = np.flatnonzero(np.isin(self.window_chunk_ids, np.asarray(chunk_ids, np.int64)))
        return self.window_chunk_ids[at], self.vectors[at]

    def refreshed(self, current_ids: Ids, fetch: FetchWindows) -> Self:
        """Return the matrix of the windows that exist now, equal to one built from scratch.

        Args:
            current_ids: Ids of all windows of the corpus, in any order.
            fetch: Returns the rows of the ids it is given; ids that vanished meanwhile may be missing.
        """
        keep = np.isin(self.ids, current_ids, assume_unique=True)
        missing = np.setdiff1d(current_ids, self.ids, assume_unique=True)
        if keep.all() and not len(missing):
            return self
        if not len(missing):
            return type(self)(self.ids[keep], self.window_chunk_ids[keep], self.vectors[keep])
        new = fetch(missing)
        if not len(self.ids):
            return self.build(new)
        return self.build(
            WindowRows(
                np.concatenate([self.ids[keep], new.ids]),
                np.concatenate([self.window_chunk_ids[keep], new.chunk_ids]),
                np.concatenate([self.vectors[keep], new.vectors]),
            )
        )
