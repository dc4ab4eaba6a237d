"""Judges that say 1 or 0: a binary comparator of correctness, and the four of PathLex."""

from dataclasses import dataclass
from typing import Any

from pydantic import Field, field_validator

from judging.judges.asking import ModelSettings, Sitting, Unread, prompt_named
from judging.judges.kinds.base import NO_PASSAGES, NO_REFERENCE, AnswerJudge, Graded, not_applicable
from judging.judges.scores import parse_verdict
from judging.judges.types import JudgedAnswer, JudgedItem


@dataclass(frozen=True, slots=True)
class Criterion:
    """A yes-or-no criterion for an answer, and which parts of the item its prompt shows."""

    measure: str
    prompt: str
    parts: tuple[str, ...]


CRITERIA = {
    each.prompt: each
    for each in (
        Criterion("correct", "correct", ("question", "reference", "answer")),
        Criterion("no hallucination", "hallucination", ("passages", "answer")),
        Criterion("accuracy", "accuracy", ("question", "reference", "answer")),
        Criterion("helpfulness", "helpfulness", ("question", "answer")),
        Criterion("document relevance", "relevance", ("question", "passages")),
    )
}
PATHLEX = ("hallucination", "accuracy", "helpfulness", "relevance")


class BinarySettings(ModelSettings):
    """What a binary judge may be set to.

    Attributes:
        criteria: Names of prompts in CRITERIA.
    """

    max_tokens: int = Field(default=256, ge=16, le=4096)
    criteria: tuple[str, ...] = Field(default=("correct",), min_length=1)

    @field_validator("criteria")
    @classmethod
    def _criteria_exist(cls, criteria: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := [name for name in criteria if name not in CRITERIA]:
            raise ValueError(f"No criterion is called {unknown[0]!r}; choose of: {', '.join(CRITERIA)}.")
        return criteria


class BinaryJudge(AnswerJudge[BinarySettings]):
    """One call for each criterion; 1 is always the good end.

    Source: PathLex 8.2 (hallucination, accuracy, helpfulness, relevance, each 0 or 1), whose wording is not printed;
    Giskard's binary correctness as the comparator of HyPA-RAG A.8.
    """

    kind = "binary"
    declared = {criterion.measure: (0, 1) for criterion in CRITERIA.values()}

    def prompts(self) -> tuple[str, ...]:
        return self.settings.criteria

    def scales(self) -> dict[str, tuple[float, float]]:
        return {CRITERIA[name].measure: (0, 1) for name in self.settings.criteria}

    def of_answer(self, item: JudgedItem, answer: JudgedAnswer, sitting: Sitting) -> dict[str, Graded]:
        """One call for each criterion.

        Returns:
            1 or 0 for each measure, 1 at the good end; a criterion does not apply to an item that lacks what it shows.
        """
        return {
            CRITERIA[name].measure: binary_grade(CRITERIA[name], item, answer, sitting)
            for name in self.settings.criteria
        }


def binary_grade(criterion: Criterion, item: JudgedItem, answer: JudgedAnswer, sitting: Sitting) -> Graded:
    """1 or 0 of an answer by one criterion; not applicable where the item lacks a part that the prompt shows."""
    parts = {
        "question": item.question,
        "reference": item.reference_answer,
        "answer": answer.text,
        "passages": passages_text(answer.passages),
    }
    lacking = {"reference": NO_REFERENCE, "passages": NO_PASSAGES}
    for part in criterion.parts:
        if not parts[part] and part in lacking:
            return not_applicable(lacking[part])
    prompt_parts: dict[str, Any] = {part: parts[part] for part in criterion.parts}
    reply = sitting.read(parse_verdict, prompt_named(criterion.prompt), **prompt_parts)
    return reply if isinstance(reply, Unread) else (reply[0].values[0], reply[0].reason)


def passages_text(passages: tuple[str, ...]) -> str:
    """Passages as a prompt shows them, numbered from 1."""
    return "\n\n".join(f"[{number}] {text}" for number, text in enumerate(passages, start=1))
