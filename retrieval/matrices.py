"""BM25 matrices of this process: one a corpus, least recently used out first, never behind the database."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from uuid import UUID

import numpy as np

from corpora.models import Chunk, Corpus
from retrieval.bm25 import Bm25Matrix, ChunkIds, ForwardRow

MAX_BYTES = 512 * 1024 * 1024  # ours: about a million chunks a process

_cache: "OrderedDict[tuple[UUID, UUID], tuple[int, Bm25Matrix]]" = OrderedDict()
_lock = Lock()


def matrix_current(*, corpus: Corpus) -> Bm25Matrix:
    """The matrix of what is live in the corpus now.

    The version is read before the rows: a commit in between makes the matrix newer than its number, and the next call
    looks again. Versions commit in order, because publishing raises them under the corpus's row lock.
    """
    key = (corpus.organization_id, corpus.pk)
    version = Corpus.objects.values_list("version", flat=True).get(pk=corpus.pk)
    with _lock:
        cached = _cache.get(key)
    if cached is not None and cached[0] == version:
        with _lock:
            _cache.move_to_end(key) if key in _cache else None
        return cached[1]
    live = Chunk.objects.filter(corpus=corpus, is_live=True)
    ids = np.fromiter(live.values_list("pk", flat=True), np.int64)
    before = cached[1] if cached is not None else Bm25Matrix.build(())
    matrix = before.refreshed(ids, _rows)
    with _lock:
        _cache[key] = (version, matrix)
        _cache.move_to_end(key)
        while len(_cache) > 1 and sum(m.nbytes for _, m in _cache.values()) > MAX_BYTES:
            _cache.popitem(last=False)
    return matrix


def _rows(ids: ChunkIds) -> Sequence[ForwardRow]:
    chunks = Chunk.objects.filter(pk__in=ids.tolist()).values_list("pk", "length", "terms", "counts")
    return [ForwardRow(pk, length, bytes(terms), bytes(counts)) for pk, length, terms, counts in chunks.iterator(5000)]
