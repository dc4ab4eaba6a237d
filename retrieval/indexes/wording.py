"""Runs of words that texts share: a quotation or a copied clause repeats the wording, whatever its subject."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from corpora.tokens import TermIds
from retrieval.indexes.statistics import ChunkIds, Scores

RUN = 3  # ours: index terms; chosen, like the two powers below, on a third of the queries of IRLeD 2017
IDF_POWER, LENGTH_POWER = 2.0, 0.5
_MULTIPLIER, _SALT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0x632BE59BD9B4E019)

Runs = NDArray[np.uint64]


class WordingRow(NamedTuple):
    """A chunk with the ids of its terms, in the order of the text."""

    chunk_id: int
    terms: TermIds


FetchWording = Callable[[ChunkIds], Sequence[WordingRow]]


def runs_of(terms: TermIds) -> Runs:
    """The distinct runs of RUN terms of a text as numbers, rising; none for a shorter text."""
    n = len(terms) - RUN + 1
    if n < 1:
        return np.zeros(0, np.uint64)
    numbers = terms.astype(np.int64).view(np.uint64)
    runs = np.zeros(n, np.uint64)
    for step in range(RUN):
        runs = (runs ^ numbers[step : step + n]) * _MULTIPLIER + _SALT
    return np.unique(runs)


@dataclass(frozen=True)
class WordingIndex:
    """Which chunks hold which runs: `runs` rising, with the place of a chunk that holds each; a pair for each chunk.

    Attributes:
        chunk_ids: Rising.
        lengths: Terms of each chunk.
        runs: Of all chunks, rising, once for each chunk that holds one.
        places: The chunk of each, as its place in `chunk_ids`.
    """

    chunk_ids: ChunkIds
    lengths: NDArray[np.int64]
    runs: Runs
    places: NDArray[np.int32]

    @classmethod
    def build(cls, rows: Sequence[WordingRow]) -> Self:
        """Index chunks in any order."""
        ordered = sorted(rows, key=lambda row: row.chunk_id)
        all_runs = [runs_of(row.terms) for row in ordered]
        places = np.repeat(np.arange(len(all_runs), dtype=np.int32), [len(runs) for runs in all_runs])
        return cls._sorted(
            np.fromiter((row.chunk_id for row in ordered), np.int64, len(ordered)),
            np.fromiter((len(row.terms) for row in ordered), np.int64, len(ordered)),
            np.concatenate(all_runs) if all_runs else np.zeros(0, np.uint64),
            places,
        )

    @classmethod
    def _sorted(cls, chunk_ids: ChunkIds, lengths: NDArray[np.int64], runs: Runs, places: NDArray[np.int32]) -> Self:
        order = np.lexsort((places, runs))
        return cls(chunk_ids, lengths, runs[order], places[order])

    @property
    def nbytes(self) -> int:
        return self.chunk_ids.nbytes + self.lengths.nbytes + self.runs.nbytes + self.places.nbytes

    def scores(self, terms: TermIds) -> Scores:
        """For each chunk the sum of idf² over the runs it shares with a text, over the square root of its length.

        idf is ln(chunks / chunks with the run). Near to tf-idf over word n-grams; powers and length of a run are ours.
        """
        runs = runs_of(terms)
        first, last = (np.searchsorted(self.runs, runs, side=side) for side in ("left", "right"))
        counts = last - first
        weights = np.zeros(len(runs))
        present = counts > 0
        weights[present] = np.log(len(self.chunk_ids) / counts[present]) ** IDF_POWER
        steps = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        postings = np.repeat(first, counts) + steps
        total = np.bincount(self.places[postings], np.repeat(weights, counts), minlength=len(self.chunk_ids))
        return np.asarray(total / np.maximum(self.lengths, 1) ** LENGTH_POWER)

    def top(self, terms: TermIds, *, k: int, allowed: ChunkIds | None = None) -> tuple[ChunkIds, Scores]:
        """The k best chunks that share a run, ties by rising id, with their scores."""
        scores = self.scores(terms)
        is_open = scores > 0
        if allowed is not None:
            is_open &= np.isin(self.chunk_ids, allowed)
        at = np.flatnonzero(is_open)
        best = at[np.argsort(-scores[at], kind="stable")[:k]]
        return self.chunk_ids[best], scores[best]

    def refreshed(self, current_ids: ChunkIds, fetch: FetchWording) -> Self:
        """The index of the chunks that exist now; only new ones are read."""
        current = np.unique(np.asarray(current_ids, np.int64))
        missing = np.setdiff1d(current, self.chunk_ids, assume_unique=True)
        keep = np.isin(self.chunk_ids, current, assume_unique=True)
        if keep.all() and not len(missing):
            return self
        new = self.build(fetch(missing) if len(missing) else ())
        chunk_ids = np.concatenate([self.chunk_ids[keep], new.chunk_ids])
        order = np.argsort(chunk_ids)
        place_of = np.empty(len(order), np.int32)
        place_of[order] = np.arange(len(order), dtype=np.int32)
        old_place = np.cumsum(keep) - 1
        is_kept = keep[self.places]
        places = np.concatenate(
            [place_of[old_place[self.places[is_kept]]], place_of[new.places + np.int32(keep.sum())]]
        )
        lengths = np.concatenate([self.lengths[keep], new.lengths])[order]
        return self._sorted(chunk_ids[order], lengths, np.concatenate([self.runs[is_kept], new.runs]), places)
