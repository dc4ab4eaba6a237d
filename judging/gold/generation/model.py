"""A gold question from a language model: one prompt a type, on passages of one document."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from judging.gold.taxonomy import OWN, Kind
from legalqa.accounts.models import Organization
from legalqa.llm import gateway
from legalqa.llm.prompts import prompt_load
from legalqa.llm.types import LLMReply, LLMRequest, Message, Role
from retrieval.questions.templates import MAX_ANSWER, Stretch, Written

PROMPTS = Path(__file__).parent / "prompts"
ROLE = Role.REWRITE  # the role that writes questions elsewhere, too
BY_RULE_ONLY = frozenset(["out of scope", "perturbed", "hostile"])  # known by how they are made, not by a model's word
PASSAGE_CHARS = 1200
MAX_TOKENS = 700


class ModelQuestion(BaseModel):
    """What the model replies."""

    question: Annotated[str, Field(min_length=8, max_length=900)]
    answer: Annotated[str, Field(min_length=1, max_length=4000)]
    passages: list[int]
    history: Annotated[list[str], Field(max_length=4)] = []


def has_model(*, organization: Organization) -> bool:
    """Whether the organisation has a model that writes questions."""
    return gateway.role_is_configured(organization=organization, role=ROLE)


def question_ask(
    *, organization: Organization, kind: Kind, passages: Sequence[Stretch]
) -> tuple[Written | None, LLMReply]:
    """One question of a type; None where the reply is not one, or names passages that it was not shown.

    Counted against the cap of evaluations. Call it outside any organisation scope.
    """
    prompt = prompt_load(PROMPTS / f"gold_{_slug(kind)}.v1.md")
    numbered = "\n\n".join(f"[{at}] {p.text[:PASSAGE_CHARS]}" for at, p in enumerate(passages, start=1))
    own: dict[str, object] = {"name": kind.name, "tests": kind.tests} if kind.family == OWN else {}
    reply = gateway.complete(
        organization=organization,
        user=None,
        request=LLMRequest(
            role=ROLE,
            messages=(Message("user", prompt.render(passages=numbered, **own)),),
            prompt=prompt.label,
            prompt_hash=prompt.sha256,
            schema=ModelQuestion,
            temperature=0.7,
            max_tokens=MAX_TOKENS,
            is_evaluation=True,
        ),
    )
    draft = reply.parsed
    if not isinstance(draft, ModelQuestion):
        return None, reply
    numbers = sorted(set(draft.passages))
    if not numbers or not set(numbers) <= set(range(1, len(passages) + 1)):
        return None, reply
    if kind.name == "conversational" and not draft.history:
        return None, reply
    references = tuple((passages[at - 1].id, 0, len(passages[at - 1].text)) for at in numbers)
    text, answer = (" ".join(words.split()) for words in (draft.question, draft.answer))
    history = tuple(draft.history) if kind.name == "conversational" else ()
    return Written(kind.name, text, answer[:MAX_ANSWER], references, history=history), reply


def _slug(kind: Kind) -> str:
    return "own" if kind.family == OWN else kind.name.replace(" ", "_").replace("-", "_")
