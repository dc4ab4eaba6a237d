"""From settings to rankings: runs the stages of a pipeline on one corpus and notes the time of each."""

from dataclasses import dataclass, field
from time import perf_counter

from retrieval.configs import AnyReranker, AnyRetriever, Cutoff, Dense, Fuse, Learned, Pipeline
from retrieval.fusion import reciprocal_rank_fusion
from retrieval.rankers import RERANKERS, RerankFailed
from retrieval.retrievers import RETRIEVERS, Resources
from retrieval.types import Query, Ranking


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

    def _stage(self, stage: AnyRetriever | Fuse | AnyReranker | Cutoff, query: Query, before: Ranking) -> Ranking:
        if isinstance(stage, Cutoff):
            return before.cut(stage.k)
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


def needs_vector(stage: AnyRetriever | Fuse | AnyReranker | Cutoff | Pipeline) -> bool:
    """Whether the query must be encoded before the search."""
    if isinstance(stage, Pipeline):
        return any(needs_vector(inner) for inner in stage.stages)
    if isinstance(stage, Fuse):
        return any(needs_vector(inner) for inner in stage.branches)
    return isinstance(stage, Dense | Learned)
