"""RAGAS's four measures as five figures: faithfulness, answer relevancy, context precision twice, context recall."""

from functools import partial
from typing import Any, Literal, TypeVar

import numpy as np
from pydantic import BaseModel, Field

from judging.judges.asking import ModelSettings, Sitting, Unread, prompt_named
from judging.judges.kinds.base import NO_PASSAGES, NO_REFERENCE, AnswerJudge, Graded, not_applicable
from judging.judges.kinds.binary import passages_text
from judging.judges.scores import parse_object, parse_verdict
from judging.judges.types import JudgedAnswer, JudgedItem, Status
from judging.measures import verdicts
from judging.measures.values import Undefined, Value
from legalqa.encoder.client import encoder

FAITHFULNESS, RELEVANCY, RECALL = "faithfulness", "answer relevancy", "context recall"
PRECISION_RANKING, PRECISION_SHARE = "context precision (ranking)", "context precision (share)"
Flag = Literal[0, 1]
T = TypeVar("T", bound=BaseModel)


class Statements(BaseModel):
    """What an answer states, one statement a string."""

    statements: list[str]


class Verdict(BaseModel):
    """Whether the passages support the statement of that number, counted from 1."""

    number: int
    verdict: Flag


class Verdicts(BaseModel):
    """The verdicts on the statements of an answer."""

    verdicts: list[Verdict]


class QuestionMade(BaseModel):
    """A question made back from an answer, and whether the answer evades it (1)."""

    question: str
    noncommittal: Flag


class Attributed(BaseModel):
    """Whether a sentence of the reference answer can be attributed to the passages."""

    attributed: Flag


class Attributions(BaseModel):
    """The sentences of the reference answer, each classified."""

    classifications: list[Attributed]


class RagasSettings(ModelSettings):
    """What a judge by RAGAS may be set to.

    Attributes:
        questions: Questions that are made back from an answer, 1 to 10.
        encoder: Whose cosines the relevancy is of.
    """

    max_tokens: int = Field(default=2048, ge=16, le=4096)
    questions: int = Field(default=3, ge=1, le=10)
    encoder: Literal["minilm-l6.v1"] = "minilm-l6.v1"


class RagasJudge(AnswerJudge[RagasSettings]):
    """Source: Es et al. 2024, RAGAS, as ragas 0.4.3 has it.

    The arithmetic is that of `judging.measures.verdicts`. Differs: a reply that lacks a verdict has no value, so that a
    judge which leaves out the hard statements does not raise the score; an answer that states nothing, or was made from
    no passage, has no value; the answer is evasive only if every question made from it says so, and a condition ("it
    depends on whether …") is not an evasion; context precision comes as the ranking form and as the plain share.
    """

    kind = "ragas"
    declared = {
        FAITHFULNESS: (0, 1),
        RELEVANCY: (-1, 1),
        PRECISION_RANKING: (0, 1),
        PRECISION_SHARE: (0, 1),
        RECALL: (0, 1),
    }

    def prompts(self) -> tuple[str, ...]:
        return ("statements", "faithfulness", "relevancy", "context_precision", "context_recall")

    def of_answer(self, item: JudgedItem, answer: JudgedAnswer, sitting: Sitting) -> dict[str, Graded]:
        """Calls for statements, verdicts, `questions` questions, each passage, and the reference answer.

        Returns:
            Shares, 0 to 1, and for relevancy the mean of cosines, -1 to 1; a measure does not apply to an item that
            lacks what it compares.
        """
        ranking, share = self._precision(item, answer, sitting)
        return {
            FAITHFULNESS: self._faithfulness(item, answer, sitting),
            RELEVANCY: self._relevancy(item, answer, sitting),
            PRECISION_RANKING: ranking,
            PRECISION_SHARE: share,
            RECALL: self._recall(item, answer, sitting),
        }

    def _faithfulness(self, item: JudgedItem, answer: JudgedAnswer, sitting: Sitting) -> Graded:
        if not answer.passages:
            return not_applicable(NO_PASSAGES)
        claims = _object(sitting, Statements, "statements", question=item.question, answer=answer.text)
        if isinstance(claims, Unread):
            return claims
        statements = [text for text in claims.statements if text.strip()]
        if not statements:
            return not_applicable("The answer states nothing.")
        listed = "\n".join(f"{number}. {text}" for number, text in enumerate(statements, start=1))
        reply = _object(sitting, Verdicts, "faithfulness", passages=passages_text(answer.passages), statements=listed)
        if isinstance(reply, Unread):
            return reply
        by_number = {each.number: bool(each.verdict) for each in reply.verdicts}
        votes = [by_number.get(number) for number in range(1, len(statements) + 1)]
        return _graded(verdicts.faithfulness(votes, n_retrieved=len(answer.passages)))

    def _relevancy(self, item: JudgedItem, answer: JudgedAnswer, sitting: Sitting) -> Graded:
        samples = [
            _object(sitting, QuestionMade, "relevancy", sample=sample, answer=answer.text)
            for sample in range(self.settings.questions)
        ]
        questions = [each for each in samples if not isinstance(each, Unread) and each.question.strip()]
        if not questions:
            lost = [each for each in samples if isinstance(each, Unread)]
            return lost[0] if lost else Unread(Status.UNREADABLE, "Every question made from the answer is empty.")
        vectors = encoder(self.settings.encoder).encode([item.question, *(each.question for each in questions)])
        cosines = np.clip(vectors[1:] @ vectors[0], -1, 1).tolist()  # of equal ones it may be just above 1
        note = f"{len(questions)} of {len(samples)} questions could be made. " if len(questions) < len(samples) else ""
        value = verdicts.answer_relevancy(cosines, [bool(each.noncommittal) for each in questions])
        return _graded(value, f"{note}Compared by {self.settings.encoder}.")

    def _precision(self, item: JudgedItem, answer: JudgedAnswer, sitting: Sitting) -> tuple[Graded, Graded]:
        lacking = NO_PASSAGES if not answer.passages else NO_REFERENCE if not item.reference_answer else ""
        if lacking:
            return not_applicable(lacking), not_applicable(lacking)
        useful: list[bool] = []
        for passage in answer.passages:
            parts: dict[str, Any] = {"question": item.question, "passage": passage, "reference": item.reference_answer}
            reply = sitting.read(parse_verdict, prompt_named("context_precision"), **parts)
            if isinstance(reply, Unread):
                return reply, reply
            useful.append(bool(reply[0].values[0]))
        ranking, share = verdicts.context_precision_ranking(useful), verdicts.context_precision_share(useful)
        return _graded(ranking), _graded(share)

    def _recall(self, item: JudgedItem, answer: JudgedAnswer, sitting: Sitting) -> Graded:
        lacking = NO_PASSAGES if not answer.passages else NO_REFERENCE if not item.reference_answer else ""
        if lacking:
            return not_applicable(lacking)
        values: dict[str, Any] = {
            "question": item.question,
            "passages": passages_text(answer.passages),
            "reference": item.reference_answer,
        }
        reply = _object(sitting, Attributions, "context_recall", **values)
        if isinstance(reply, Unread):
            return reply
        parts = reply.classifications
        if not parts:
            return Unread(Status.UNREADABLE, "No sentence of the reference answer was classified.")
        votes = [bool(part.attributed) for part in parts]
        return _graded(verdicts.context_recall(votes, n_retrieved=len(answer.passages)))


def _object(sitting: Sitting, shape: type[T], prompt: str, *, sample: int = 0, **values: Any) -> T | Unread:
    reply = sitting.read(partial(parse_object, shape=shape), prompt_named(prompt), sample=sample, **values)
    return reply if isinstance(reply, Unread) else reply[0]


def _graded(value: Value, note: str = "") -> Graded:
    """A measure as a grade; the reason of one without a value is that the judge left something out."""
    return Unread(Status.UNREADABLE, value.reason) if isinstance(value, Undefined) else (value, note)
