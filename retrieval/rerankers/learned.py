"""The LTR reranker on a corpus: gathers what its model reads of the first candidates, and orders them by it."""

from typing import Literal

import numpy as np
from django.conf import settings
from django.db import connection
from numpy.typing import NDArray
from pgvector import Vector
from pydantic import Field

from corpora.hnsw import live_windows
from corpora.term_memory import TermMemory
from retrieval.indexes.cache import matrix_current, outline_current, vectors_current
from retrieval.indexes.statistics import ChunkIds
from retrieval.rerankers.base import Reranker, RerankFailed, reordered
from retrieval.rerankers.features import Matrix, Pool, features
from retrieval.rerankers.model import ModelError, RankerModel
from retrieval.rerankers.versions import ranker_current
from retrieval.selectors import chunk_texts
from retrieval.stages import Resources
from retrieval.types import Query, Ranking

_COSINES = """
    SELECT chunk_id, max(-(vector <#> %s::vector)) FROM corpora_embedding
    WHERE organization_id = %s AND encoder = %s AND chunk_id = ANY(%s) GROUP BY chunk_id
"""


class Learned(Reranker):
    """The LTR reranker over the first `depth` hits; gives a calibrated probability with them.

    Attributes:
        depth: Hits that are scored, 1 to 200; those behind keep their order.

    Source: ours: a weighted sum of `retrieval.rerankers.features` and, where a corpus has questions enough, boosted
    trees over them (Ke et al. 2017, LightGBM).
    """

    label = "Trained ranker"
    action = "Put into order by the trained ranker"
    choice = ("learned", "Trained ranker")
    lists = ("bm25.v1", "bm25-title.v1", "bm25-near.v1", "dense.v1")
    settable = ("depth",)
    reads_vector = True

    kind: Literal["learned.v1"] = "learned.v1"
    depth: int = Field(default=100, ge=1, le=200)

    def rerank(self, query: Query, before: Ranking, resources: Resources) -> Ranking:
        """Order the first hits by the ranker of the corpus, or the packaged one.

        Returns:
            The same hits, best first, ties as they were. Scores are 1 / (RRF_K + rank). Parts of every hit that was
            scored: rank, what each group of features adds to its score, that score (any number, comparable within one
            question only), and of the question as a whole the calibrated "learned.probability", 0 to 1, that a gold
            passage is among the first five.

        Raises:
            RerankFailed: the query was not encoded, or the corpus's own ranker measures what this version does not.
        """
        try:
            model = ranker_current(corpus=resources.corpus)
        except ModelError as error:
            raise RerankFailed(f"{error} The passages are in the order of the fusion.") from None
        return ranked(before, pool_gather(query, before, depth=self.depth, resources=resources), model)


def pool_gather(query: Query, before: Ranking, *, depth: int, resources: Resources) -> Pool:
    """The first `depth` hits of a fusion with all that the model looks at.

    Raises:
        RerankFailed: the query was not encoded, or the corpus changed during the search.
    """
    if resources.vector is None:
        raise RerankFailed("The question was not encoded, so the passages are in the order of the fusion.")
    first = before.cut(depth) if before.hits else before
    by_chunk = chunk_texts(corpus=resources.corpus, chunk_ids=[hit.chunk_id for hit in first.hits])
    words = matrix_current(corpus=resources.corpus)
    outline = outline_current(corpus=resources.corpus)
    is_live = np.isin([hit.chunk_id for hit in first.hits], outline.chunk_ids)
    if not is_live.all() or len(by_chunk) < len(first.hits):
        raise RerankFailed("The corpus changed during the search, so the passages are in the order of the fusion.")
    texts = [by_chunk[hit.chunk_id] for hit in first.hits]
    memory = TermMemory(corpus_id=resources.corpus.pk, language=resources.corpus.language)
    return Pool(
        query.text,
        first,
        words,
        outline,
        _cosines(first, outline.chunk_ids, resources),
        texts,
        [memory.ids(text) for text in texts],
        resources.corpus.language,
    )


def ranked(before: Ranking, pool: Pool, model: RankerModel) -> Ranking:
    """The ranking by a model, from what was gathered about its first hits."""
    return measured_ranked(before, features(pool), model) if pool.ranking.hits else before


def measured_ranked(before: Ranking, measured: Matrix, model: RankerModel) -> Ranking:
    """The ranking by a model, from the features of its first hits."""
    scores = model.scores(measured)
    shares = {f"learned.{group}": share for group, share in model.parts(measured).items()}
    question = {"learned.probability": model.probability(measured, scores)}
    parts = [{name: float(share[place]) for name, share in shares.items()} | question for place in range(len(scores))]
    return reordered(before, scores.tolist(), stage="learned", parts=parts)


def _cosines(first: Ranking, chunk_ids: ChunkIds, resources: Resources) -> NDArray[np.float32]:
    """Each chunk's cosine with the question: of all in memory, or of the candidates and their neighbours only."""
    vector = resources.vector
    assert vector is not None  # checked by the caller
    cosines = np.full(len(chunk_ids), np.nan, np.float32)
    if live_windows(corpus=resources.corpus) <= settings.EXACT_SEARCH_MAX:
        vectors = vectors_current(corpus=resources.corpus)
        _put(cosines, chunk_ids, vectors.chunk_ids, vectors.scores(vector))
        return cosines
    at = np.searchsorted(chunk_ids, [hit.chunk_id for hit in first.hits])
    near = chunk_ids[np.unique(np.clip(np.concatenate([at - 1, at, at + 1]), 0, len(chunk_ids) - 1))].tolist()
    corpus = resources.corpus
    with connection.cursor() as cursor:
        cursor.execute(_COSINES, [Vector(vector).to_text(), corpus.organization_id, corpus.encoder, near])
        rows = cursor.fetchall()
    ids = np.array([row[0] for row in rows], np.int64)
    _put(cosines, chunk_ids, ids, np.array([row[1] for row in rows], np.float32))
    return cosines


def _put(into: NDArray[np.float32], chunk_ids: ChunkIds, ids: ChunkIds, values: NDArray[np.float32]) -> None:
    is_known = np.isin(ids, chunk_ids)
    into[np.searchsorted(chunk_ids, ids[is_known])] = values[is_known]
