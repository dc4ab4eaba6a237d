"""From settings to rankings: runs the stages of a pipeline on one corpus and notes the time of each."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from retrieval.fusion.queries import joined, widened
from retrieval.fusion.ranks import reciprocal_rank_fusion
from retrieval.pipelines.adaptive import band_of, ranking_signal, stage_scores
from retrieval.pipelines.configs import (
    AnyCutoff,
    AnyReranker,
    AnyRetriever,
    AnyStage,
    BandedCutoff,
    Cutoff,
    Dense,
    Fuse,
    Learned,
    Pipeline,
    Rewrite,
)
from retrieval.rerankers import RERANKERS, RerankFailed
from retrieval.retrievers import RETRIEVERS, Resources
from retrieval.types import Filters, Queries, Query, Ranking


@dataclass(frozen=True, slots=True)
class Timed:
    """One stage that ran: its name, its milliseconds, how many hits it gave, and why it did not do its work if so."""

    stage: str
    milliseconds: float
    n_hits: int
    note: str = ""


@dataclass(slots=True)
class Search:
    """A pipeline bound to a corpus; `times` fills as stages run."""

    resources: Resources
    times: list[Timed] = field(default_factory=list)

    def run(self, pipeline: Pipeline, query: Query) -> Ranking:
        """The ranking that the pipeline's last stage gives."""
        ranking = Ranking(query.text, ())
        for stage in pipeline.stages:
            ranking = self._stage(stage, query, ranking)
        return ranking

    def run_queries(
        self, pipeline: Pipeline, queries: Queries, vectors: Sequence[NDArray[np.float32]], filters: Filters
    ) -> Ranking:
        """The ranking of a question and its rewrites.

        Each is searched. What other words for the same question find is ranked once, for the question; questions that
        were asked at once are ranked each for itself. The last cutoff comes after all are one.

        Args:
            pipeline: Without its Rewrite stage.
            queries: The question and its rewrites.
            vectors: Of each of `queries.texts`; none where no stage reads them.
            filters: Of the search.
        """
        stages = list(pipeline.stages)
        last = stages.pop() if isinstance(stages[-1], AnyCutoff) else None
        search, rankers = stages[0], stages[1:]
        asked = [Query(text, filters) for text in queries.texts]
        resources = [replace(self.resources, vector=vector) for vector in vectors] or [self.resources] * len(asked)
        searches = [Search(known, self.times) for known in resources]
        found = [one._stage(search, query, Ranking(query.text, ())) for one, query in zip(searches, asked, strict=True)]
        parts = [number for number, rewrite in enumerate(queries.rewrites, start=1) if rewrite.is_part]
        others = {number: found[number] for number in range(1, len(found)) if number not in parts}
        ranked = {0: widened(found[0], others), **{number: found[number] for number in parts}}
        for stage in rankers:
            ranked = {n: searches[n]._stage(stage, asked[n], ranking) for n, ranking in ranked.items()}
        whole = joined(ranked.pop(0), ranked)
        return whole if last is None else self._stage(last, asked[0], whole)

    def _stage(self, stage: AnyStage, query: Query, before: Ranking) -> Ranking:
        if isinstance(stage, Rewrite):
            raise ValueError("Rewrite makes no ranking; run its queries by run_queries.")
        if isinstance(stage, Cutoff):
            return before.cut(stage.k)
        if isinstance(stage, BandedCutoff):
            return self._banded(stage, before)
        if isinstance(stage, Fuse):
            branches = [self._branch(branch, query) for branch in stage.branches]
            return reciprocal_rank_fusion(branches, k=stage.k, weights=stage.weights)
        started, note = perf_counter(), ""
        if isinstance(stage, AnyReranker):
            ranking, note = self._reranked(stage, query, before)
        else:
            ranking = RETRIEVERS.get(stage.kind)(query, config=stage, resources=self.resources)
        self.times.append(Timed(stage.kind, 1000 * (perf_counter() - started), len(ranking.hits), note))
        return ranking

    def _banded(self, stage: BandedCutoff, before: Ranking) -> Ranking:
        """Fewer hits where the ranking is steep; the trail says which band it was."""
        scores = stage_scores(before.hits, stage.stage)
        band = band_of(ranking_signal(scores, stage.signal), stage.bounds) if scores else 0
        cut = before.cut(stage.k[band])
        words = f"how steeply the ranking falls: band {band + 1} of {len(stage.k)}, {stage.k[band]} passages are kept"
        self.times.append(Timed(stage.kind, 0.0, len(cut.hits), words))
        return cut

    def _reranked(self, stage: AnyReranker, query: Query, before: Ranking) -> tuple[Ranking, str]:
        """The better order, or the one before with the reason: a search does not fail with its reranker."""
        try:
            return RERANKERS.get(stage.kind)(query, before, config=stage, resources=self.resources), ""
        except RerankFailed as failure:
            return before, str(failure)

    def _branch(self, branch: AnyRetriever | Fuse | Pipeline, query: Query) -> Ranking:
        if isinstance(branch, Pipeline):
            return self.run(branch, query)
        return self._stage(branch, query, Ranking(query.text, ()))


def needs_vector(stage: AnyStage | Pipeline) -> bool:
    """Whether the query must be encoded before the search."""
    if isinstance(stage, Pipeline):
        return any(needs_vector(inner) for inner in stage.stages)
    if isinstance(stage, Fuse):
        return any(needs_vector(inner) for inner in stage.branches)
    return isinstance(stage, Dense | Learned)
