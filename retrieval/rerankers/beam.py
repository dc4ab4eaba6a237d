"""Beam search over chains of passages, behind the evidence ranker: what answers together comes first."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from corpora.models import Embedding
from retrieval.rerankers.base import Reranker, RerankFailed, reordered
from retrieval.rerankers.chains import BEAMS, HOPS, STOP, Listed, beam_search, chain_model_load
from retrieval.rerankers.features import NAMES, PLACED, features
from retrieval.rerankers.learned import measured_ranked, pool_gather
from retrieval.rerankers.model import ModelError
from retrieval.rerankers.versions import ranker_current
from retrieval.stages import Resources
from retrieval.types import Query, Ranking


class Beam(Reranker):
    """The `beams` best chains of at most `hops` passages among the first `depth` hits; the best one comes first.

    A chain ends where no further passage has a chance of `stop` to answer too.

    Attributes:
        depth: Hits that are scored, 1 to 200; those behind keep their order.
        beams: Chains that are followed at once, 1 to 10.
        hops: Passages of a chain at most, 1 to 10.
        stop: Probability, 0.001 to 0.999, that the next passage answers too, below which a chain ends.

    Source: Zhang et al. 2024, Beam Retrieval, as in `retrieval.rerankers.chains.beam_search`.
    """

    label = "Chains"
    action = "Chains of passages that answer together"
    choice = ("beam", "beam over chains")
    lists = ("bm25.v1", "bm25-title.v1", "bm25-near.v1", "dense.v1")
    settable = ("depth", "beams", "hops", "stop")
    reads_vector = True
    tie: ClassVar[str] = "answers together with it"

    kind: Literal["beam.v1"] = "beam.v1"
    depth: int = Field(default=100, ge=1, le=200)
    beams: int = Field(default=BEAMS, ge=1, le=10)
    hops: int = Field(default=HOPS, ge=1, le=10)
    stop: float = Field(default=STOP, ge=0.001, le=0.999)

    def rerank(self, query: Query, before: Ranking, resources: Resources) -> Ranking:
        """Order the first hits by chains, which begin with the scores of the corpus's ranker.

        Returns:
            The same hits, the best chain first. Scores are 1 / (RRF_K + rank). Parts of every hit that was scored:
            those of the ranker, its rank, a score that falls from 0 by 1 from hit to hit, and of what follows the first
            passage in the best chain "beam.hop", from 1, and "beam.from", the chunk that it was added behind.

        Raises:
            RerankFailed: the query was not encoded, or a model measures what this version does not.
        """
        try:
            model, chains = ranker_current(corpus=resources.corpus), chain_model_load()
        except ModelError as error:
            raise RerankFailed(f"{error} The passages are in the order of the fusion.") from None
        pool = pool_gather(query, before, depth=self.depth, resources=resources)
        if not pool.ranking.hits:
            return before
        measured = features(pool)
        ids = [hit.chunk_id for hit in pool.ranking.hits]
        vectors = _vectors(ids, resources)
        document, place = (measured[:, len(NAMES) + PLACED.index(name)].astype(np.int64) for name in PLACED)
        listed = Listed(model.scores(measured), measured, place, document, np.asarray(vectors @ vectors.T, np.float64))
        best = beam_search(listed, chains, beams=self.beams, hops=self.hops, stop=self.stop)
        by_ranker = measured_ranked(before, measured, model)
        return _in_chains(by_ranker, [ids[place] for place in best.order], best.n_hops, stage=self.name)


def _in_chains(by_ranker: Ranking, order: Sequence[int], n_hops: int, *, stage: str) -> Ranking:
    """The ranker's hits in the order of the beam; the scores of the beam fall by one from hit to hit."""
    falling = {chunk: float(-place) for place, chunk in enumerate(order)}
    first = by_ranker.hits[: len(order)]
    parts: list[dict[str, float]] = []
    for hit in first:
        hop = int(-falling[hit.chunk_id])
        is_chained = 0 < hop < n_hops
        parts.append({f"{stage}.from": float(order[hop - 1]), f"{stage}.hop": float(hop)} if is_chained else {})
    return reordered(by_ranker, [falling[hit.chunk_id] for hit in first], stage=stage, parts=parts)


def _vectors(chunk_ids: Sequence[int], resources: Resources) -> NDArray[np.float32]:
    """The vector of the first window of each chunk, [n, d]; zeros where it has none."""
    rows = Embedding.objects.filter(
        corpus=resources.corpus, encoder=resources.corpus.encoder, window=0, chunk_id__in=chunk_ids
    )
    vectors: dict[int, Any] = dict(rows.values_list("chunk_id", "vector"))
    size = next((len(vector) for vector in vectors.values()), 1)
    return np.stack([np.asarray(vectors.get(chunk, np.zeros(size)), np.float32) for chunk in chunk_ids])
