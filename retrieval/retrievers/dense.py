"""Search by cosine of embeddings: exact for a corpus of ordinary size, over its own HNSW index above that."""

from typing import Any, Literal

import numpy as np
from django.conf import settings
from django.db import connection
from numpy.typing import NDArray
from pgvector import Vector

from corpora.hnsw import index_is_ready, indexed_as, live_windows
from retrieval.indexes.cache import vectors_current
from retrieval.retrievers.base import Retriever
from retrieval.stages import Resources
from retrieval.types import Query, Ranking

# Grouping by chunk keeps the best of its windows, and keeps the planner from any vector index: which path is taken is
# decided here, by the size of the corpus. The inner product of unit vectors is their cosine.
_EXACT = """
    SELECT chunk_id, max(-(vector <#> %(vector)s::vector)) AS score
    FROM corpora_embedding
    WHERE organization_id = %(organization)s AND corpus_id = %(corpus)s AND encoder = %(encoder)s
      AND (is_live OR %(is_past)s)
      AND (%(allowed)s::bigint[] IS NULL OR chunk_id = ANY(%(allowed)s))
    GROUP BY chunk_id ORDER BY score DESC, chunk_id LIMIT %(k)s
"""
# The literals of the partial index must be in the query; Django binds on the client, so they do.
_HNSW = """
    SELECT chunk_id, -(vector <#> %(vector)s::vector) AS score
    FROM corpora_embedding
    WHERE corpus_id = %(corpus)s AND encoder = %(encoder)s AND is_live AND organization_id = %(organization)s
    ORDER BY {stored} <#> {asked} LIMIT %(limit)s
"""
_SETTINGS = "SELECT set_config('hnsw.ef_search', %s, true), set_config('enable_seqscan', %s, true)"


class Dense(Retriever):
    """Search by the cosine of embeddings.

    Attributes:
        top_k: Hits at most, 1 to 10,000.

    Source: Reimers and Gurevych 2019, Sentence-BERT. Differs: a chunk longer than the encoder reads is embedded in
    windows, and has the cosine of its best one (ours).
    """

    label = "Meaning"
    action = "Searched by meaning"
    settable = ("top_k",)
    reads_vector = True

    kind: Literal["dense.v1"] = "dense.v1"

    def search(self, query: Query, resources: Resources) -> Ranking:
        """Rank chunks by the largest cosine of one of their windows with the query.

        Up to EXACT_SEARCH_MAX live windows every vector is compared in this process's memory. Above, the corpus's
        partial HNSW index answers; with filters, or until it is built, every vector is compared in PostgreSQL. A global
        index would silently return too few rows to small organisations.

        Returns:
            At most `top_k` chunks, best first, ties by rising chunk id; from the HNSW index, which is approximate,
            there may be fewer. Scores are cosines, -1 to 1.

        Raises:
            ValueError: the query was not encoded.
        """
        if resources.vector is None:
            raise ValueError("Dense search needs the query's vector: encode the query before building the search.")
        if live_windows(corpus=resources.corpus) <= settings.EXACT_SEARCH_MAX:
            vectors = vectors_current(corpus=resources.corpus)
            ids, scores = vectors.top(resources.vector, k=self.top_k, allowed=resources.allowed)
            return Ranking.of(query.text, zip(ids.tolist(), scores.tolist(), strict=True), stage=self.name)
        best: dict[int, float] = {}
        for chunk_id, score in _in_database(resources.vector, self.top_k, resources):
            best[chunk_id] = max(score, best.get(chunk_id, -2.0))
        ranking = Ranking.of(query.text, best.items(), stage=self.name)
        return ranking.cut(self.top_k)


def _in_database(vector: NDArray[np.float32], k: int, resources: Resources) -> list[tuple[int, float]]:
    parameters: dict[str, Any] = {
        "vector": Vector(vector).to_text(),
        "organization": resources.corpus.organization_id,
        "corpus": resources.corpus.pk,
        "encoder": resources.corpus.encoder,
        "allowed": None if resources.allowed is None else resources.allowed.tolist(),
        "is_past": not resources.corpus.is_searched_as_live,
        "k": k,
        "limit": 2 * k,
    }
    rows: list[tuple[int, float]]
    with connection.cursor() as cursor:
        if resources.allowed is None and index_is_ready(corpus=resources.corpus):
            cursor.execute(_SETTINGS, [str(min(1000, max(100, parameters["limit"]))), "off"])
            stored, question = (indexed_as(each, len(vector)) for each in ("vector", "%(vector)s::vector"))
            cursor.execute(_HNSW.format(stored=stored, asked=question), parameters)
            rows = cursor.fetchall()
            cursor.execute(_SETTINGS, ["40", "on"])
        else:
            cursor.execute(_EXACT, parameters)
            rows = cursor.fetchall()
    return rows
