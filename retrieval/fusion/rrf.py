"""Reciprocal rank fusion as a stage."""

from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from retrieval.fusion.ranks import reciprocal_rank_fusion
from retrieval.stages import AnyStage, Pipeline, Resources, Stage
from retrieval.types import Query, Ranking


class Fuse(Stage):
    """Reciprocal rank fusion of branches that each answer the query.

    Attributes:
        branches: One search or more.
        k: Smoothing constant in ranks, 1 or more. Larger flattens the top.
        weights: One factor of 0 or more for each branch, not all 0; None for 1 each. A branch of weight 0 adds no
            chunk.

    Source: Cormack, Clarke, Buettcher, SIGIR 2009, as in `retrieval.fusion.ranks`.
    """

    label = "Fusion"
    action = "Lists joined by their ranks"
    is_timed = False
    settable = ("k", "weights")

    kind: Literal["rrf.v1"] = "rrf.v1"
    branches: tuple[AnyStage, ...] = Field(min_length=1)
    k: int = Field(default=60, ge=1)
    weights: tuple[Annotated[float, Field(ge=0)], ...] | None = None

    @property
    def inner(self) -> tuple[Stage, ...]:
        return self.branches

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:
        """The rankings of the branches as one.

        Returns:
            The union of the branches' chunks, each once, best first, ties by rising chunk id; and no note. Scores lie
            in (0, sum of weights / (k + 1)] and mean nothing outside this ranking.
        """
        rankings = [branch.apply(query, before, resources) for branch in self.branches]
        return reciprocal_rank_fusion(rankings, k=self.k, weights=self.weights), ""

    @field_validator("branches", mode="after")
    @classmethod
    def _branches_search(cls, branches: tuple[Stage, ...]) -> tuple[Stage, ...]:
        """Write a pipeline of one stage as that stage, so that equal fusions have one fingerprint."""
        single = tuple(b.inner[0] if isinstance(b, Pipeline) and len(b.inner) == 1 else b for b in branches)
        for branch in single:
            if "Queries" in {stage.gives for stage in (branch, *branch.inner)}:
                raise ValueError("A branch of Fuse begins with Rewrite; put it in front of the whole search, once.")
            if branch.takes != "Query" or (isinstance(branch, Pipeline) and not branch.inner):
                raise ValueError(f"A branch of Fuse searches, and {branch.kind!r} does not; give a search.")
        return single

    @model_validator(mode="after")
    def _weights_fit(self) -> Self:
        if self.weights is None:
            return self
        if len(self.weights) != len(self.branches):
            raise ValueError(
                f"Fuse has {len(self.branches)} branches and {len(self.weights)} weights; give one for each."
            )
        if not any(self.weights):
            raise ValueError("Every weight of Fuse is 0, so nothing would be found; raise one of them.")
        return self
