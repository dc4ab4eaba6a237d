"""Named ways to search that people pick from, and single settings changed on top of them."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Self

from pydantic import Field, ValidationError

from legalqa.common.config import Config, fingerprint_of
from legalqa.common.errors import ApplicationError
from retrieval.pipelines.configs import (
    AnyReranker,
    AnyStage,
    BandedCutoff,
    Bm25,
    Bm25Near,
    Bm25Title,
    CrossEncode,
    Cutoff,
    Dense,
    Fuse,
    HttpRerank,
    Learned,
    Pipeline,
    Rewrite,
)

Setting = Callable[[dict[str, Any], str], bool]

DEFAULT_PRESET = "cited-or-silent"


class PresetError(ApplicationError, ValueError):
    """A preset or a setting of it that does not exist or does not fit."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="unknown_setting")


class Adaptive(Config):
    """Settings are filled in for each question from its predicted complexity and the corpus's parameter mapping.

    What is not None was chosen by a person and goes before the mapping; a rewriter of "off" is none at all.
    """

    n_classes: int = Field(ge=2, le=5)
    k: int | None = Field(default=None, ge=1, le=200)
    rewrites: int | None = Field(default=None, ge=1, le=10)
    rewriter: Literal["off", "rules", "llm", "auto"] | None = None
    reranker: bool | None = None


class Preset(Config):
    """A pipeline under a name people can choose.

    What is done with the hits is a section that whoever reads them adds in a subclass, with the settings of its own
    (`legalqa.answering.presets.AnswerPreset`). With `adaptive`, the pipeline is what is filled in for each question
    (`retrieval.pipelines.adaptive.preset_adapt`).
    """

    name: str
    title: str
    description: str
    pipeline: Pipeline
    adaptive: Adaptive | None = None

    @property
    def rewriter(self) -> Rewrite | None:
        """The stage that rewrites questions, where the pipeline has one."""
        first = self.pipeline.stages[0]
        return first if isinstance(first, Rewrite) else None

    @property
    def hits(self) -> int | None:
        """The most hits that the search keeps; None where it keeps all."""
        last = self.pipeline.stages[-1]
        return last.k if isinstance(last, Cutoff) else max(last.k) if isinstance(last, BandedCutoff) else None

    def fingerprint(self) -> str:
        """Return the SHA-256 of what changes a result: every section, not the wording."""
        told = type(self).model_fields.keys() - {"name", "title", "description"}
        return fingerprint_of(self.model_dump(mode="json", include=told - (set() if self.adaptive else {"adaptive"})))

    def concrete(self, *, pipeline: Pipeline, hits: int) -> Self:  # noqa: ARG002 - for those who read the hits
        """The preset with what followed from one question filled in; `hits` are the most that the pipeline keeps."""
        return self.model_copy(update={"adaptive": None, "pipeline": pipeline})

    @classmethod
    def settings(cls) -> dict[str, Setting]:
        """Every setting that may be changed on top of a preset, in the order in which they are applied."""
        return _SETTINGS


HYBRID = Fuse(branches=(Bm25(), Dense()))
WIDE = Fuse(branches=(Bm25(), Bm25Title(), Bm25Near(), Dense()))


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


def preset_get(name: str, overrides: Mapping[str, str] | None = None) -> Preset:
    """Return a preset with single settings changed.

    Args:
        name: A name in `PRESETS`.
        overrides: Setting to value, as typed after `--set`: k (hits kept and given as evidence), bm25.k1,
            bm25.b, bm25.top_k, dense.top_k, rrf.k, rrf.weights ("2,1"), learned.depth, gate, verify, max_claims,
            evidence_k, answer.mode (auto, quoted, written). What a model writes is always checked, so "verify" cannot
            be taken from a preset whose answers must be written.

    Raises:
        PresetError: no such preset or setting, a stage the preset does not have, or a value that does
            not fit.
    """
    if name not in PRESETS:
        raise PresetError(f"No preset is called {name!r}; choose one of: {', '.join(PRESETS)}.")
    preset, overrides = PRESETS[name], overrides or {}
    data, settings = preset.model_dump(), preset.settings()
    for key in overrides:
        if key not in settings:
            raise PresetError(f"No setting is called {key!r}; choose one of: {', '.join(sorted(settings))}.")
    for key in [key for key in settings if key in overrides]:
        if not settings[key](data, overrides[key]):
            raise PresetError(f"Preset {name!r} has no {key.partition('.')[0]} stage; leave {key!r} out.")
    try:
        return type(preset).model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the settings"
        reason = first["msg"].removeprefix("Value error, ")
        raise PresetError(f"Preset {name!r} cannot be changed so: {place}: {reason}") from None


def preset_for_hits(name: str, overrides: Mapping[str, str], *, hits: int) -> Preset:
    """A preset that finds at least `hits` chunks, unless the overrides say themselves how many are kept.

    Raises:
        PresetError: as `preset_get`; also more hits than a search may keep.
    """
    preset = preset_get(name, overrides)
    last = preset.pipeline.stages[-1]
    if "k" in overrides or preset.adaptive or not isinstance(last, Cutoff) or last.k >= hits:
        return preset
    return preset_get(name, {**overrides, "k": str(hits)})


def with_reranker(pipeline: Pipeline, name: str) -> Pipeline:
    """The pipeline with another ranker before its cutoff, or with none ("off").

    The learned ranker reads four lists, so a fusion of words and meaning alone becomes theirs (ours).

    Raises:
        PresetError: no ranker has that name.
    """
    if name not in _RERANKERS:
        raise PresetError(f"Setting 'reranker' is {name!r}; give one of: {', '.join(_RERANKERS)}.")
    kept: list[Any] = [stage for stage in pipeline.stages if not isinstance(stage, AnyReranker)]
    chosen = _RERANKERS[name]
    if chosen is not None:
        is_cut = isinstance(kept[-1], Cutoff | BandedCutoff)
        kept.insert(len(kept) - is_cut, chosen)
    if name == "learned":
        kept = [WIDE if stage == HYBRID else stage for stage in kept]
    return Pipeline(stages=tuple(kept))


_RERANKERS: dict[str, AnyStage | None] = {
    "off": None,
    "learned": Learned(),
    "cross-encoder": CrossEncode(),
    "http": HttpRerank(),
}
_REWRITERS = ("off", "rules", "llm", "auto")


def _set_classifier(data: dict[str, Any], value: str) -> bool:
    if value == "off":
        data["adaptive"] = None
        return True
    held = data["adaptive"] or {}
    data["adaptive"] = {**held, "n_classes": number(value, "classifier", int)}
    return True


def _set_reranker(data: dict[str, Any], value: str) -> bool:
    changed = with_reranker(Pipeline.model_validate(data["pipeline"]), value)
    data["pipeline"] = changed.model_dump()
    if data["adaptive"]:
        data["adaptive"]["reranker"] = value == "learned"  # another one stands in the pipeline itself
    return True


def _set_rewriter(data: dict[str, Any], value: str) -> bool:
    if value not in _REWRITERS:
        raise PresetError(f"Setting 'rewriter' is {value!r}; give one of: {', '.join(_REWRITERS)}.")
    if data["adaptive"]:
        data["adaptive"]["rewriter"] = value
        return True
    stages = [stage for stage in data["pipeline"]["stages"] if stage["kind"] != "rewrite.v1"]
    first = [] if value == "off" else [Rewrite(method=value).model_dump()]
    data["pipeline"]["stages"] = [*first, *stages]
    return True


def _set_rewrites(data: dict[str, Any], value: str) -> bool:
    q = number(value, "rewrites", int)
    if data["adaptive"]:
        data["adaptive"]["rewrites"] = q
        return True
    return _change_stages(data["pipeline"], "rewrite.v1", "q", q)


def _set_k(data: dict[str, Any], value: str) -> bool:
    k = number(value, "k", int)
    if data["adaptive"]:
        data["adaptive"]["k"] = k
    return _change_stages(data["pipeline"], "cutoff.v1", "k", k)


def _set_weights(data: dict[str, Any], value: str) -> bool:
    weights = tuple(number(part, "rrf.weights", float) for part in value.split(","))
    return _change_stages(data["pipeline"], "rrf.v1", "weights", weights)


def _stage_setting(kind: str, field: str, key: str, read: type[int] | type[float]) -> Setting:
    return lambda data, value: _change_stages(data["pipeline"], kind, field, number(value, key, read))


def _change_stages(stage: dict[str, Any], kind: str, field: str, value: object) -> bool:
    """Set a field of every stage of that kind, in branches too; say whether there was one."""
    inner = (*stage.get("stages", ()), *stage.get("branches", ()))
    found = [_change_stages(part, kind, field, value) for part in inner]
    if stage["kind"] == kind:
        stage[field] = value
        return True
    return any(found)


def number(value: str, key: str, read: type[int] | type[float]) -> int | float:
    """A setting's value as a number; raises PresetError where it is none."""
    try:
        return read(value)
    except ValueError:
        kind = "a whole number" if read is int else "a number"
        raise PresetError(f"Setting {key!r} is {value!r}; give {kind}.") from None


_SETTINGS: dict[str, Setting] = {
    # What changes the stages comes first.
    "classifier": _set_classifier,
    "reranker": _set_reranker,
    "rewriter": _set_rewriter,
    "rewrites": _set_rewrites,
    "k": _set_k,
    "bm25.k1": _stage_setting("bm25.v1", "k1", "bm25.k1", float),
    "bm25.b": _stage_setting("bm25.v1", "b", "bm25.b", float),
    "bm25.top_k": _stage_setting("bm25.v1", "top_k", "bm25.top_k", int),
    "dense.top_k": _stage_setting("dense.v1", "top_k", "dense.top_k", int),
    "rrf.k": _stage_setting("rrf.v1", "k", "rrf.k", int),
    "rrf.weights": _set_weights,
    "learned.depth": _stage_setting("learned.v1", "depth", "learned.depth", int),
}
