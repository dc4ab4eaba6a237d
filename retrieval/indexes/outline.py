"""Where the chunks of a corpus are: which follow each other in a version, and the title above each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from corpora.tokens import TermIds, Terms, terms_and_counts
from retrieval.indexes.bm25 import Bm25Matrix, ForwardRow
from retrieval.indexes.statistics import ChunkIds, Scores

TITLE_WORDS = 14  # ours: a longer line is a sentence without its full stop
_ENDS = frozenset(".;,:")


class OutlineRow(NamedTuple):
    """A chunk as stored: its id, a number for its version, its heading, and its text where that may be a title."""

    chunk_id: int
    version: int
    heading: str
    text: str


FetchOutline = Callable[[ChunkIds], Sequence[OutlineRow]]


def is_title(text: str) -> bool:
    """Whether a text reads as the title of what follows: few words, one line, no stop at its end."""
    clean = text.strip()
    return (
        0 < len(clean.split()) <= TITLE_WORDS
        and clean[-1] not in _ENDS
        and not clean[0].islower()
        and "\n" not in clean
    )


@dataclass(frozen=True)
class Outline:
    """Versions and titles of the chunks of a corpus, by rising chunk id; chunks of a version follow each other."""

    chunk_ids: ChunkIds
    versions: NDArray[np.int64]
    titles: Bm25Matrix

    @classmethod
    def build(cls, rows: Sequence[OutlineRow], *, language: str) -> Self:
        """Read the title above every chunk: its heading, else the last chunk of its version that reads as a title.

        Args:
            rows: Chunks in any order, all those of each version.
            language: Of the corpus; titles go through the same tokens as questions.
        """
        ordered = sorted(rows, key=lambda row: row.chunk_id)
        by_title: dict[str, Terms] = {}
        forward, title, version = [], "", None
        for row in ordered:
            if row.version != version:
                title, version = "", row.version
            above = row.heading or title
            if above not in by_title:
                by_title[above] = terms_and_counts(above, language=language)
            terms = by_title[above]
            forward.append(ForwardRow(row.chunk_id, terms.length, terms.ids_bytes(), terms.counts_bytes()))
            if is_title(row.text):
                title = row.text
        titles = Bm25Matrix.build(forward)
        return cls(titles.chunk_ids, np.fromiter((row.version for row in ordered), np.int64, len(ordered)), titles)

    @property
    def nbytes(self) -> int:
        return self.versions.nbytes + self.titles.nbytes

    @cached_property
    def has_before(self) -> NDArray[np.bool_]:
        """Whether the chunk before each is of the same version."""
        same = np.zeros(len(self.versions), np.bool_)
        same[1:] = self.versions[1:] == self.versions[:-1]
        return same

    @cached_property
    def has_after(self) -> NDArray[np.bool_]:
        """Whether the chunk after each is of the same version."""
        return np.append(self.has_before[1:], np.zeros(min(1, len(self.versions)), np.bool_))

    def before(self, values: Scores) -> Scores:
        """For each chunk the value of the one before it in its version, 0 where there is none."""
        shifted = np.zeros(len(values))
        shifted[1:] = values[:-1]
        return np.where(self.has_before, shifted, 0.0)

    def after(self, values: Scores) -> Scores:
        """For each chunk the value of the one after it in its version, 0 where there is none."""
        shifted = np.zeros(len(values))
        shifted[:-1] = values[1:]
        return np.where(self.has_after, shifted, 0.0)

    def refreshed(self, current_ids: ChunkIds, fetch: FetchOutline, *, language: str) -> Self:
        """Return the outline of the chunks that exist now; versions come and go as a whole."""
        current = np.unique(np.asarray(current_ids, np.int64))
        missing = np.setdiff1d(current, self.chunk_ids, assume_unique=True)
        keep = np.isin(self.chunk_ids, current, assume_unique=True)
        if keep.all() and not len(missing):
            return self
        new = self.build(fetch(missing) if len(missing) else (), language=language)
        rows = {row.chunk_id: row for row in new.titles.forward_rows()}
        chunk_ids = np.concatenate([self.chunk_ids[keep], new.chunk_ids])
        titles = self.titles.refreshed(chunk_ids, lambda ids: [rows[int(chunk_id)] for chunk_id in ids])
        versions = np.concatenate([self.versions[keep], new.versions])[np.argsort(chunk_ids)]
        return type(self)(titles.chunk_ids, versions, titles)


TITLE_WEIGHT = 0.5  # ours, chosen on ObliQA
NEAR_WEIGHT = 0.3  # ours: share of the BM25 score of the chunk before, and of the one after, that a chunk gets


def title_scores(words: Bm25Matrix, outline: Outline, term_ids: TermIds) -> Scores:
    """BM25 of every chunk plus TITLE_WEIGHT of the BM25 of the title above it."""
    return words.scores(term_ids) + TITLE_WEIGHT * outline.titles.scores(term_ids)


def near_scores(words: Bm25Matrix, outline: Outline, term_ids: TermIds) -> Scores:
    """BM25 of every chunk plus NEAR_WEIGHT of the BM25 of the chunks before and after it in its version."""
    own = words.scores(term_ids)
    return own + NEAR_WEIGHT * (outline.before(own) + outline.after(own))
