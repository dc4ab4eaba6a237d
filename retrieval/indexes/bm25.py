"""Exact BM25 over one corpus, scored from arrays in memory and refreshed by the rows that changed.

Memory is 6 bytes a posting (document int32, count uint16), 16 a distinct term and 24 a chunk, and 8 a
posting for each (k1, b) in use: about 90 MB for 100,000 chunks of 60 distinct terms. The weights of all
postings are computed at the first query with a (k1, b); a query then only adds up those of its terms.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from corpora.tokens import TermCounts, TermIds, term_counts_unpack, term_ids_unpack
from retrieval.indexes.statistics import ChunkIds, Scores, best_of

# Lucene's defaults; Robertson and Zaragoza 2009 name 1.2 to 2 and .5 to .8 as reasonable.
K1 = 1.2  # how slowly further occurrences of a term add less
B = 0.75  # 0 to 1: how far a long text's counts are scaled down
TIE_DECIMALS = 9  # ours: sums that are equal on paper differ by 1e-14 in the machine, and must still tie
SETTINGS_CACHED = 2  # ours: the weights of the default (k1, b) and of one more


class ForwardRow(NamedTuple):
    """A chunk as stored: its id, its length in terms, and the packed ids and counts of its terms."""

    chunk_id: int
    length: int
    terms: bytes
    counts: bytes


class _Postings(NamedTuple):
    """(term, document, count) triples, sorted by term and then by document."""

    terms: TermIds
    documents: npt.NDArray[np.int32]
    counts: TermCounts


FetchRows = Callable[[ChunkIds], Sequence[ForwardRow]]


@dataclass(frozen=True, slots=True, eq=False)
class Bm25Matrix:
    """The inverted index of one corpus; documents are numbered by rising chunk id.

    Immutable but for its cache of weights, so threads may share it; a refresh returns a new matrix.
    """

    chunk_ids: ChunkIds
    lengths: npt.NDArray[np.int64]
    terms: TermIds
    bounds: npt.NDArray[np.int64]
    documents: npt.NDArray[np.int32]
    counts: TermCounts
    _weights: dict[tuple[float, float], Scores] = field(default_factory=dict, repr=False)

    @classmethod
    def build(cls, rows: Sequence[ForwardRow]) -> Self:
        """Invert forward rows, given in any order.

        Raises:
            ValueError: a chunk comes twice, or its terms and counts differ in number.
        """
        chunk_ids, lengths, postings = _inverted(rows)
        return cls._of(chunk_ids, lengths, postings)

    @classmethod
    def _of(cls, chunk_ids: ChunkIds, lengths: npt.NDArray[np.int64], postings: _Postings) -> Self:
        is_first = np.ones(len(postings.terms), np.bool_)
        is_first[1:] = postings.terms[1:] != postings.terms[:-1]
        starts = np.flatnonzero(is_first)
        return cls(
            chunk_ids=chunk_ids,
            lengths=lengths,
            terms=postings.terms[starts],
            bounds=np.append(starts, len(postings.terms)).astype(np.int64),
            documents=postings.documents,
            counts=postings.counts,
        )

    @property
    def size(self) -> int:
        """How many chunks there are."""
        return len(self.chunk_ids)

    @property
    def nbytes(self) -> int:
        """Bytes held, for a cache that evicts by size."""
        index = self.terms.nbytes + self.bounds.nbytes + self.documents.nbytes + self.counts.nbytes
        weights = sum(array.nbytes for array in tuple(self._weights.values()))
        return self.chunk_ids.nbytes + self.lengths.nbytes + index + weights

    def scores(self, term_ids: TermIds, *, k1: float = K1, b: float = B) -> Scores:
        """Score every chunk for a query.

        Adds idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * dl / avgdl)) over the distinct terms of the
        query, in the order of their ids, with idf = ln(1 + (N - df + 0.5) / (df + 0.5)).

        Args:
            term_ids: The query's terms; repetitions count once.
            k1: Saturation of term counts, >= 0.
            b: Share of length normalisation, 0 to 1.

        Returns:
            One score >= 0 for each entry of `chunk_ids`; 0 exactly where no term occurs.

        Raises:
            ValueError: k1 or b is out of range.

        Source: Robertson and Zaragoza's BM25 with Lucene's idf, as in storage.md B. Differs: keeps the
            factor (k1 + 1), which changes no ranking; query term counts are ignored.
        """
        weights = self._weights_for(k1, b)
        spans = [slice(self.bounds[place], self.bounds[place + 1]) for place in self._places(term_ids)]
        if not spans:
            return np.zeros(len(self.chunk_ids))
        documents = np.concatenate([self.documents[span] for span in spans])
        # One pass in C, in the order of the terms; adding term by term through an index takes twice as long.
        added = np.bincount(documents, np.concatenate([weights[span] for span in spans]), minlength=len(self.chunk_ids))
        return added.astype(np.float64, copy=False)  # as it is already

    def idf(self, term_ids: TermIds) -> Scores:
        """Return the idf of each term, ln(1 + (N - df + 0.5) / (df + 0.5)); of an unknown one, with df = 0."""
        places = np.searchsorted(self.terms, term_ids)
        df = np.zeros(len(term_ids))
        inside = places < len(self.terms)
        is_known = inside.copy()
        is_known[inside] = self.terms[places[inside]] == np.asarray(term_ids)[inside]
        df[is_known] = np.diff(self.bounds)[places[is_known]]
        return np.log1p((len(self.chunk_ids) - df + 0.5) / (df + 0.5))

    def holds(self, term_ids: TermIds) -> npt.NDArray[np.bool_]:
        """Return for each term whether any chunk has it."""
        return np.isin(term_ids, self.terms)

    def top(
        self, term_ids: TermIds, *, k: int, allowed: ChunkIds | None = None, k1: float = K1, b: float = B
    ) -> tuple[ChunkIds, Scores]:
        """Return the best chunks for a query, best first, ties by rising chunk id.

        Scores are compared and returned with nine decimals, so that a tie on paper is a tie here.

        Args:
            term_ids: The query's terms.
            k: Most chunks to return, > 0.
            allowed: Chunk ids that may be returned; None allows all. Statistics (df, N, average
                length) stay those of the corpus.
            k1: As in `scores`.
            b: As in `scores`.

        Returns:
            Chunk ids and their scores, all > 0; fewer than k when fewer chunks hold a term.

        Raises:
            ValueError: k, k1 or b is out of range.
        """
        return self.best(self.scores(term_ids, k1=k1, b=b), k=k, allowed=allowed)

    def best(self, scores: Scores, *, k: int, allowed: ChunkIds | None = None) -> tuple[ChunkIds, Scores]:
        """Return the best chunks by scores made elsewhere, one >= 0 for each of `chunk_ids`; otherwise as `top`.

        Raises:
            ValueError: k < 1.
        """
        if allowed is not None:
            scores = np.where(np.isin(self.chunk_ids, allowed), scores, 0.0)
        at = np.flatnonzero(scores)
        return best_of(self.chunk_ids[at], scores[at], k=k, decimals=TIE_DECIMALS)

    def scores_of(self, term_ids: TermIds, chunk_ids: ChunkIds) -> Scores:
        """Return the score of each of some chunks of the corpus, by the default settings."""
        return self.scores(term_ids)[np.searchsorted(self.chunk_ids, chunk_ids)]

    def lengths_of(self, chunk_ids: ChunkIds) -> npt.NDArray[np.int64]:
        """Return the length of each of some chunks of the corpus."""
        return self.lengths[np.searchsorted(self.chunk_ids, chunk_ids)]

    def spread(self, term_ids: TermIds, chunk_ids: ChunkIds | None = None) -> int:
        """Return how many chunks, of these or of all, hold every one of the terms; 0 for no terms."""
        ids = self.chunk_ids if chunk_ids is None else chunk_ids
        return int(self.presence(term_ids, ids).all(axis=0).sum()) if len(term_ids) else 0

    def presence(self, term_ids: TermIds, chunk_ids: ChunkIds) -> npt.NDArray[np.bool_]:
        """Return for each term and each of some chunks of the corpus whether it holds the term: [terms, chunks]."""
        at = np.searchsorted(self.chunk_ids, chunk_ids)
        holds = np.zeros((len(term_ids), len(at)), np.bool_)
        for row, term in enumerate(term_ids):
            for place in self._places(np.array([term])):
                documents = self.documents[self.bounds[place] : self.bounds[place + 1]]
                near = np.minimum(np.searchsorted(documents, at), len(documents) - 1)
                holds[row] = documents[near] == at
        return holds

    def forward_rows(self) -> Sequence[ForwardRow]:
        """Return the rows that `build` would make this matrix from, by rising chunk id."""
        terms = np.repeat(self.terms, np.diff(self.bounds))
        order = np.argsort(self.documents, kind="stable")  # terms stay in rising order within a document
        ends = np.cumsum(np.bincount(self.documents, minlength=len(self.chunk_ids)))[:-1]
        ids, counts = np.split(terms[order], ends), np.split(self.counts[order], ends)
        return [
            ForwardRow(int(c), int(n), i.astype("<i8").tobytes(), k.astype("<u2").tobytes())
            for c, n, i, k in zip(self.chunk_ids, self.lengths, ids, counts, strict=bool(len(self.chunk_ids)))
        ]

    def refreshed(self, current_ids: ChunkIds, fetch_rows: FetchRows) -> Self:
        """Return the matrix of the chunks that exist now, equal to one built from scratch.

        Chunks are immutable: a changed text is a new id. Postings are merged, not sorted again.

        Args:
            current_ids: Ids of all chunks of the corpus, in any order.
            fetch_rows: Returns the rows of the ids it is given; ids that vanished meanwhile may be
                missing from its reply.

        Raises:
            ValueError: a fetched row was not asked for, comes twice or is malformed.
        """
        current = np.unique(np.asarray(current_ids, np.int64))
        keep = np.isin(self.chunk_ids, current, assume_unique=True)
        missing = np.setdiff1d(current, self.chunk_ids, assume_unique=True)
        if keep.all() and not len(missing):
            return self
        new_ids, new_lengths, new = _inverted(fetch_rows(missing) if len(missing) else ())
        if not np.isin(new_ids, missing).all():
            stray = int(new_ids[~np.isin(new_ids, missing)][0])
            raise ValueError(f"Row of chunk {stray} was not asked for; return only the rows of the given ids.")
        kept_ids = self.chunk_ids[keep]
        chunk_ids = np.sort(np.concatenate([kept_ids, new_ids]))
        lengths = np.empty(len(chunk_ids), np.int64)
        new_numbers = np.searchsorted(chunk_ids, new_ids).astype(np.int32)
        numbers = np.zeros(len(self.chunk_ids), np.int32)
        numbers[keep] = np.searchsorted(chunk_ids, kept_ids)
        lengths[numbers[keep]], lengths[new_numbers] = self.lengths[keep], new_lengths
        added = _Postings(new.terms, new_numbers[new.documents], new.counts)
        return self._of(chunk_ids, lengths, _merged(self._kept_postings(keep, numbers), added))

    def _kept_postings(self, keep: npt.NDArray[np.bool_], numbers: npt.NDArray[np.int32]) -> _Postings:
        """Return the postings of the kept documents under their new numbers, still sorted."""
        is_kept = keep[self.documents]
        terms = np.repeat(self.terms, np.diff(self.bounds))
        return _Postings(terms[is_kept], numbers[self.documents[is_kept]], self.counts[is_kept])

    def _places(self, term_ids: TermIds) -> list[int]:
        """Return where the query's distinct known terms are in `terms`, rising."""
        terms = np.unique(np.asarray(term_ids, np.int64))
        places = np.searchsorted(self.terms, terms)
        inside = places < len(self.terms)
        places, terms = places[inside], terms[inside]
        matches: list[int] = places[self.terms[places] == terms].tolist()
        return matches

    def _weights_for(self, k1: float, b: float) -> Scores:
        """Return idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * dl / avgdl)) of every posting."""
        if not (np.isfinite(k1) and k1 >= 0 and 0 <= b <= 1):
            raise ValueError(f"BM25 got k1 = {k1} and b = {b}; k1 must be at least 0 and b between 0 and 1.")
        weights = self._weights.get((k1, b))
        if weights is None:
            average = int(self.lengths.sum()) / max(len(self.lengths), 1)
            relative = self.lengths / average if average else self.lengths.astype(np.float64)
            norms = k1 * (1.0 - b + b * relative)
            df = np.diff(self.bounds)
            idf = np.log1p((len(self.chunk_ids) - df + 0.5) / (df + 0.5))
            tf = self.counts.astype(np.float64)
            weights = np.repeat(idf, df) * (tf * (k1 + 1.0) / (tf + norms[self.documents]))
            if len(self._weights) >= SETTINGS_CACHED:
                self._weights.clear()
            self._weights[k1, b] = weights
        return weights


def _inverted(rows: Sequence[ForwardRow]) -> tuple[ChunkIds, npt.NDArray[np.int64], _Postings]:
    """Return chunk ids in rising order, their lengths, and postings that number them in that order."""
    ordered = sorted(rows, key=lambda row: row.chunk_id)
    for row, following in pairwise(ordered):
        if row.chunk_id == following.chunk_id:
            raise ValueError(f"Chunk {row.chunk_id} comes twice; give each chunk of the corpus once.")
    for row in ordered:
        if len(row.terms) != 4 * len(row.counts) or len(row.terms) % 8:
            raise ValueError(
                f"Chunk {row.chunk_id} has {len(row.terms)} bytes of terms and {len(row.counts)} of counts; "
                "terms take 8 bytes and counts 2, so store both from the same Terms."
            )
    chunk_ids = np.fromiter((row.chunk_id for row in ordered), np.int64, len(ordered))
    lengths = np.fromiter((row.length for row in ordered), np.int64, len(ordered))
    terms = term_ids_unpack(b"".join(row.terms for row in ordered))
    counts = term_counts_unpack(b"".join(row.counts for row in ordered))
    sizes = np.fromiter((len(row.counts) // 2 for row in ordered), np.int64, len(ordered))
    documents = np.repeat(np.arange(len(ordered), dtype=np.int32), sizes)
    order = np.argsort(terms, kind="stable")
    return chunk_ids, lengths, _Postings(terms[order], documents[order], counts[order])


def _merged(first: _Postings, second: _Postings) -> _Postings:
    """Merge two sorted runs of postings that share no document."""
    if not len(second.terms):
        return first
    if not len(first.terms):
        return second
    low = np.searchsorted(first.terms, second.terms, "left")
    is_known = np.searchsorted(first.terms, second.terms, "right") > low
    # Where both runs hold a term, its documents interleave: compare (term's place, document) as one number.
    width = int(max(first.documents.max(), second.documents.max())) + 1
    group = np.cumsum(np.append(False, first.terms[1:] != first.terms[:-1]))
    keys = group * width + first.documents
    places = low.copy()
    places[is_known] = np.searchsorted(keys, group[low[is_known]] * width + second.documents[is_known])
    return _Postings(
        np.insert(first.terms, places, second.terms),
        np.insert(first.documents, places, second.documents),
        np.insert(first.counts, places, second.counts),
    )
