"""What goes into the gateway of language models and what comes out; plain values, no Django."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypedDict
from uuid import UUID

from pydantic import BaseModel

OnDelta = Callable[[str], None]
Cancelled = Callable[[], bool]


class Outcome(StrEnum):
    """How a call ended. Only `OK` is a complete answer: nothing else is saved or judged as one."""

    OK = "ok"
    REFUSED = "refused"  # the model declined
    TRUNCATED = "truncated"  # it stopped at its limit, or the stream ended without saying why
    FILTERED = "filtered"  # the provider's content filter
    INVALID = "invalid"  # a reply that is not an answer, or does not fit the schema even after one repair
    OVERFLOW = "overflow"  # too long for the model's context
    QUOTA = "quota"  # a budget of ours, or the provider's account, is used up
    UNAVAILABLE = "unavailable"  # no provider answered: down, slow, wrong key, none configured
    CANCELLED = "cancelled"  # the person who asked cancelled it


class Role(StrEnum):
    """What a model is used for; an organisation chooses which models answer in each role, and in which order."""

    ANSWER = "answer"
    REWRITE = "rewrite"
    EXTRACT = "extract"
    JUDGE = "judge"
    EMBED = "embed"
    MODERATE = "moderate"
    RERANK = "rerank"


# What pages and the API offer; MODERATE is not used.
ROLES_IN_USE = (Role.ANSWER, Role.REWRITE, Role.EXTRACT, Role.EMBED, Role.RERANK, Role.JUDGE)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long to wait for a model, in seconds, and how much evidence to send it; None: as the request says.

    deadline_s: For the whole reply. first_token_s, between_s: Until a stream's first piece, and between two pieces.
    evidence_tokens: At most this many tokens of the blocks; None for as many as its context holds.
    """

    deadline_s: float | None = None
    first_token_s: float | None = None
    between_s: float | None = None
    evidence_tokens: int | None = None


# Ours: a processor without a graphics card reads about 70 tokens a second and writes about 10. Rewriting keeps a search
# waiting; so does reranking, which reads little. Extracting reads about 2,000 tokens and writes up to 1,500, judging
# reads up to 8,000 and writes 512: three minutes each, plus two for a busy processor.
LOCAL_LIMITS: Mapping[Role, Limits] = MappingProxyType(
    {
        Role.ANSWER: Limits(deadline_s=600.0, first_token_s=300.0, between_s=60.0, evidence_tokens=1200),
        Role.REWRITE: Limits(deadline_s=60.0),
        Role.EXTRACT: Limits(deadline_s=300.0),
        Role.JUDGE: Limits(deadline_s=300.0),
    }
)


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. Its content is `text`, then the blocks that fit, then `after`.

    blocks: Pieces of evidence, best first. If the model's context is too small, the last ones are left out.
    """

    role: Literal["system", "user", "assistant"]
    text: str
    blocks: tuple[str, ...] = ()
    after: str = ""

    def content(self, n_blocks: int | None = None) -> str:
        """The turn as it is sent, with the first `n_blocks` blocks (None: all)."""
        blocks = self.blocks if n_blocks is None else self.blocks[:n_blocks]
        return "\n\n".join(part for part in (self.text, *blocks, self.after) if part)


@dataclass(frozen=True, slots=True)
class LLMRequest:
    """One request to a model.

    prompt: `name@version` of the prompt file, and `prompt_hash` its SHA-256 (see `legalqa.llm.prompts`).
    schema: The reply must be one JSON object of this class; None for text.
    deadline_s: Seconds for waiting and all tries at all providers; for models without limits of their own.
    first_token_s, between_s: While streaming, seconds until the first piece and between two; for the same models.
    is_evaluation: Counts towards the cap of evaluations as well.
    subject: What the call is made for, such as "experiment:" and its id, so that its costs add up; "" for nothing.
    model: The only model that may answer, by its name, alone or as `provider/model`; "" for the role's order.
    seed: For sampling, if the provider takes one; `sample` is added to it.
    sample: The number of this sample among several of one request, from 0.
    n_tops: Ask for the log-probabilities of this many likeliest tokens at each place; 0 for none.
    is_scored: Ask how likely each token of the request itself was (`prompt_logprobs`, as vLLM serves it).
    volatile: Strings that differ from run to run (random tags); left out of the hash that finds a recording.
    """

    role: Role
    messages: tuple[Message, ...]
    prompt: str
    prompt_hash: str
    schema: type[BaseModel] | None = None
    temperature: float = 0.0
    max_tokens: int = 1024
    deadline_s: float = 60.0
    first_token_s: float = 20.0
    between_s: float = 10.0
    is_evaluation: bool = False
    subject: str = ""
    model: str = ""
    seed: int | None = None
    sample: int = 0
    n_tops: int = 0
    is_scored: bool = False
    volatile: tuple[str, ...] = ()

    @property
    def n_blocks(self) -> int:
        return sum(len(message.blocks) for message in self.messages)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a call and what they cost, in the currency of the organisation's prices."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)
    is_estimated: bool = False

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost + other.cost,
            self.is_estimated or other.is_estimated,
        )


class Token(NamedTuple):
    """A token of the reply, and the log-probabilities of the likeliest tokens in its place."""

    text: str
    likeliest: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of any request.

    usage: Of all tries together.
    provider, model: Of the model that answered or was asked last; "" if none was asked.
    is_fallback: Another provider than the first one answered.
    call_id: The row of the last try in the ledger; None if no model is set up.
    reason: A sentence of ours for people; never the provider's words.
    milliseconds: From the request to the reply.
    """

    outcome: Outcome
    usage: Usage = field(default_factory=Usage)
    provider: str = ""
    model: str = ""
    is_fallback: bool = False
    call_id: UUID | None = None
    reason: str = ""
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class LLMReply(Reply):
    """The reply to a request for text or an object.

    text: What the model wrote; incomplete unless the outcome is OK.
    parsed: The object of the request's schema, if the outcome is OK.
    blocks_dropped: How many of the last blocks did not fit.
    tops: The tokens written with their likeliest alternatives; () if none were requested or sent.
    scored: The tokens of the request with their log-probabilities, as `tops`.
    """

    text: str = ""
    parsed: BaseModel | None = None
    blocks_dropped: int = 0
    tops: tuple[Token, ...] = ()
    scored: tuple[tuple[str, float], ...] = ()

    @property
    def is_ok(self) -> bool:
        return self.outcome is Outcome.OK


class CallRecord(TypedDict, total=False):
    """A request and its outcome, without their text, as it is stored with whatever was made from the reply.

    `outcome` is an Outcome; `cost` is in the currency of the organisation's prices. Reranking has no prompt.
    """

    outcome: str
    reason: str
    provider: str
    model: str
    is_fallback: bool
    prompt: str
    prompt_hash: str
    temperature: float
    input_tokens: int
    output_tokens: int
    cost: str
    is_estimated: bool
    milliseconds: float
    call_id: str


def reply_record(reply: Reply) -> CallRecord:
    """The record of a call without a prompt."""
    return CallRecord(
        outcome=reply.outcome.value,
        reason=reply.reason,
        provider=reply.provider,
        model=reply.model,
        is_fallback=reply.is_fallback,
        input_tokens=reply.usage.input_tokens,
        output_tokens=reply.usage.output_tokens,
        cost=str(reply.usage.cost),
        is_estimated=reply.usage.is_estimated,
        milliseconds=round(reply.milliseconds, 1),
        call_id=str(reply.call_id or ""),
    )


def call_record(request: LLMRequest, reply: LLMReply) -> CallRecord:
    record = CallRecord(prompt=request.prompt, prompt_hash=request.prompt_hash, temperature=request.temperature)
    return record | reply_record(reply)


@dataclass(frozen=True, slots=True)
class NumbersReply(Reply):
    """The reply to embedding or reranking: one vector or one score for each text, if the outcome is OK."""

    vectors: tuple[tuple[float, ...], ...] = ()
    scores: tuple[float, ...] = ()


Json = dict[str, Any]
