"""Settings of the stages of a search, and pipelines of them: `Fuse(...) % 10` as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from legalqa.common.config import Config


class Stage(Config):
    """One step of a search; `>>` appends a step, `%` a cutoff."""

    takes: ClassVar[str] = "Query"
    gives: ClassVar[str] = "Ranking"

    def __rshift__(self, following: AnyStage | Pipeline) -> Pipeline:
        """Return the pipeline that runs this, then `following`."""
        return Pipeline(stages=(*_stages_of(self), *_stages_of(following)))

    def __mod__(self, k: int) -> Pipeline:
        """Return the pipeline that runs this and keeps the best k hits."""
        return self >> Cutoff(k=k)


class Bm25(Stage):
    """Sparse search by BM25."""

    kind: Literal["bm25.v1"] = "bm25.v1"
    top_k: int = Field(default=100, ge=1, le=10_000)
    k1: float = Field(default=1.2, ge=0, le=100)
    b: float = Field(default=0.75, ge=0, le=1)


class Bm25Title(Stage):
    """Sparse search over the text and, at half its weight, the title above it."""

    kind: Literal["bm25-title.v1"] = "bm25-title.v1"
    top_k: int = Field(default=100, ge=1, le=10_000)


class Bm25Near(Stage):
    """Sparse search over the text and, at less weight, the passages before and after it."""

    kind: Literal["bm25-near.v1"] = "bm25-near.v1"
    top_k: int = Field(default=100, ge=1, le=10_000)


class Dense(Stage):
    """Search by the cosine of embeddings."""

    kind: Literal["dense.v1"] = "dense.v1"
    top_k: int = Field(default=100, ge=1, le=10_000)


class Fuse(Stage):
    """Reciprocal rank fusion of branches that each answer the query."""

    kind: Literal["rrf.v1"] = "rrf.v1"
    branches: tuple[Branch, ...] = Field(min_length=1)
    k: int = Field(default=60, ge=1)
    weights: tuple[Annotated[float, Field(ge=0)], ...] | None = None

    @field_validator("branches", mode="after")
    @classmethod
    def _unwrap_single_stages(cls, branches: tuple[Branch, ...]) -> tuple[Branch, ...]:
        """Write a pipeline of one stage as that stage, so that equal fusions have one fingerprint."""
        return tuple(_unwrapped(branch) for branch in branches)

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


class Learned(Stage):
    """The learned evidence ranker over the first `depth` hits; gives a calibrated probability with them."""

    takes: ClassVar[str] = "Ranking"

    kind: Literal["learned.v1"] = "learned.v1"
    depth: int = Field(default=100, ge=1, le=200)


class CrossEncode(Stage):
    """A cross-encoder of this site over the first `depth` hits; which one is a setting of the installation."""

    takes: ClassVar[str] = "Ranking"

    kind: Literal["cross-encoder.v1"] = "cross-encoder.v1"
    depth: int = Field(default=20, ge=1, le=200)


class HttpRerank(Stage):
    """A rerank endpoint over HTTP over the first `depth` hits; which one is a setting of the installation."""

    takes: ClassVar[str] = "Ranking"

    kind: Literal["http-rerank.v1"] = "http-rerank.v1"
    depth: int = Field(default=50, ge=1, le=200)


class Cutoff(Stage):
    """Keeps the best k hits."""

    takes: ClassVar[str] = "Ranking"

    kind: Literal["cutoff.v1"] = "cutoff.v1"
    k: int = Field(ge=1, le=200)


class Pipeline(Config):
    """Stages in order: the first takes the query, each other one the ranking before it."""

    kind: Literal["pipeline.v1"] = "pipeline.v1"
    stages: tuple[AnyStage, ...]

    @field_validator("stages", mode="before")
    @classmethod
    def _flatten(cls, stages: Any) -> Any:
        """Take nested pipelines apart, so that grouping changes no fingerprint."""
        if not isinstance(stages, Sequence) or isinstance(stages, str):
            return stages
        return tuple(stage for entry in stages for stage in _nested(entry))

    @model_validator(mode="after")
    def _stages_fit(self) -> Self:
        if not self.stages:
            raise ValueError("The pipeline has no stages; start it with a search such as Bm25().")
        offered, giver = "Query", "the question"
        for place, stage in enumerate(self.stages, start=1):
            name = type(stage).__name__
            if stage.takes != offered:
                remedy = (
                    "start the pipeline with a search such as Bm25()"
                    if stage.takes == "Ranking"
                    else "put searches side by side in Fuse(branches=...) or start a new pipeline"
                )
                raise ValueError(
                    f"Stage {place}, {name}, needs a {stage.takes} and gets a {offered} from {giver}; {remedy}."
                )
            offered, giver = stage.gives, name
        return self

    def __rshift__(self, following: AnyStage | Pipeline) -> Pipeline:
        """Return the pipeline that runs this, then `following`."""
        return Pipeline(stages=(*self.stages, *_stages_of(following)))

    def __mod__(self, k: int) -> Pipeline:
        """Return the pipeline that runs this and keeps the best k hits."""
        return self >> Cutoff(k=k)


AnyReranker = Learned | CrossEncode | HttpRerank
AnyRetriever = Bm25 | Bm25Title | Bm25Near | Dense
AnyStage = Annotated[AnyRetriever | Fuse | AnyReranker | Cutoff, Field(discriminator="kind")]
Branch = Annotated[AnyRetriever | Fuse | Pipeline, Field(discriminator="kind")]


def _stages_of(part: Stage | Pipeline) -> tuple[Any, ...]:
    return part.stages if isinstance(part, Pipeline) else (part,)


def _nested(entry: Any) -> Sequence[Any]:
    """Return the stages inside a nested pipeline, given as object or as JSON, else the entry itself."""
    if isinstance(entry, Pipeline):
        return entry.stages
    if isinstance(entry, dict) and entry.get("kind") == "pipeline.v1":
        return [stage for inner in entry.get("stages", ()) for stage in _nested(inner)]
    return (entry,)


def _unwrapped(branch: Branch) -> Branch:
    if isinstance(branch, Pipeline) and len(branch.stages) == 1:
        only = branch.stages[0]
        return branch if isinstance(only, AnyReranker | Cutoff) else only
    return branch


Fuse.model_rebuild()
Pipeline.model_rebuild()
