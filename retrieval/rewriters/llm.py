"""Rewriting by a language model: the same queries as the rules make, asked of the model of the role "rewrite"."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from legalqa.accounts.models import Organization
from legalqa.llm import gateway
from legalqa.llm.gateway import role_is_configured
from legalqa.llm.prompts import prompt_load
from legalqa.llm.types import Message, Role, call_record
from retrieval.rewriters.base import RewriteRequest, RewritingFailed
from retrieval.types import Queries, Rewritten

PROMPT = prompt_load(Path(__file__).parent / "prompts" / "rewrite.v1.md")
MAX_CHARS = 1000  # ours: no rewrite of a question needs more
MAX_TOKENS = 800
DEADLINE_S = 20.0  # ours: a person waits


class _Typed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ModelRewrite(_Typed):
    text: Annotated[str, Field(min_length=3, max_length=MAX_CHARS)]
    kind: Literal["part", "wording"]
    reason: Annotated[str, Field(max_length=300)] = ""


class RewriteReply(_Typed):
    """What the model must reply with."""

    question: Annotated[str, Field(min_length=3, max_length=MAX_CHARS)]
    reason: Annotated[str, Field(max_length=300)] = ""
    queries: Annotated[list[ModelRewrite], Field(max_length=20)]


class ModelRewriter:
    """The model of the role "rewrite".

    Source: HyPA-RAG 3 and A.6 (Q sub-queries). Differs: resolves follow-ups, marks questions asked at once, and gives
    reasons; the prompt is ours.
    """

    label = "by a language model"
    missing = "No language model is set up for rewriting"

    def is_available(self, *, organization: Organization) -> bool:
        return role_is_configured(organization=organization, role=Role.REWRITE)

    def __call__(self, request: RewriteRequest) -> Queries:
        """What is searched, by the model.

        What was typed is always searched too, so a model that goes astray loses nothing that the question itself finds.

        Returns:
            The question to be answered and at most `request.q` further ways to put it, in the model's order; what was
            typed comes last where the model changed it. Each differs from the others and from the question.

        Raises:
            RewritingFailed: no model, no budget, no answer, or none of the form asked for.
        """
        before = "".join(f"<earlier>{question}</earlier>\n" for question in request.history)
        prompt = PROMPT.request(
            Role.REWRITE,
            Message("system", PROMPT.render(q=request.q)),
            Message("user", f"{before}<question>{request.text}</question>"),
            schema=RewriteReply,
            max_tokens=MAX_TOKENS,
            deadline_s=DEADLINE_S,
        )
        reply = gateway.complete(organization=request.organization, user=request.user, request=prompt)
        call = call_record(prompt, reply)
        if not reply.is_ok or not isinstance(reply.parsed, RewriteReply):
            raise RewritingFailed(reply.reason or "The language model gave no rewrites.", call)
        return replace(queries_of(reply.parsed, original=request.text, q=request.q, model=reply.model), call=call)


def queries_of(reply: RewriteReply, *, original: str, q: int, model: str) -> Queries:
    """The model's reply as queries: each once, what was typed among them, one part alone being no part."""
    question = " ".join(reply.question.split())
    n_parts = sum(query.kind == "part" for query in reply.queries)
    by_words: dict[str, Rewritten] = {}
    for query in reply.queries:
        words = " ".join(query.text.split())
        if words.casefold() != question.casefold():
            is_part = query.kind == "part" and n_parts > 1
            reason = " ".join(query.reason.split()) or ("One of several questions." if is_part else "Other words.")
            by_words.setdefault(words.casefold(), Rewritten(words, "model", reason, is_part=is_part))
    rewrites = list(by_words.values())[:q]
    if question.casefold() != original.casefold():
        rewrites = [*rewrites[: q - 1], Rewritten(original, "asked", "The question as it was typed.")]
    reasons = (" ".join(reply.reason.split()) or f"Put in other words by {model}.",) if question != original else ()
    return Queries(original, question, tuple(rewrites), "llm", reasons)
