"""Named ways to search and answer that people pick from, and single settings changed on top of them."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Self, get_args

from pydantic import Field, ValidationError, model_validator

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
ALWAYS_CHECKED = (
    "Setting 'verify' cannot be off where a model must write the answer: what it writes is always checked. Leave "
    "'verify' on, or set 'answer.mode' to quoted."
)


class PresetError(ApplicationError, ValueError):
    """A preset or a setting of it that does not exist or does not fit."""

    def __init__(self, message: str) -> None:
        super().__init__(message, code="unknown_setting")


class AnswerPolicy(Config):
    """What becomes of the ranking.

    gate: answer only if the evidence is likely to hold the answer. verify: of quotes, show only those that the
    evidence supports; what a model writes is checked in any case. evidence_k: hits given to the model. mode: quoted
    from the documents, written by a model, or written where the organisation has a model for it ("auto").
    """

    gate: bool
    verify: bool
    max_claims: int = Field(default=8, ge=1, le=50)
    evidence_k: int = Field(ge=1, le=200)
    mode: Literal["auto", "quoted", "written"] = "auto"


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
    """A pipeline with the policy for answering from it, under a name people can choose.

    With `adaptive`, the pipeline is what is filled in for each question (`retrieval.pipelines.adaptive.preset_adapt`).
    """

    name: str
    title: str
    description: str
    pipeline: Pipeline
    answer: AnswerPolicy
    adaptive: Adaptive | None = None

    @property
    def rewriter(self) -> Rewrite | None:
        """The stage that rewrites questions, where the pipeline has one."""
        first = self.pipeline.stages[0]
        return first if isinstance(first, Rewrite) else None

    def fingerprint(self) -> str:
        """Return the SHA-256 of what changes an answer: pipeline and policy, not the wording."""
        told = {"pipeline", "answer"} | ({"adaptive"} if self.adaptive else set())
        return fingerprint_of(self.model_dump(mode="json", include=told))

    @model_validator(mode="after")
    def _evidence_is_found(self) -> Self:
        last = self.pipeline.stages[-1]
        kept = last.k if isinstance(last, Cutoff) else max(last.k) if isinstance(last, BandedCutoff) else None
        if kept is not None and self.answer.evidence_k > kept:
            raise ValueError(
                f"evidence_k is {self.answer.evidence_k} and the search keeps {kept} hits; raise k or lower evidence_k."
            )
        return self


HYBRID = Fuse(branches=(Bm25(), Dense()))
WIDE = Fuse(branches=(Bm25(), Bm25Title(), Bm25Near(), Dense()))


def _fixed(k: int) -> Preset:
    return Preset(
        name=f"fixed-{k}",
        title=f"Hybrid, {k} passages",
        description=f"Word search and meaning search fused; answered from the best {k} passages.",
        pipeline=HYBRID % k,
        answer=AnswerPolicy(gate=False, verify=False, evidence_k=k),
    )


def _adaptive(n_classes: int, *, is_reranked: bool) -> Preset:
    search, words = (WIDE >> Learned(), ", put in order by the learned ranker") if is_reranked else (HYBRID, "")
    return Preset(
        name=f"pa-{n_classes}{'+rerank' if is_reranked else ''}",
        title=f"Adaptive, {n_classes} classes{', ranked' if is_reranked else ''}",
        description=(
            f"Word search and meaning search fused{words}; how many passages are read and how the question is "
            "rewritten follow from how complex it is."
        ),
        pipeline=search % 10,
        answer=AnswerPolicy(gate=True, verify=True, evidence_k=10),
        adaptive=Adaptive(n_classes=n_classes, reranker=True if is_reranked else None),
    )


_ALL = (
    Preset(
        name="naive",
        title="Naive",
        description="Meaning search only; it always answers from the best passages, and its quotes are not checked.",
        pipeline=Dense() % 5,
        answer=AnswerPolicy(gate=False, verify=False, evidence_k=5),
    ),
    *(_fixed(k) for k in (3, 5, 7, 10)),
    *(_adaptive(n, is_reranked=ranked) for ranked in (False, True) for n in (2, 3)),
    Preset(
        name=DEFAULT_PRESET,
        title="Cited or silent",
        description=(
            "Follow-ups are completed and double questions taken apart by rules; word search and meaning search fused "
            "and put in order by the learned ranker; answers only when the evidence allows, and shows only what the "
            "evidence supports."
        ),
        pipeline=(Rewrite(method="rules") >> WIDE >> Learned()) % 10,
        answer=AnswerPolicy(gate=True, verify=True, evidence_k=10),
    ),
)

PRESETS: dict[str, Preset] = {preset.name: preset for preset in _ALL}


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
    data = PRESETS[name].model_dump()
    # In this order whatever the one on the command line: what changes the stages first, and "k" cannot undo evidence_k.
    for key, value in sorted((overrides or {}).items(), key=lambda item: _ORDER.get(item[0], 5)):
        if key not in _SETTINGS:
            raise PresetError(f"No setting is called {key!r}; choose one of: {', '.join(sorted(_SETTINGS))}.")
        if not _SETTINGS[key](data, value):
            raise PresetError(f"Preset {name!r} has no {key.partition('.')[0]} stage; leave {key!r} out.")
    if data["answer"]["mode"] == "written" and "verify" in (overrides or {}) and not data["answer"]["verify"]:
        raise PresetError(ALWAYS_CHECKED)
    try:
        return Preset.model_validate(data)
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
_ORDER = {"classifier": 0, "reranker": 1, "rewriter": 2, "rewrites": 3, "evidence_k": 9}


def _set_classifier(data: dict[str, Any], value: str) -> bool:
    if value == "off":
        data["adaptive"] = None
        return True
    held = data["adaptive"] or {}
    data["adaptive"] = {**held, "n_classes": _number(value, "classifier", int)}
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
    q = _number(value, "rewrites", int)
    if data["adaptive"]:
        data["adaptive"]["rewrites"] = q
        return True
    return _change_stages(data["pipeline"], "rewrite.v1", "q", q)


def _set_k(data: dict[str, Any], value: str) -> bool:
    k = _number(value, "k", int)
    data["answer"]["evidence_k"] = k
    if data["adaptive"]:
        data["adaptive"]["k"] = k
    return _change_stages(data["pipeline"], "cutoff.v1", "k", k)


def _set_weights(data: dict[str, Any], value: str) -> bool:
    weights = tuple(_number(part, "rrf.weights", float) for part in value.split(","))
    return _change_stages(data["pipeline"], "rrf.v1", "weights", weights)


def _stage_setting(kind: str, field: str, key: str, read: type[int] | type[float]) -> Setting:
    return lambda data, value: _change_stages(data["pipeline"], kind, field, _number(value, key, read))


def _answer_setting(field: str, read: Callable[[str, str], object]) -> Setting:
    def change(data: dict[str, Any], value: str) -> bool:
        data["answer"][field] = read(value, field)
        return True

    return change


def _change_stages(stage: dict[str, Any], kind: str, field: str, value: object) -> bool:
    """Set a field of every stage of that kind, in branches too; say whether there was one."""
    inner = (*stage.get("stages", ()), *stage.get("branches", ()))
    found = [_change_stages(part, kind, field, value) for part in inner]
    if stage["kind"] == kind:
        stage[field] = value
        return True
    return any(found)


def _number(value: str, key: str, read: type[int] | type[float]) -> int | float:
    try:
        return read(value)
    except ValueError:
        kind = "a whole number" if read is int else "a number"
        raise PresetError(f"Setting {key!r} is {value!r}; give {kind}.") from None


def _integer(value: str, key: str) -> int | float:
    return _number(value, key, int)


def _mode(value: str, key: str) -> str:
    known = get_args(AnswerPolicy.model_fields["mode"].annotation)
    if value not in known:
        raise PresetError(f"Setting 'answer.{key}' is {value!r}; give one of: {', '.join(known)}.")
    return value


def _truth(value: str, key: str) -> bool:
    known = {
        "true": True,
        "yes": True,
        "on": True,
        "1": True,
        "false": False,
        "no": False,
        "off": False,
        "0": False,
    }
    if value.strip().lower() not in known:
        raise PresetError(f"Setting {key!r} is {value!r}; give on or off.")
    return known[value.strip().lower()]


_SETTINGS: dict[str, Setting] = {
    "k": _set_k,
    "classifier": _set_classifier,
    "reranker": _set_reranker,
    "rewriter": _set_rewriter,
    "rewrites": _set_rewrites,
    "bm25.k1": _stage_setting("bm25.v1", "k1", "bm25.k1", float),
    "bm25.b": _stage_setting("bm25.v1", "b", "bm25.b", float),
    "bm25.top_k": _stage_setting("bm25.v1", "top_k", "bm25.top_k", int),
    "dense.top_k": _stage_setting("dense.v1", "top_k", "dense.top_k", int),
    "rrf.k": _stage_setting("rrf.v1", "k", "rrf.k", int),
    "rrf.weights": _set_weights,
    "learned.depth": _stage_setting("learned.v1", "depth", "learned.depth", int),
    "answer.mode": _answer_setting("mode", _mode),
    "gate": _answer_setting("gate", _truth),
    "verify": _answer_setting("verify", _truth),
    "max_claims": _answer_setting("max_claims", _integer),
    "evidence_k": _answer_setting("evidence_k", _integer),
}

SETTING_NAMES = tuple(sorted(_SETTINGS))
