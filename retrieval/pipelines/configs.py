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


class Rewrite(Stage):
    """The question put in up to `q` further ways, each of which is searched too; stands first.

    method: by the rules of `retrieval.rewriters`, by the language model of the role "rewrite", or auto: by the model
    where one is configured, else by the rules.
    """

    gives: ClassVar[str] = "Queries"

    kind: Literal["rewrite.v1"] = "rewrite.v1"
    method: Literal["rules", "llm", "auto"] = "auto"
    q: int = Field(default=3, ge=1, le=10)


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
        if any(isinstance(stage, Rewrite) for branch in branches for stage in _stages_of(branch)):
            raise ValueError("Rewrite stands in a branch of Fuse; put it in front of the whole search, once.")
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


class BandedCutoff(Stage):
    """Keeps more hits where the ranking is flat and fewer where it is steep: its signal falls into one of the bands.

    signal: "top", the score of the best hit, or "drop", that less the mean score of the next five.
    stage: Whose scores are read, such as "learned"; hits without them are of band 0, which is the flattest.
    bounds: Ascending, in the units of those scores; a signal below the first is in band 0.
    k: Hits kept in each band, one more than there are bounds.
    """

    takes: ClassVar[str] = "Ranking"

    kind: Literal["banded-cutoff.v1"] = "banded-cutoff.v1"
    signal: Literal["top", "drop"]
    stage: str = Field(max_length=40)
    bounds: tuple[float, ...] = Field(min_length=1, max_length=9)
    k: tuple[Annotated[int, Field(ge=1, le=200)], ...]

    @model_validator(mode="after")
    def _bands_fit(self) -> Self:
        if len(self.k) != len(self.bounds) + 1:
            raise ValueError(f"{len(self.bounds)} bounds make {len(self.bounds) + 1} bands, and k has {len(self.k)}.")
        if list(self.bounds) != sorted(self.bounds):
            raise ValueError("The bounds of the bands do not ascend; sort them.")
        return self


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
            if stage.takes != offered and not (offered == "Queries" and isinstance(stage, AnyRetriever | Fuse)):
                remedy = (
                    "start the pipeline with a search such as Bm25()"
                    if stage.takes == "Ranking"
                    else "put searches side by side in Fuse(branches=...) or start a new pipeline"
                )
                raise ValueError(
                    f"Stage {place}, {name}, needs a {stage.takes} and gets a {offered} from {giver}; {remedy}."
                )
            offered, giver = stage.gives, name
        if offered != "Ranking":
            raise ValueError(f"The pipeline ends with {giver}, which finds nothing; add a search such as Bm25().")
        return self

    def __rshift__(self, following: AnyStage | Pipeline) -> Pipeline:
        """Return the pipeline that runs this, then `following`."""
        return Pipeline(stages=(*self.stages, *_stages_of(following)))

    def __mod__(self, k: int) -> Pipeline:
        """Return the pipeline that runs this and keeps the best k hits."""
        return self >> Cutoff(k=k)


AnyReranker = Learned | CrossEncode | HttpRerank
AnyCutoff = Cutoff | BandedCutoff
AnyRetriever = Bm25 | Bm25Title | Bm25Near | Dense
AnyStage = Annotated[Rewrite | AnyRetriever | Fuse | AnyReranker | AnyCutoff, Field(discriminator="kind")]
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
        return branch if isinstance(only, AnyReranker | AnyCutoff | Rewrite) else only
    return branch


Fuse.model_rebuild()
Pipeline.model_rebuild()
