"""The calls of a model for one item: their results, and one more try if a reply cannot be read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import TypeVar

from pydantic import Field

from judging.judges.scores import REASON_CHARS, Unreadable
from judging.judges.types import JudgedItem, Judgment, Status
from legalqa.common.config import Config
from legalqa.llm.prompts import Prompt, prompt_load
from legalqa.llm.types import LLMReply, LLMRequest, Message, Outcome, Role

PROMPTS = Path(__file__).parent / "prompts"
RULE = "\n\n---\n\n"  # between what the system says and what the user does
SAMPLES_A_REPEAT = 100  # a repeat of a judgment draws other samples than the first
_REFUSED = frozenset({Outcome.REFUSED, Outcome.FILTERED})
_NO_FORM = frozenset({Outcome.INVALID, Outcome.TRUNCATED})

T = TypeVar("T")
Ask = Callable[[LLMRequest], LLMReply]


class Law(StrEnum):
    """What a judge is shown of the law beside the item: nothing, what a search gives, or what has no bearing."""

    NONE = ""
    RETRIEVED = "law"
    UNRELATED = "unrelated"
    QUESTIONS = "question-index"  # the evidence that the preset of that name gives


class ModelSettings(Config):
    """The settings of every judge that asks a model.

    Attributes:
        model: The one that judges; "" for the first that is set up for judging.
        temperature: Of the draw of tokens, 0 to 2: 0 for the likeliest ones, larger for replies that vary more.
        max_tokens: Tokens of a reply at most, 16 to 4,096; one that is cut off cannot be read.
        seed: For providers that take one, 0 to 2**31; each sample adds its number.
        law: What is shown of the law.
        law_k: Passages of law that are shown at most, 1 to 10.
    """

    model: str = Field(default="", max_length=161)
    temperature: float = Field(default=0.0, ge=0, le=2)
    max_tokens: int = Field(default=512, ge=16, le=4096)
    seed: int = Field(default=1, ge=0, le=2**31)
    law: Law = Law.NONE
    law_k: int = Field(default=1, ge=1, le=10)


@dataclass(frozen=True, slots=True)
class LawShown:
    """Law as it is shown to a judge: the jurisdiction, the texts, and the paragraphs' keys."""

    jurisdiction: str
    texts: tuple[str, ...]
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bench:
    """What a judge works with.

    Attributes:
        ask: Asks the model; never raises because of a provider.
        law: The passages for an item; None where the judge is shown none.
        model: The name of the model that is asked; "" where none is set up.
        repeat: Which repeat of the same judgment this is, from 0.
        subject: What the calls are made for (`LLMRequest.subject`).
    """

    ask: Ask
    law: Callable[[JudgedItem], LawShown] | None = None
    model: str = ""
    repeat: int = 0
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Unread:
    """Why there is no value."""

    status: Status
    reason: str


def prompt_named(name: str) -> Prompt:
    return prompt_load(PROMPTS / f"{name}.v1.md")


class Sitting:
    """The calls for one item, each with the law that goes with it."""

    def __init__(self, bench: Bench, settings: ModelSettings, item: JudgedItem) -> None:
        self._bench, self._settings = bench, settings
        self._started, self._item = monotonic(), item
        self._shown: LawShown | None = None
        self._n_calls, self._n_tokens, self._cost = 0, 0, Decimal(0)

    def say(
        self, prompt: Prompt, *, sample: int = 0, n_tops: int = 0, after: Sequence[Message] = (), **values: str
    ) -> LLMReply:
        """Ask once; `after` are turns that follow the prompt."""
        system, mark, _ = prompt.text.partition(RULE)  # no slot is before it
        text = prompt.render(**values)[len(system + mark) if mark else 0 :] + self._law()
        turns = [Message("system", system), Message("user", text)] if mark else [Message("user", text)]
        settings, bench = self._settings, self._bench
        reply = bench.ask(
            LLMRequest(
                role=Role.JUDGE,
                messages=(*turns, *after),
                prompt=prompt.label,
                prompt_hash=prompt.sha256,
                temperature=settings.temperature,
                max_tokens=settings.max_tokens,
                is_evaluation=True,
                subject=bench.subject,
                model=bench.model,
                seed=settings.seed,
                sample=bench.repeat * SAMPLES_A_REPEAT + sample,
                n_tops=n_tops,
            )
        )
        self._n_calls += 1
        self._n_tokens += reply.usage.input_tokens + reply.usage.output_tokens
        self._cost += reply.usage.cost
        return reply

    def read(
        self, parse: Callable[[str], T], prompt: Prompt, *, sample: int = 0, n_tops: int = 0, **values: str
    ) -> tuple[T, LLMReply] | Unread:
        """What a reply says, with the reply; where it cannot be read the model is asked once more and told why."""
        after: tuple[Message, ...] = ()
        for is_last in (False, True):
            reply = self.say(prompt, sample=sample, n_tops=n_tops, after=after, **values)
            outcome = _read(parse, reply)
            if not isinstance(outcome, Unread):
                return outcome, reply
            if is_last or outcome.status is not Status.UNREADABLE:
                return outcome
            remark = (
                f"That reply cannot be read: {outcome.reason}. Reply again, in exactly the form that was asked for."
            )
            after = (Message("assistant", reply.text[:4000] or "(nothing)"), Message("user", remark))
        raise AssertionError

    def close(self, judgments: Sequence[Judgment]) -> list[Judgment]:
        """The judgments with the law, the model, its warning, and on the first one what all the calls came to."""
        ids = self._shown.ids if self._shown else ()
        whole = [
            replace(
                each,
                law=ids,
                model=self._bench.model,
                warning=warning_of(self._bench.model, self._item, each.answer),
                reason=each.reason[:REASON_CHARS],
            )
            for each in judgments
        ]
        seconds = monotonic() - self._started
        first = replace(whole[0], n_calls=self._n_calls, n_tokens=self._n_tokens, cost=self._cost, seconds=seconds)
        return [first, *whole[1:]]

    def _law(self) -> str:
        """The law that follows every prompt, searched once."""
        if self._bench.law is None:
            return ""
        self._shown = self._shown or self._bench.law(self._item)
        documents = "\n\n".join(self._shown.texts) or "(nothing was found)"
        return "\n\n" + prompt_named("law").render(jurisdiction=self._shown.jurisdiction, documents=documents)


def warning_of(model: str, item: JudgedItem, answer: int) -> str:
    """Why a judgment by that model may flatter the answer; "" where nothing speaks for it.

    Source: Panickssery et al. 2024, LLM evaluators recognize and favor their own generations.
    """
    if is_same_model(model, item.answers[answer].model):
        return f"{model} judges an answer that it wrote itself."
    return f"{model} judges by a gold set that it wrote itself." if is_same_model(model, item.gold_model) else ""


def is_same_model(model: str, other: str) -> bool:
    """Whether two names mean the same model; either may begin with the provider: "openai/gpt-4o"."""
    return bool(_names(model) & _names(other))


def _names(model: str) -> set[str]:
    whole = model.casefold()
    return {whole, whole.partition("/")[2]} - {""}


def _read(parse: Callable[[str], T], reply: LLMReply) -> T | Unread:
    if reply.outcome in _REFUSED:
        return Unread(Status.REFUSED, reply.reason)
    if reply.outcome in _NO_FORM:
        return Unread(Status.UNREADABLE, "it is empty or cut off")
    if not reply.is_ok:
        return Unread(Status.FAILED, reply.reason)
    try:
        return parse(reply.text)
    except Unreadable as error:
        return Unread(error.status, str(error))
