"""Requests to a language model while documents are split: where a chunk ends, and its subject in one line.

Each reply is stored by the hash of its request, so that a rebuilt index asks nothing twice. An unusable reply is
stored as none; where no model answers, the job waits.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp
from pathlib import Path
from uuid import UUID

from pydantic import BaseModel, Field

from corpora.chunkers import Decide
from corpora.configs import MODEL_KINDS
from corpora.models import ChunkAdvice
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import connection_give_back, organization_scope
from legalqa.common.errors import ApplicationError, ResourceDown
from legalqa.llm import gateway
from legalqa.llm.prompts import Prompt, prompt_load
from legalqa.llm.types import LLMReply, LLMRequest, Message, Outcome, Role

PROMPTS = Path(__file__).parent / "prompts"
ROLE = Role.REWRITE  # the role of short, cheap replies
AWAY = (Outcome.UNAVAILABLE, Outcome.QUOTA, Outcome.CANCELLED)
N_TOPS = 20  # the most that providers give
SUMMARY_CHARS = 200
MAX_SURPRISE = 50.0  # nats a token: a larger value adds nothing, and its exp could overflow
Parse = Callable[[LLMReply], "float | str | None"]


class ModelAway(ResourceDown):
    """No language model answers, or its budget is used up: the work waits."""


class First(BaseModel):
    """The number of the first paragraph with other content; 0 for none."""

    first: int = Field(ge=0)


class Line(BaseModel):
    """What a passage is about."""

    line: str = Field(min_length=1, max_length=500)


def model_check(*, organization: Organization, kind: str, context: str) -> None:
    """Refuse settings that need a language model if none is set up.

    Raises:
        ApplicationError: so it is.
    """
    needs = kind in MODEL_KINDS or context == "summary"
    if needs and not gateway.role_is_configured(organization=organization, role=ROLE):
        raise ApplicationError(
            "This way to split documents asks a language model, and none is set up to rewrite. Add one under Language "
            "models, or choose another way.",
            code="no_model",
        )


def decider_make(*, organization_id: UUID, corpus_id: UUID, kind: str) -> Decide | None:
    """Who decides where chunks of that kind of chunker end; None where no model is asked. Opens short transactions."""
    if kind not in MODEL_KINDS:
        return None

    def decide(groups: Sequence[tuple[str, ...]]) -> list[float | None]:
        asker = {"margin.v1": _margin, "lumber.v1": _first, "perplexity.v1": _perplexity}[kind]
        values = [_advice(organization_id, corpus_id, *asker(group)) for group in groups]
        return [value if isinstance(value, float) else None for value in values]

    return decide


def summary_line(*, organization_id: UUID, corpus_id: UUID, context: str, text: str) -> str:
    """One line on what a chunk is about, by a model; "" where its reply could not be used."""
    prompt = prompt_load(PROMPTS / "chunk_summary.v1.md")
    request = _request(prompt, prompt.render(context=context, text=text), schema=Line)
    line = _advice(organization_id, corpus_id, request, _line_of)
    return line if isinstance(line, str) else ""


def _margin(group: tuple[str, ...]) -> tuple[LLMRequest, Parse]:
    before, after = group
    prompt = prompt_load(PROMPTS / "chunk_margin.v1.md")
    request = _request(prompt, prompt.render(before=before, after=after), max_tokens=4, n_tops=N_TOPS)
    return request, lambda reply: margin_of(reply=reply)


def margin_of(*, reply: LLMReply) -> float | None:
    """P(yes) - P(no) of the reply's first token where the provider tells; else 1 for yes and -1 for no."""
    if reply.tops:
        odds = {"yes": 0.0, "no": 0.0}
        for text, chance in reply.tops[0].likeliest:
            word = text.strip(" \"'.*\n").lower()
            if word in odds:
                odds[word] += exp(chance)
        if any(odds.values()):
            return odds["yes"] - odds["no"]
    word = reply.text.strip(" \"'.*\n").lower()
    return {"yes": 1.0, "no": -1.0}.get(word)


def _perplexity(group: tuple[str, ...]) -> tuple[LLMRequest, Parse]:
    before, sentence = group
    prompt = prompt_load(PROMPTS / "chunk_perplexity.v1.md")
    request = _request(prompt, prompt.render(before=before, sentence=sentence), max_tokens=1)
    return replace(request, is_scored=True), lambda reply: perplexity_of(reply=reply, sentence=sentence)


def perplexity_of(*, reply: LLMReply, sentence: str) -> float | None:
    """exp of the mean negative log-probability of the sentence's tokens; None where the provider did not score them.

    The sentence is the last time that its words are in the request; a token that only reaches into it counts.
    """
    reply_text = "".join(text for text, _ in reply.scored)
    start = reply_text.rfind(sentence)
    if start < 0 or not sentence:
        return None
    end, place, odds = start + len(sentence), 0, []
    for text, chance in reply.scored:
        if place < end and place + len(text) > start:
            odds.append(chance)
        place += len(text)
    return exp(min(-sum(odds) / len(odds), MAX_SURPRISE))


def _first(group: tuple[str, ...]) -> tuple[LLMRequest, Parse]:
    prompt = prompt_load(PROMPTS / "chunk_lumber.v1.md")
    numbered = "\n\n".join(f"[{number}] {text}" for number, text in enumerate(group))
    return _request(prompt, prompt.render(paragraphs=numbered), schema=First), _first_of


def _first_of(reply: LLMReply) -> float | None:
    return float(reply.parsed.first) if isinstance(reply.parsed, First) else None


def _line_of(reply: LLMReply) -> str | None:
    return " ".join(reply.parsed.line.split())[:SUMMARY_CHARS] if isinstance(reply.parsed, Line) else None


def _request(
    prompt: Prompt, text: str, *, schema: type[BaseModel] | None = None, max_tokens: int = 120, n_tops: int = 0
) -> LLMRequest:
    return LLMRequest(
        role=ROLE, messages=(Message("user", text),), prompt=prompt.label, prompt_hash=prompt.sha256, schema=schema,
        max_tokens=max_tokens, n_tops=n_tops,
    )  # fmt: skip


def _advice(organization_id: UUID, corpus_id: UUID, request: LLMRequest, parse: Parse) -> float | str | None:
    """The stored reply to a request, or the model's, which is stored at once.

    Raises:
        ModelAway: nobody answers now.
    """
    request_text = "\0".join((request.prompt_hash, *(message.text for message in request.messages)))
    key = hashlib.sha256(request_text.encode()).hexdigest()
    with organization_scope(organization_id, user=None):
        advice = ChunkAdvice.objects.filter(corpus=corpus_id, key=key).first()
        organization = Organization.objects.get(pk=organization_id)
    if advice is not None:
        stored: float | str | None = advice.value
        return stored
    connection_give_back()
    reply = gateway.complete(organization=organization, user=None, request=request)
    if reply.outcome in AWAY:
        raise ModelAway(reply.reason)
    value = parse(reply) if reply.is_ok else None
    with organization_scope(organization_id, user=None):
        of = {"organization_id": organization_id, "corpus_id": corpus_id, "key": key}
        ChunkAdvice.objects.get_or_create(**of, defaults={"value": value})
    return value
