"""The presets of the product: how to search, and how to answer from the results."""

from collections.abc import Callable, Mapping
from typing import Any, Self

from pydantic import Field, model_validator

from legalqa.answering.modes import AUTO, MODES, QUOTED
from legalqa.common.config import Config
from retrieval.fusion import Fuse
from retrieval.graph.stage import GraphPaths
from retrieval.pipelines.changing import HYBRID, PresetError
from retrieval.pipelines.presets import (
    DEFAULT_PRESET,
    WIDE,
    WITH_QUESTIONS,
    Adaptive,
    Preset,
    Setting,
    number,
    preset_register,
)
from retrieval.rerankers import Beam, Learned
from retrieval.retrievers import Cases, Dense, QuestionMatch
from retrieval.rewriters import Rewrite
from retrieval.stages import Pipeline

ALWAYS_CHECKED = (
    "Setting 'verify' cannot be off where a model must write the answer: what it writes is always checked. Leave "
    "'verify' on, or set 'answer.mode' to quoted."
)
OF_WRITING = ("temperature", "max_claims", "cases.context")  # what is chosen for the model that writes
NEAREST = 24  # ours
MAX_CLAIMS = 40  # ours: a list of a law seldom has more items
_SWITCH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


class AnswerPolicy(Config):
    """How an answer is made from the ranking.

    Attributes:
        gate: Answer only if the evidence is likely to hold the answer.
        verify: Only for strategies that can show statements that their own check does not support (the baseline
            "policy-copilot"); quotes, and what a model writes, are checked in any case.
        max_claims: Statements that a model may write at most, 1 to 50.
        evidence_k: Hits given as evidence, 1 to 200.
        nearest: Paragraphs nearest in meaning that are read beside them, of a large corpus, 0 to 200.
        mode: Quoted from the documents, written by a model, another registered strategy, or written where the
            organisation has a model for it ("auto").
    """

    gate: bool
    verify: bool
    max_claims: int = Field(default=MAX_CLAIMS, ge=1, le=50)
    evidence_k: int = Field(ge=1, le=200)
    nearest: int = Field(default=0, ge=0, le=200, exclude_if=lambda n: n == 0)  # fingerprints without it stay
    mode: str = AUTO


class AnswerPreset(Preset):
    """A search with the policy for answering from it."""

    answer: AnswerPolicy

    def concrete(self, *, pipeline: Pipeline, hits: int) -> Self:
        """The preset with what followed from one question filled in; every hit that is kept is evidence."""
        answer = self.answer.model_copy(update={"evidence_k": hits})
        return super().concrete(pipeline=pipeline, hits=hits).model_copy(update={"answer": answer})

    @classmethod
    def settings(cls) -> dict[str, Setting]:
        """The settings of the search and of the policy: "k" sets both, and does not undo "evidence_k"."""
        own: dict[str, Setting] = {
            "answer.mode": _setting("mode", _mode),
            "gate": _setting("gate", _switch),
            "verify": _set_verify,
            "max_claims": _setting("max_claims", _whole),
            "evidence_k": _setting("evidence_k", _whole),
            "nearest": _setting("nearest", _whole),
        }
        search = super().settings()
        set_k, set_evidence = search["k"], own["evidence_k"]
        own["k"] = lambda data, value: set_k(data, value) and set_evidence(data, value)
        return search | own

    @model_validator(mode="after")
    def _evidence_is_found(self) -> Self:
        if self.hits is not None and self.answer.evidence_k > self.hits:
            raise ValueError(
                f"evidence_k is {self.answer.evidence_k} and the search keeps {self.hits} hits; "
                "raise k or lower evidence_k."
            )
        return self


def policy_of(preset: Preset) -> AnswerPolicy:
    """What a preset says about answering.

    Raises:
        TypeError: it is a search alone, which no preset of the product is.
    """
    if not isinstance(preset, AnswerPreset):
        raise TypeError(f"Preset {preset.name!r} says nothing about answering; register an AnswerPreset.")
    return preset.answer


def choices_check(preset: Preset, chosen: Mapping[str, object]) -> None:
    """Refuse what a person chose where it changes nothing.

    Args:
        preset: The preset, with what was chosen.
        chosen: Settings of it, and what is chosen beside it; None where that was left out.

    Raises:
        PresetError: a choice for a model that writes, of an answer that is quoted; a class, and none is detected.
    """
    given = [name for name, value in chosen.items() if value is not None]
    if policy_of(preset).mode == QUOTED and (idle := [name for name in OF_WRITING if name in given]):
        raise PresetError(
            f"{idle[0]!r} changes nothing where the answer is quoted: no model writes it. Leave it out, or choose a "
            "written answer."
        )
    if "complexity" in given and preset.adaptive is None:
        raise PresetError(
            "'complexity' changes nothing where it is not detected. Leave it out, or have it detected: set "
            "'classifier' to the number of classes."
        )


def _setting(field: str, parse: Callable[[str, str], object]) -> Setting:
    def change(data: dict[str, Any], value: str) -> bool:
        data["answer"][field] = parse(value, field)
        return True

    return change


def _set_verify(data: dict[str, Any], value: str) -> bool:
    data["answer"]["verify"] = _switch(value, "verify")
    if data["answer"]["mode"] == "written" and not data["answer"]["verify"]:
        raise PresetError(ALWAYS_CHECKED)
    return True


def _whole(value: str, key: str) -> int | float:
    return number(value, key, int)


def _mode(value: str, key: str) -> str:
    modes = (AUTO, *MODES)
    if value not in modes:
        raise PresetError(f"Setting 'answer.{key}' is {value!r}; give one of: {', '.join(modes)}.")
    return value


def _switch(value: str, key: str) -> bool:
    if value.strip().lower() not in _SWITCH:
        raise PresetError(f"Setting {key!r} is {value!r}; give on or off.")
    return _SWITCH[value.strip().lower()]


def _fixed(k: int) -> AnswerPreset:
    return AnswerPreset(
        name=f"fixed-{k}",
        title=f"Hybrid, {k} passages",
        description=f"Word search and meaning search fused; answered from the best {k} passages.",
        pipeline=HYBRID % k,
        answer=AnswerPolicy(gate=False, verify=False, evidence_k=k),
    )


def _adaptive(n_classes: int, *, is_reranked: bool) -> AnswerPreset:
    search, words = (WIDE >> Learned(), ", put into order by the trained ranker") if is_reranked else (HYBRID, "")
    return AnswerPreset(
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


def _with_graph(n_classes: int, *, is_reranked: bool) -> AnswerPreset:
    """As the adaptive preset of this many classes, with the knowledge graph behind the cutoff."""
    plain = _adaptive(n_classes, is_reranked=is_reranked)
    return plain.model_copy(
        update={
            "name": plain.name.replace("pa-", "hypa-"),
            "title": plain.title.replace("Adaptive", "Adaptive with graph"),
            "description": plain.description.replace(
                "how many passages are read",
                "the knowledge graph adds statements and passages; how far it is followed, how many passages are read",
            ),
            "pipeline": plain.pipeline >> GraphPaths(),
        }
    )


_ALL = (
    AnswerPreset(
        name="naive",
        title="Naive",
        description="Meaning search only; it always answers from the best passages.",
        pipeline=Dense() % 5,
        answer=AnswerPolicy(gate=False, verify=False, evidence_k=5),
    ),
    *(_fixed(k) for k in (3, 5, 7, 10)),
    *(_adaptive(n, is_reranked=ranked) for ranked in (False, True) for n in (2, 3)),
    *(_with_graph(n, is_reranked=ranked) for ranked in (False, True) for n in (2, 3)),
    AnswerPreset(
        name=DEFAULT_PRESET,
        title="Cited or silent",
        description=(
            "Follow-ups are completed and double questions taken apart by rules; word search and meaning search fused "
            "and put into order by the trained ranker; answers only when the evidence allows, and shows only what the "
            "evidence supports."
        ),
        pipeline=(Rewrite(method="rules") >> WIDE >> Learned()) % 30,
        answer=AnswerPolicy(gate=True, verify=True, evidence_k=30, nearest=NEAREST),
    ),
    AnswerPreset(
        name="casebase",
        title="Solved cases",
        description=(
            "As “Cited or silent”, and the passages that the three most similar solved cases cite are read too; the "
            "cases themselves are shown beside the answer and never cited."
        ),
        pipeline=(Rewrite(method="rules") >> Fuse(branches=(*WIDE.branches, Cases())) >> Learned()) % 30,
        answer=AnswerPolicy(gate=True, verify=True, evidence_k=30, nearest=NEAREST),
    ),
    AnswerPreset(
        name="multi-hop",
        title="Multi-hop",
        description=(
            "As cited or silent, with each passage scored behind those chosen before it: for questions that several "
            "passages answer together."
        ),
        pipeline=(Rewrite(method="rules") >> WIDE >> Beam()) % 30,
        answer=AnswerPolicy(gate=True, verify=True, evidence_k=30, nearest=NEAREST),
    ),
    AnswerPreset(
        name="question-index",
        title="Question index",
        description=(
            "The question is matched to the indexed questions of the corpus, and answered from the passages that they "
            "lead to; build the question index first."
        ),
        pipeline=QuestionMatch() % 5,
        answer=AnswerPolicy(gate=True, verify=True, evidence_k=5),
    ),
    AnswerPreset(
        name=f"{DEFAULT_PRESET}+questions",
        title="Cited or silent, with the question index",
        description="As “Cited or silent”, with the passages of matched indexed questions as one more list.",
        pipeline=(Rewrite(method="rules") >> WITH_QUESTIONS >> Learned()) % 30,
        answer=AnswerPolicy(gate=True, verify=True, evidence_k=30, nearest=NEAREST),
    ),
)


def presets_register() -> None:
    """Make the presets of the product known to every search, page and command; called once, when Django starts."""
    for preset in _ALL:
        preset_register(preset)
