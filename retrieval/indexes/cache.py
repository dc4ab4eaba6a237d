"""Matrices of this process, for words and for vectors: one of each a corpus, least recently used out first."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Generic, Protocol, TypeVar
from uuid import UUID

import numpy as np
from django.db import connection
from django.db.models import Case, F, TextField, Value, When

from corpora.in_force import chunks_searched, searched_mark, windows_searched
from corpora.models import Chunk, Corpus
from corpora.tokens import term_ids, tokens
from retrieval.indexes.bm25 import Bm25Matrix, ForwardRow
from retrieval.indexes.glossary import MAY_HOLD, Glossary, GlossaryRow
from retrieval.indexes.outline import TITLE_WORDS, Outline, OutlineRow
from retrieval.indexes.statistics import ChunkIds
from retrieval.indexes.vectors import Ids, VectorMatrix, WindowRows
from retrieval.indexes.wording import WordingIndex, WordingRow

MAX_BYTES = 512 * 1024 * 1024  # ours: about half a million chunks a process
MAX_VECTOR_BYTES = 256 * 1024 * 1024  # ours: eight corpora of the size that exact search takes


class Sized(Protocol):
    @property
    def nbytes(self) -> int: ...


Matrix = TypeVar("Matrix", bound=Sized)


class CorpusCache(Generic[Matrix]):
    """What this process holds of each corpus, never behind the database."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._matrices: OrderedDict[tuple[UUID, UUID, str], tuple[tuple[int, int], Matrix]] = OrderedDict()
        self._lock = Lock()

    def current(
        self, corpus: Corpus, renew: Callable[[Matrix | None], Matrix], *, kind: str = "", revision: int = 0
    ) -> Matrix:
        """The matrix of what is live at the corpus's version; `renew` makes it from the one held before, or from none.

        Matrices of one corpus that differ in `kind`, or in the day as of which it is searched, are held apart.
        `revision` counts the changes of what is held beside the documents, such as the question index.

        The corpus is read in the transaction of the search, so its version comes before the rows: a commit in between
        makes the matrix newer than its number, and the next search looks again. Versions commit in order, because
        publishing raises them under the corpus's row lock.
        """
        key, version = (
            (corpus.organization_id, corpus.pk, f"{kind} {searched_mark(corpus)}"),
            (corpus.version, revision),
        )
        with self._lock:
            cached = self._matrices.get(key)
            if cached is not None:
                self._matrices.move_to_end(key)
        if cached is not None and cached[0] == version:
            return cached[1]
        matrix = renew(cached[1] if cached is not None else None)
        with self._lock:
            self._matrices[key] = (version, matrix)
            self._matrices.move_to_end(key)
            while len(self._matrices) > 1 and sum(m.nbytes for _, m in self._matrices.values()) > self._max_bytes:
                self._matrices.popitem(last=False)
        return matrix


_words: CorpusCache[Bm25Matrix] = CorpusCache(MAX_BYTES)
_outlines: CorpusCache[Outline] = CorpusCache(MAX_BYTES)
_glossaries: CorpusCache[Glossary] = CorpusCache(MAX_BYTES)
_wordings: CorpusCache[WordingIndex] = CorpusCache(MAX_BYTES)
_vectors: CorpusCache[VectorMatrix] = CorpusCache(MAX_VECTOR_BYTES)


def matrix_current(*, corpus: Corpus) -> Bm25Matrix:
    """The BM25 matrix of what is live in a corpus that was just read."""

    def renew(before: Bm25Matrix | None) -> Bm25Matrix:
        return (before or Bm25Matrix.build(())).refreshed(_chunk_ids(corpus), _rows)

    return _words.current(corpus, renew)


def outline_current(*, corpus: Corpus) -> Outline:
    """Titles and neighbours of the chunks that are live in a corpus that was just read."""

    def renew(before: Outline | None) -> Outline:
        outline = before or Outline.build((), language=corpus.language)
        return outline.refreshed(_chunk_ids(corpus), _outline_rows, language=corpus.language)

    return _outlines.current(corpus, renew)


def glossary_current(*, corpus: Corpus) -> Glossary:
    """Short forms and defined terms of what is live in a corpus that was just read."""

    def renew(before: Glossary | None) -> Glossary:
        return (before or Glossary.build(())).refreshed(_chunk_ids(corpus), _glossary_rows)

    return _glossaries.current(corpus, renew)


def wording_current(*, corpus: Corpus) -> WordingIndex:
    """Runs of words of what is live in a corpus that was just read; the first search by wording reads every text."""

    def renew(before: WordingIndex | None) -> WordingIndex:
        index = before or WordingIndex.build(())
        return index.refreshed(_chunk_ids(corpus), lambda missing: _wording_rows(corpus.language, missing))

    return _wordings.current(corpus, renew)


def vectors_current(*, corpus: Corpus) -> VectorMatrix:
    """The vectors by the corpus's encoder of what is live in a corpus that was just read.

    Up to the size of exact search only. Those of another encoder are held apart: the two cannot be compared.
    """

    def renew(before: VectorMatrix | None) -> VectorMatrix:
        ids = np.fromiter(windows_searched(corpus=corpus).values_list("pk", flat=True), np.int64)
        matrix = before if before is not None and len(before.ids) else VectorMatrix.empty()
        return matrix.refreshed(ids, lambda missing: _windows(corpus, missing))

    return _vectors.current(corpus, renew, kind=corpus.encoder)


def _chunk_ids(corpus: Corpus) -> ChunkIds:
    return np.fromiter(chunks_searched(corpus=corpus).values_list("pk", flat=True), np.int64)


def _rows(ids: ChunkIds) -> Sequence[ForwardRow]:
    chunks = Chunk.objects.filter(pk__in=ids.tolist()).values_list("pk", "length", "terms", "counts")
    return [ForwardRow(pk, length, bytes(terms), bytes(counts)) for pk, length, terms, counts in chunks.iterator(5000)]


def _outline_rows(ids: ChunkIds) -> Sequence[OutlineRow]:
    """Only texts that are short enough for a title are read."""
    short = Case(When(length__lte=2 * TITLE_WORDS, then=F("text")), default=Value(""), output_field=TextField())
    chunks = Chunk.objects.filter(pk__in=ids.tolist()).values_list("pk", "version_id", "heading", short)
    return [
        OutlineRow(pk, int.from_bytes(version.bytes[:8], "big", signed=True), heading, text)
        for pk, version, heading, text in chunks.iterator(chunk_size=5000)
    ]


def _glossary_rows(ids: ChunkIds) -> Sequence[GlossaryRow]:
    """Only texts that may say what a word means are read."""
    chunks = Chunk.objects.filter(pk__in=ids.tolist(), text__regex=MAY_HOLD).values_list("pk", "text")
    return [GlossaryRow(pk, text) for pk, text in chunks.iterator(chunk_size=5000)]


def _wording_rows(language: str, ids: ChunkIds) -> Sequence[WordingRow]:
    chunks = Chunk.objects.filter(pk__in=ids.tolist()).values_list("pk", "text").iterator(chunk_size=5000)
    return [WordingRow(pk, term_ids(tokens(text, language=language))) for pk, text in chunks]


# Binary rows of one size each, so that 20,000 vectors are read as one array and not parsed from 100 MB of text.
_ROW = [
    ("n_fields", ">i2"),
    ("id_bytes", ">i4"),
    ("id", ">i8"),
    ("chunk_bytes", ">i4"),
    ("chunk_id", ">i8"),
    ("vector_bytes", ">i4"),
    ("dimensions", ">i2"),
    ("unused", ">i2"),
]
_COPY_HEADER, _COPY_END = 19, 2
_COPY = (
    "COPY (SELECT id, chunk_id, vector FROM corpora_embedding WHERE organization_id = %s AND id = ANY(%s))"
    " TO STDOUT (FORMAT binary)"
)


def _windows(corpus: Corpus, ids: Ids) -> WindowRows:
    with connection.cursor() as cursor, cursor.copy(_COPY, [corpus.organization_id, ids.tolist()]) as copy:
        data = b"".join(copy)[_COPY_HEADER:-_COPY_END]
    before = np.dtype(_ROW)
    dimensions = int(np.frombuffer(data, before, count=1)["dimensions"][0]) if data else 0
    rows = np.frombuffer(data, np.dtype([*_ROW, ("vector", ">f4", (dimensions,))]))
    return WindowRows(rows["id"].astype(np.int64), rows["chunk_id"].astype(np.int64), rows["vector"].astype(np.float32))
