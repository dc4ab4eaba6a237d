"""A step of a search, described in one place: its name, its words, its settings, what it needs, and how it runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, SerializeAsAny, ValidationError, field_validator, model_validator

from corpora.models import Corpus
from legalqa.common.config import Config
from legalqa.common.registry import Registry
from retrieval.scores import Scores
from retrieval.types import Query, Ranking, Timed
from retrieval.vectors import Vectors


@dataclass(frozen=True, slots=True)
class Resources:
    """What a search works with: the corpus, the query's vector, and the chunks that its filters let through.

    Attributes:
        corpus: The corpus searched, as read in this transaction; readable by the active person.
        vector: The query's unit vector by the corpus's encoder, None where no stage needs it.
        allowed: Chunk ids that may be returned, None for all.
        scores: Scores by a model outside this process; what is missing there is noted in it.
        times: Every stage that ran, in its order.
        vectors: Of the query by other encoders; what is missing there is noted in it.
    """

    corpus: Corpus
    vector: NDArray[np.float32] | None
    allowed: NDArray[np.int64] | None
    scores: Scores = field(default_factory=Scores)
    times: list[Timed] = field(default_factory=list)
    vectors: Vectors = field(default_factory=Vectors)


class Stage(Config, ABC):
    """One step of a search, as a setting and as what it does; `>>` appends a step, `%` a cutoff.

    To add one: a class with its fields in a file of its own, and one line in the registry of its family.

    Attributes:
        kind: The versioned name, under which it is registered and stored.
        label: What a column of its numbers is called.
        action: What it did, for the steps that led to an answer.
        takes: What it needs before it: "Query" or "Ranking".
        gives: "Ranking", or "Queries" of a rewrite.
        is_timed: Whether it is a step of its own in the trace.
        reads_vector: Whether it reads the query's vector itself.
        settable: Fields that people may change, as the setting "<name>.<field>".
    """

    label: ClassVar[str]
    action: ClassVar[str]
    takes: ClassVar[str] = "Query"
    gives: ClassVar[str] = "Ranking"
    is_timed: ClassVar[bool] = True
    reads_vector: ClassVar[bool] = False
    settable: ClassVar[tuple[str, ...]] = ()

    kind: str

    @staticmethod
    def name_of(kind: str) -> str:
        """The name without its version, which numbers and settings of a stage carry."""
        return kind.partition(".")[0]

    @property
    def name(self) -> str:
        return self.name_of(self.kind)

    @property
    def needs_vector(self) -> bool:
        """Whether the query must be encoded before the search."""
        return self.reads_vector or any(stage.needs_vector for stage in self.inner)

    @property
    def can_lack_vector(self) -> bool:
        """Whether it searches even where the query could not be encoded."""
        return not self.needs_vector

    @property
    def words(self) -> str:
        """What it does with its settings, for people; "" where that goes without saying."""
        return self.action

    @property
    def inner(self) -> tuple[Stage, ...]:
        """The stages that it runs itself."""
        return ()

    def walk(self) -> Iterator[Stage]:
        """The stage and all that it runs, at any depth."""
        yield self
        for stage in self.inner:
            yield from stage.walk()

    @abstractmethod
    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:
        """The ranking that it makes of the query and the ranking before it.

        Returns:
            Hits best first, ranked from 1, and a note for the trace, "" for none. Scores mean nothing outside the
            ranking.
        """

    def apply(self, query: Query, before: Ranking, resources: Resources) -> Ranking:
        """Run, and note in the trace how long it took, how many hits it gave, and what there is to say of it."""
        started = perf_counter()
        ranking, note = self.run(query, before, resources)
        if self.is_timed:
            milliseconds = 1000 * (perf_counter() - started)
            resources.times.append(Timed(self.kind, milliseconds, len(ranking.hits), note))
        return ranking

    def __rshift__(self, following: Stage) -> Pipeline:
        """Return the pipeline that runs this, then `following`."""
        return Pipeline(stages=(self, following))

    def __mod__(self, k: int) -> Pipeline:
        """Return the pipeline that runs this and keeps the best k hits."""
        return self >> STAGES.get("cutoff.v1").model_validate({"k": k})


S = TypeVar("S", bound=Stage)
STAGES: Registry[type[Stage]] = Registry("stage")


class StageRegistry(Registry[type[S]]):
    """The stages of one family; a pipeline may hold what is registered here."""

    def register(self, name: str, component: type[S]) -> type[S]:
        """Add a stage under its kind.

        Raises:
            ValueError: the name is not the stage's kind, has no version or is taken.
        """
        if component.model_fields["kind"].default != name:
            raise ValueError(f"{component.__name__} is registered as {name!r}; register it under its kind.")
        STAGES.register(name, component)
        return super().register(name, component)


def stage_read(value: object) -> object:
    """A stage from its stored form, by the kind that it names; a stage is returned as it is.

    Raises:
        ValueError: there is no such kind, or a setting does not fit.
    """
    if isinstance(value, Stage):
        return value
    kind = value.get("kind") if isinstance(value, Mapping) else None
    if not isinstance(kind, str):
        raise ValueError(f"A stage names its kind; give one of: {', '.join(STAGES.names())}.")
    try:
        return STAGES.get(kind).model_validate(value)
    except LookupError as error:
        raise ValueError(str(error)) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join([kind, *map(str, first["loc"])])
        raise ValueError(f"{place}: {first['msg'].removeprefix('Value error, ')}") from None


AnyStage = Annotated[SerializeAsAny[Stage], BeforeValidator(stage_read)]


class Pipeline(Stage):
    """Stages in order: the first takes the query, each other one the ranking before it; none at all finds nothing.

    Source: composition by `>>` as in PyTerrier. Differs: a pipeline is data, and one that cannot run is refused
    when it is built.
    """

    label = "Search"
    action = "Searched"
    is_timed = False

    kind: Literal["pipeline.v1"] = "pipeline.v1"
    stages: tuple[AnyStage, ...]

    @property
    def can_lack_vector(self) -> bool:
        return all(stage.can_lack_vector for stage in self.stages)

    @property
    def words(self) -> str:
        return ""

    @property
    def inner(self) -> tuple[Stage, ...]:
        return self.stages

    def run(self, query: Query, before: Ranking, resources: Resources) -> tuple[Ranking, str]:
        """The ranking of the last stage.

        Returns:
            What the last stage gave, with its scores; `before` where there is no stage. No note.
        """
        for stage in self.stages:
            before = stage.apply(query, before, resources)
        return before, ""

    def search(self, query: Query, resources: Resources) -> Ranking:
        """The ranking of a query."""
        return self.apply(query, Ranking(query.text, ()), resources)

    @field_validator("stages", mode="before")
    @classmethod
    def _flatten(cls, stages: Any) -> Any:
        """Take nested pipelines apart, so that grouping changes no fingerprint."""
        if not isinstance(stages, Sequence) or isinstance(stages, str):
            return stages
        return tuple(stage for entry in stages for stage in _nested(entry))

    @model_validator(mode="after")
    def _stages_fit(self) -> Self:
        offered, giver = "Query", "the question"
        for place, stage in enumerate(self.stages, start=1):
            name = type(stage).__name__
            if stage.takes != offered and not (offered == "Queries" and stage.takes == "Query"):
                remedy = (
                    "start the pipeline with a search such as Bm25()"
                    if stage.takes == "Ranking"
                    else "put searches side by side in Fuse(branches=...) or start a new pipeline"
                )
                raise ValueError(
                    f"Stage {place}, {name}, needs a {stage.takes} and gets a {offered} from {giver}; {remedy}."
                )
            if offered == stage.gives == "Queries":
                raise ValueError(f"Stage {place}, {name}, follows another one; rewrite the question once.")
            offered, giver = stage.gives, name
        if offered == "Queries":
            raise ValueError(f"The pipeline ends with {giver}, which finds nothing; add a search such as Bm25().")
        return self


STAGES.register("pipeline.v1", Pipeline)


def _nested(entry: Any) -> Sequence[Any]:
    """Return the stages inside a nested pipeline, given as object or as JSON, else the entry itself."""
    if isinstance(entry, Pipeline):
        return entry.stages
    if isinstance(entry, dict) and entry.get("kind") == "pipeline.v1":
        return [stage for inner in entry.get("stages", ()) for stage in _nested(inner)]
    return (entry,)
