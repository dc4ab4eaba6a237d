"""Questions on a passage from a language model, with a typed reply."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from legalqa.accounts.models import Organization
from legalqa.llm import gateway
from legalqa.llm.prompts import prompt_load
from legalqa.llm.types import LLMReply, Message, Role

PROMPT = prompt_load(Path(__file__).parent / "prompts" / "questions.v1.md")
ROLE = Role.REWRITE  # the role that writes questions elsewhere, too
MAX_QUESTIONS = 5
PASSAGE_CHARS = 3000
MAX_TOKENS = 600
DECISION = "The passage sums up a court's decision on these issues; ask for them: {issues}"


class ModelQuestions(BaseModel):
    """What the model replies."""

    questions: Annotated[list[Annotated[str, Field(min_length=8, max_length=600)]], Field(max_length=MAX_QUESTIONS)]


def has_model(*, organization: Organization) -> bool:
    """Whether the organisation has a model that writes questions."""
    return gateway.role_is_configured(organization=organization, role=ROLE)


def questions_ask(
    *, organization: Organization, passage: str, heading: str = "", issues: tuple[str, ...] = ()
) -> tuple[list[str] | None, LLMReply]:
    """The questions of a model on one passage; None where it gave no reply of that form.

    Call it outside any organisation scope.

    Args:
        issues: What a court decided here; none for a provision.
    """
    task = DECISION.format(issues=" ".join(issues)) if issues else ""
    words = PROMPT.render(task=task, heading=heading or "none", passage=passage[:PASSAGE_CHARS])
    request = PROMPT.request(ROLE, Message("user", words), schema=ModelQuestions, max_tokens=MAX_TOKENS)
    reply = gateway.complete(organization=organization, user=None, request=request)
    if not isinstance(reply.parsed, ModelQuestions):
        return None, reply
    return list(dict.fromkeys(" ".join(text.split()) for text in reply.parsed.questions)), reply
