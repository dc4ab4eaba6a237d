"""The prompts of CBR-RAG (table 3) put to a language model: acts, entities, questions on two cases, and answers.

Differs: replies are typed, and what a model says that a text names must be in it. The sixth prompt is table 4's
baseline without retrieval, which the paper does not print.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, Field

from corpora.services.asking import AWAY, ModelAway
from legalqa.accounts.models import Organization
from legalqa.llm import gateway
from legalqa.llm.prompts import Prompt, prompt_load
from legalqa.llm.types import Message, Role
from retrieval.cases.merging import CaseText, Context

_FOLDER = Path(__file__).parent / "prompts"
ACTS, ENTITIES = prompt_load(_FOLDER / "acts.v1.md"), prompt_load(_FOLDER / "entities.v1.md")
QUESTION_OF_PAIR = prompt_load(_FOLDER / "question_of_pair.v1.md")
ANSWER_OF_SNIPPETS = prompt_load(_FOLDER / "answer_of_snippets.v1.md")
ANSWER_OF_CASES = prompt_load(_FOLDER / "answer_of_cases.v1.md")
ANSWER_ALONE = prompt_load(_FOLDER / "answer_alone.v1.md")
TEXT_CHARS = 6000  # ours: characters of each text that a prompt shows
MAX_TOKENS = 800  # ours: tokens of a reply
# The lengths below are ours: a longer reply is not a reply of its form.
Phrase = Annotated[str, Field(min_length=1, max_length=300)]


class ActsReply(BaseModel):
    acts: Annotated[list[Phrase], Field(max_length=60)]


class EntitiesReply(BaseModel):
    entities: Annotated[list[Phrase], Field(max_length=100)]


class PairReply(BaseModel):
    question: Annotated[str, Field(min_length=8, max_length=1500)]
    answer: Annotated[str, Field(min_length=1, max_length=6000)]


class AnswerReply(BaseModel):
    answer: Annotated[str, Field(min_length=1, max_length=6000)]


R = TypeVar("R", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class CaseModel:
    """The models of an organisation that read and write for its case bases; call it outside any organisation scope.

    Every question returns None where no model gave a reply of the form that is asked for. The names in a text are asked
    for in many cases, so a model that does not answer at all raises ModelAway there.
    """

    organization: Organization

    def is_there(self, role: Role) -> bool:
        return gateway.role_is_configured(organization=self.organization, role=role)

    def acts(self, text: str) -> tuple[str, ...] | None:
        """The legal acts that a text names; what is not in it is left out."""
        reply = self._ask(Role.EXTRACT, ACTS, ActsReply, text=text[:TEXT_CHARS])
        return None if reply is None else _standing(reply.acts, text)

    def entities(self, text: str) -> tuple[str, ...] | None:
        """The named entities and unique identifiers of a text; what is not in it is left out."""
        reply = self._ask(Role.EXTRACT, ENTITIES, EntitiesReply, text=text[:TEXT_CHARS])
        return None if reply is None else _standing(reply.entities, text)

    def question_of_pair(self, first: str, second: str) -> PairReply | None:
        """A question that both texts are needed for, and its answer."""
        of = {"first": first[:TEXT_CHARS], "second": second[:TEXT_CHARS]}
        return self._ask(Role.REWRITE, QUESTION_OF_PAIR, PairReply, **of)

    def answer(self, question: str, cases: Sequence[CaseText], *, context: Context = "support") -> str | None:
        """An answer from solved cases: from their supports, or from the cases as a whole; from nothing without any."""
        if not cases:
            reply = self._ask(Role.ANSWER, ANSWER_ALONE, AnswerReply, question=question)
        elif context == "support":
            texts = "\n—\n".join(case.support[:TEXT_CHARS] for case in cases)
            reply = self._ask(Role.ANSWER, ANSWER_OF_SNIPPETS, AnswerReply, question=question, context=texts)
        else:
            texts = "\n—\n".join(
                f"Question: {case.question}\nCitation: {case.support[:TEXT_CHARS]}\nAnswer: {case.answer}"
                for case in cases
            )
            reply = self._ask(Role.ANSWER, ANSWER_OF_CASES, AnswerReply, question=question, context=texts)
        return None if reply is None else " ".join(reply.answer.split())

    def _ask(self, role: Role, prompt: Prompt, schema: type[R], **values: str) -> R | None:
        said, is_evaluation = Message("user", prompt.render(**values)), role is not Role.EXTRACT
        request = prompt.request(role, said, schema=schema, max_tokens=MAX_TOKENS, is_evaluation=is_evaluation)
        reply = gateway.complete(organization=self.organization, user=None, request=request)
        if role is Role.EXTRACT and reply.outcome in AWAY:
            raise ModelAway(reply.reason)
        return reply.parsed if reply.is_ok and isinstance(reply.parsed, schema) else None


def _standing(phrases: Sequence[str], text: str) -> tuple[str, ...]:
    """The phrases that are in a text, each once, blanks folded."""
    folded = " ".join(text.split()).casefold()
    clean = (" ".join(phrase.split()) for phrase in phrases)
    return tuple(dict.fromkeys(phrase for phrase in clean if phrase and phrase.casefold() in folded))
