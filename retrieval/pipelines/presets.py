"""Named ways to search that people pick from, and single settings changed on top of them."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Self, get_origin

from pydantic import Field, ValidationError, field_validator

from legalqa.common.config import Config, fingerprint_of, misfit_words
from legalqa.common.nearest import nearest
from retrieval.cutoffs import Cutoff
from retrieval.fusion import Fuse
from retrieval.pipelines.changing import (
    PresetError,
    cut_of,
    rewriters,
    with_expanders,
    with_reranker,
    with_second_search,
)
from retrieval.retrievers import RETRIEVERS, Bm25, Bm25Near, Bm25Title, Dense, QuestionMatch
from retrieval.rewriters import Rewrite
from retrieval.stages import STAGES, Pipeline

Setting = Callable[[dict[str, Any], str], bool]

DEFAULT_PRESET = "cited-or-silent"


class Adaptive(Config):
    """Settings are filled in for each question from its predicted complexity and the corpus's parameter mapping.

    What is not None was chosen by a person and overrides the mapping; a rewriter of "off" means no rewriter.

    Attributes:
        n_classes: Classes of complexity, 2 to 5.
        k: Hits given to the answer, 1 to 200.
        rewrites: Q, further ways to put the question at most, 1 to 10.
        rewriter: Who makes them.
        reranker: Whether the LTR reranker orders the hits.
        keywords: K, entities of the question that the graph is asked for at most, 1 to 20.
        path_length: S, steps of a path in the graph at most, 1 to 4.
    """

    n_classes: int = Field(ge=2, le=5)
    k: int | None = Field(default=None, ge=1, le=200)
    rewrites: int | None = Field(default=None, ge=1, le=10)
    rewriter: str | None = None
    reranker: bool | None = None
    keywords: int | None = Field(default=None, ge=1, le=20)
    path_length: int | None = Field(default=None, ge=1, le=4)

    @field_validator("rewriter")
    @classmethod
    def _rewriter_exists(cls, name: str | None) -> str | None:
        if name is not None and name not in rewriters():
            raise ValueError(f"No rewriter is called {name!r}; choose one of: {', '.join(rewriters())}.")
        return name


class Compared(Config):
    """What a search reads in place of what is live: a kept chunk set, another encoder's vectors; "" leaves either."""

    chunk_set: str = ""
    encoder: str = ""


class Preset(Config):
    """A pipeline under a name people can choose.

    What is done with the hits is a section that their reader adds in a subclass, with the settings of its own
    (`legalqa.answering.presets.AnswerPreset`). With `adaptive`, the pipeline is what is filled in for each question
    (`retrieval.pipelines.adaptive.preset_adapt`). With `compared`, it reads another index of the corpus than the rest.
    """

    name: str
    title: str
    description: str
    pipeline: Pipeline
    adaptive: Adaptive | None = None
    compared: Compared | None = None

    @property
    def rewriter(self) -> Rewrite | None:
        """The stage that rewrites questions, where the pipeline has one."""
        first = next(iter(self.pipeline.stages), None)
        return first if isinstance(first, Rewrite) else None

    @property
    def hits(self) -> int | None:
        """The most hits that the search keeps; None where it keeps all. What it adds to them comes behind."""
        cut = cut_of(self.pipeline)
        return cut.most if cut else None

    def fingerprint(self) -> str:
        """Return the SHA-256 of what changes a result: every section, not the wording."""
        sections = type(self).model_fields.keys() - {"name", "title", "description"}
        unused = {name for name in ("adaptive", "compared") if not getattr(self, name)}
        document = self.model_dump(mode="json", include=sections - unused)
        for name in ("keywords", "path_length"):  # later than the presets whose fingerprints are stored with answers
            if self.adaptive and getattr(self.adaptive, name) is None:
                del document["adaptive"][name]
        return fingerprint_of(document)

    def concrete(self, *, pipeline: Pipeline, hits: int) -> Self:  # noqa: ARG002 - for those who read the hits
        """The preset with what followed from one question filled in; `hits` are the most that the pipeline keeps."""
        return self.model_copy(update={"adaptive": None, "pipeline": pipeline})

    @classmethod
    def settings(cls) -> dict[str, Setting]:
        """Every setting that may be changed on top of a preset, in the order in which they are applied."""
        return _SETTINGS | {
            f"{stage.name_of(kind)}.{field}": _stage_setting(kind, field)
            for kind, stage in ((kind, STAGES.get(kind)) for kind in STAGES.names())
            for field in stage.settable
        }


WIDE = Fuse(branches=(Bm25(), Bm25Title(), Bm25Near(), Dense()))
WITH_QUESTIONS = Fuse(branches=(*WIDE.branches, QuestionMatch()))


PRESETS: dict[str, Preset] = {}


def preset_register(preset: Preset) -> None:
    """Add a preset of the product.

    Raises:
        ValueError: its name is taken.
    """
    if preset.name in PRESETS:
        raise ValueError(f"Preset {preset.name!r} is registered twice.")
    PRESETS[preset.name] = preset


def setting_names() -> list[str]:
    """The settings that some preset of the product can be changed by."""
    return sorted({name for preset in PRESETS.values() for name in preset.settings()})


def preset_get(name: str, overrides: Mapping[str, str] | None = None, *, hits: int = 1) -> Preset:
    """Return a preset with single settings changed.

    Args:
        name: A name in `PRESETS`.
        overrides: Setting to value, as typed after `--set`: k (hits kept and given as evidence), bm25.k1,
            bm25.b, bm25.top_k, dense.top_k, rrf.k, rrf.weights ("2,1"), learned.depth, chunk_set and encoder (those
            of the corpus, by name), gate, verify, max_claims, evidence_k, answer.mode (auto, quoted, written). What a
            model writes is always checked, so "verify" cannot be taken from a preset whose answers must be written.
        hits: Find at least this many chunks, unless the overrides say how many are kept.

    Raises:
        PresetError: no such preset or setting, a stage the preset does not have, more hits than a search may keep, or a
            value that does not fit.
    """
    if name not in PRESETS:
        raise PresetError(f"No preset is called {name!r}; choose one of: {', '.join(PRESETS)}.")
    changes = overrides or {}
    preset = preset_changed(PRESETS[name], changes)
    cut = cut_of(preset.pipeline)
    if "k" in changes or preset.adaptive or not isinstance(cut, Cutoff) or cut.k >= hits:
        return preset
    return preset_changed(PRESETS[name], {**changes, "k": str(hits)})


def preset_changed(preset: Preset, overrides: Mapping[str, str]) -> Preset:
    """A preset with single settings changed; arguments and errors as of `preset_get`."""
    name, data, settings = preset.name, preset.model_dump(), preset.settings()
    for key in overrides:
        if key not in settings:
            near = nearest(key, settings)
            raise PresetError(f"No setting is called {key[:80]!r}; the nearest of {len(settings)} are: {near}.")
    try:
        for key in [key for key in settings if key in overrides]:
            if not settings[key](data, overrides[key]):
                raise PresetError(f"Preset {name!r} has no {key.partition('.')[0]} stage; leave {key!r} out.")
        return type(preset).model_validate(data)
    except ValidationError as error:
        misfit = misfit_words(error, whole="the settings")
        raise PresetError(f"Preset {name!r} cannot be changed so: {misfit}") from None


def _set_classifier(data: dict[str, Any], value: str) -> bool:
    adaptive = data["adaptive"] or {}
    data["adaptive"] = None if value == "off" else {**adaptive, "n_classes": number(value, "classifier", int)}
    return True


def _set_reranker(data: dict[str, Any], value: str) -> bool:
    changed = with_reranker(Pipeline.model_validate(data["pipeline"]), value)
    data["pipeline"] = changed.model_dump()
    if data["adaptive"]:
        data["adaptive"]["reranker"] = value == "learned"  # another one is in the pipeline itself
    return True


def _set_expanders(data: dict[str, Any], value: str) -> bool:
    names = [] if value == "off" else [name.strip() for name in value.split(",")]
    data["pipeline"] = with_expanders(Pipeline.model_validate(data["pipeline"]), names).model_dump()
    return True


def _set_second(data: dict[str, Any], value: str) -> bool:
    data["pipeline"] = with_second_search(Pipeline.model_validate(data["pipeline"]), value).model_dump()
    return True


def _set_rewriter(data: dict[str, Any], value: str) -> bool:
    if value not in rewriters():
        raise PresetError(f"Setting 'rewriter' is {value!r}; give one of: {', '.join(rewriters())}.")
    if data["adaptive"]:
        data["adaptive"]["rewriter"] = value
        return True
    stages = [stage for stage in data["pipeline"]["stages"] if stage["kind"] != "rewrite.v1"]
    first = [] if value == "off" else [Rewrite(method=value).model_dump()]
    data["pipeline"]["stages"] = [*first, *stages]
    return True


def _set_compared(name: str) -> Setting:
    """The setting of a part of the index that is compared."""

    def change(data: dict[str, Any], value: str) -> bool:
        data["compared"] = {**(data["compared"] or {}), name: value}
        return True

    return change


def _set_count(name: str, kind: str, field: str) -> Setting:
    """The setting of a stage's number that follows from the question in an adaptive preset."""

    def change(data: dict[str, Any], value: str) -> bool:
        count = number(value, name, int)
        if data["adaptive"]:
            data["adaptive"][name] = count
            return True
        return _change_stages(data["pipeline"], kind, field, count)

    return change


def _set_k(data: dict[str, Any], value: str) -> bool:
    k = number(value, "k", int)
    if data["adaptive"]:
        data["adaptive"]["k"] = k
    return _change_stages(data["pipeline"], "cutoff.v1", "k", k)


def _set_retrievers(data: dict[str, Any], value: str) -> bool:
    """Search by these in place of the lists that the preset fuses, or of its one search."""
    choices = {RETRIEVERS.get(kind).name_of(kind): kind for kind in RETRIEVERS.names()}
    names = [name.strip() for name in value.split(",")]
    if unknown := [name for name in names if name not in choices]:
        raise PresetError(f"Setting 'retrievers' names {unknown[0]!r}; give some of: {', '.join(choices)}.")
    searches = [{"kind": choices[name]} for name in dict.fromkeys(names)]
    stages = data["pipeline"]["stages"]
    for place, stage in enumerate(stages):
        if stage["kind"] != Rewrite.model_fields["kind"].default:
            fusion = {"kind": "rrf.v1", "branches": searches}
            data["pipeline"]["stages"] = [*stages[:place], fusion, *stages[place + 1 :]]
            return True
    return False


def _stage_setting(kind: str, field: str) -> Setting:
    """The setting of a field: a whole number, a number, a name, or numbers parted by commas."""
    stage = STAGES.get(kind)
    key, annotation = f"{stage.name_of(kind)}.{field}", stage.model_fields[field].annotation

    def change(data: dict[str, Any], value: str) -> bool:
        read: object = value
        if annotation in (int, float):
            read = number(value, key, int if annotation is int else float)
        elif annotation is not str and get_origin(annotation) is not Literal:
            read = tuple(number(part, key, float) for part in value.split(","))
        return _change_stages(data["pipeline"], kind, field, read)

    return change


def _change_stages(stage: dict[str, Any], kind: str, field: str, value: object) -> bool:
    """Set a field of every stage of that kind, in branches too; say whether there was one."""
    inner = (*stage.get("stages", ()), *stage.get("branches", ()))
    is_changed = [_change_stages(part, kind, field, value) for part in inner]
    if stage["kind"] == kind:
        stage[field] = value
        return True
    return any(is_changed)


def number(value: str, key: str, parse: type[int] | type[float]) -> int | float:
    """A setting's value as a number; raises PresetError if it is not one."""
    try:
        return parse(value)
    except ValueError:
        kind = "a whole number" if parse is int else "a number"
        raise PresetError(f"Setting {key!r} is {value!r}; give {kind}.") from None


_SETTINGS: dict[str, Setting] = {
    # What changes the stages comes first.
    "classifier": _set_classifier,
    "retrievers": _set_retrievers,
    "reranker": _set_reranker,
    "expanders": _set_expanders,
    "second": _set_second,
    "rewriter": _set_rewriter,
    "rewrites": _set_count("rewrites", "rewrite.v1", "q"),
    "k": _set_k,
    "chunk_set": _set_compared("chunk_set"),
    "encoder": _set_compared("encoder"),
    "keywords": _set_count("keywords", "graph.v1", "keywords"),
    "path_length": _set_count("path_length", "graph.v1", "hops"),
}
