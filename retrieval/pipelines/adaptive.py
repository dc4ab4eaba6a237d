"""From the predicted complexity of a question to the settings of its search: parameter mappings as data.

Source: HyPA-RAG 8.1 and 8.2, Tables 5 and 6. Differs: each parameter is off, fixed or adaptive (so that every row of
their Tables 2, 8 and 9 is a setting), any number of classes, and a class may be divided further by how steeply the
ranking falls, which the question's words do not tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from legalqa.common.config import Config
from retrieval.complexity.types import MAX_CLASSES, MIN_CLASSES
from retrieval.cutoffs import BandedCutoff, Cut, Cutoff
from retrieval.cutoffs.signals import Signal
from retrieval.graph.paths import MAX_HOPS
from retrieval.graph.stage import GraphPaths
from retrieval.pipelines.changing import with_reranker
from retrieval.pipelines.presets import Preset
from retrieval.rewriters import Rewrite
from retrieval.stages import Pipeline, Stage

Mode = Literal["off", "fixed", "adaptive"]
PARAMETERS = {"k": 200, "rewrites": 10, "keywords": 20, "path_length": MAX_HOPS}  # the highest value of each

# What the classes are called on pages: by how many provisions a question needs.
_CLASS_WORDS = {
    2: ("one provision", "several provisions"),
    3: ("one provision", "two provisions", "an overview of three or more"),
}


class Parameter(Config):
    """One parameter over the classes: off, the same for all, or a value for each class.

    Attributes:
        mode: Which of the three.
        values: None, one, or one for each class, 1 to 200 each, in the unit of what the parameter counts.
    """

    mode: Mode
    values: tuple[Annotated[int, Field(ge=1, le=200)], ...] = ()

    @model_validator(mode="after")
    def _values_fit(self) -> Self:
        if self.mode == "off" and self.values:
            raise ValueError("A parameter that is off has no value; leave the values out.")
        if self.mode == "fixed" and len(self.values) != 1:
            raise ValueError("A fixed parameter has one value; give one.")
        if self.mode == "adaptive" and not self.values:
            raise ValueError("An adaptive parameter has a value for each class; give them.")
        return self

    def of(self, label: int) -> int | None:
        """The value for a class; None where the parameter is off."""
        if self.mode == "off":
            return None
        return self.values[label if self.mode == "adaptive" else 0]


class Bands(Config):
    """k by class and by how steeply the ranking falls.

    Attributes:
        signal: As of `BandedCutoff`.
        measured_on: The stage whose scores the bounds are of: behind another one they mean nothing and are not used.
        bounds: Ascending, 1 to 9 of them, in the units of those scores.
        k: Hits, 1 to 200: a row for each class with one value more than there are bounds, the flattest ranking first.
    """

    signal: Signal
    measured_on: str
    bounds: tuple[float, ...] = Field(min_length=1, max_length=9)
    k: tuple[tuple[Annotated[int, Field(ge=1, le=200)], ...], ...]

    @model_validator(mode="after")
    def _bands_fit(self) -> Self:
        if any(len(row) != len(self.bounds) + 1 for row in self.k):
            n_bands = len(self.bounds) + 1
            raise ValueError(f"{len(self.bounds)} bounds make {n_bands} bands; give each class that many values of k.")
        if list(self.bounds) != sorted(self.bounds):
            raise ValueError("The bounds of the bands do not ascend; sort them.")
        return self


class ParameterMapping(Config):
    """What a class of complexity means for a search.

    Attributes:
        n_classes: Classes of complexity, 2 to 5.
        k: Hits given to the answer, 1 to 200.
        rewrites: Q, further ways to put the question at most, 1 to 10.
        keywords: K, entities of the question at most, 1 to 20. The graph is not asked where this or the next is off.
        path_length: S, steps of a path in the graph at most, 1 to MAX_HOPS.
        reranker: Whether the LTR reranker orders the hits; presets whose name says so do it anyhow.
        bands: Further k by how steeply the ranking falls; None for none.
    """

    n_classes: int = Field(ge=MIN_CLASSES, le=MAX_CLASSES)
    k: Parameter
    rewrites: Parameter
    keywords: Parameter = Parameter(mode="off")
    path_length: Parameter = Parameter(mode="off")
    reranker: bool = False
    bands: Bands | None = None

    @model_validator(mode="after")
    def _every_class_has_values(self) -> Self:
        for name in PARAMETERS:
            parameter: Parameter = getattr(self, name)
            if parameter.mode == "adaptive" and len(parameter.values) != self.n_classes:
                raise ValueError(
                    f"{name} has {len(parameter.values)} values and there are {self.n_classes} classes; give each one."
                )
        for name, most in PARAMETERS.items():
            if max(getattr(self, name).values, default=1) > most:
                raise ValueError(f"{name} is above {most}; give at most that.")
        if self.bands is not None and len(self.bands.k) != self.n_classes:
            raise ValueError(f"The bands have {len(self.bands.k)} rows and there are {self.n_classes} classes.")
        return self


def _by_class(*values: tuple[int, ...]) -> ParameterMapping:
    """The mapping with the values of each parameter for each class, in the order of PARAMETERS."""
    parameters = {name: Parameter(mode="adaptive", values=of) for name, of in zip(PARAMETERS, values, strict=True)}
    return ParameterMapping(n_classes=len(values[0]), **parameters)


# Tables 5 and 6 of HyPA-RAG, as they set them by hand.
HAND_SET: dict[int, ParameterMapping] = {
    2: _by_class((5, 10), (3, 5), (4, 5), (2, 3)),
    3: _by_class((3, 5, 7), (3, 5, 7), (3, 4, 5), (1, 2, 3)),
}


def mapping_hand_set(n_classes: int) -> ParameterMapping:
    """The mapping of Tables 5 and 6; beyond three classes, theirs of three with the last value repeated (ours)."""
    if n_classes in HAND_SET:
        return HAND_SET[n_classes]
    three = [getattr(HAND_SET[3], name).values for name in PARAMETERS]
    return _by_class(*((*values, *values[-1:] * (n_classes - 3)) for values in three))


def class_words(label: int, n_classes: int) -> str:
    """What a class is called on pages."""
    if n_classes in _CLASS_WORDS:
        return _CLASS_WORDS[n_classes][label]
    return "one provision" if label == 0 else f"{label + 1}{' or more' if label == n_classes - 1 else ''} provisions"


@dataclass(frozen=True, slots=True)
class Adapted:
    """A preset made concrete for one question, with the value of each parameter; None for a parameter that is off."""

    preset: Preset
    k: int | None
    rewrites: int | None
    keywords: int | None
    path_length: int | None
    is_banded: bool


def preset_adapt(preset: Preset, *, label: int, mapping: ParameterMapping) -> Adapted:
    """The concrete preset for a question of a class.

    What a person chose (`preset.adaptive`) overrides the mapping; a parameter that is off leaves the preset's own.

    Args:
        preset: An adaptive one.
        label: The class, 0 to n_classes - 1.
        mapping: The corpus's own, or the hand-set one, of as many classes as the preset asks for.

    Raises:
        ValueError: the preset is not adaptive, or the mapping has other classes.
    """
    adaptive = preset.adaptive
    if adaptive is None or mapping.n_classes != adaptive.n_classes or not 0 <= label < mapping.n_classes:
        raise ValueError(f"Preset {preset.name!r} and a mapping of {mapping.n_classes} classes do not fit together.")
    others = [stage for stage in preset.pipeline.stages if not isinstance(stage, Rewrite | Cut)]
    stages: list[Stage] = [stage for stage in others if not isinstance(stage, GraphPaths)]
    if (adaptive.reranker is None and mapping.reranker) or adaptive.reranker:
        stages = list(with_reranker(Pipeline(stages=tuple(stages)), "learned").stages)
    k = adaptive.k or mapping.k.of(label)
    bands = mapping.bands
    is_banded = adaptive.k is None and bands is not None and bands.measured_on == _scored_by(stages)
    if bands is not None and is_banded:
        row = bands.k[label]
        stage = bands.measured_on.partition(".")[0]
        stages.append(BandedCutoff(signal=bands.signal, stage=stage, bounds=bands.bounds, k=row))
        hits = max(row)
    else:
        hits = k or preset.hits or max(HAND_SET[3].k.values)
        stages.append(Cutoff(k=hits))
    rewrites = None if adaptive.rewriter == "off" else adaptive.rewrites or mapping.rewrites.of(label)
    if rewrites:
        stages.insert(0, Rewrite(method=adaptive.rewriter or "auto", q=rewrites))
    keywords = adaptive.keywords or mapping.keywords.of(label)
    hops = adaptive.path_length or mapping.path_length.of(label)
    graph = next((stage for stage in others if isinstance(stage, GraphPaths)), None)
    if graph is not None and keywords and hops:
        stages.append(graph.model_copy(update={"keywords": keywords, "hops": hops}))
    return Adapted(
        preset.concrete(pipeline=Pipeline(stages=tuple(stages)), hits=hits),
        None if is_banded else hits,
        rewrites,
        keywords,
        hops,
        is_banded,
    )


def _scored_by(stages: Sequence[Stage]) -> str:
    """The stage that gave the hits their scores: the last one before the cutoff."""
    return stages[-1].kind if stages else ""
