"""Training questions from a language model: changed forms with the prompts of HyPA-RAG A.9, and questions of passages.

Where no model is set up, or a reply is no use, the rules of `judging.gold.generation.wording` write them.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, Field

from legalqa.accounts.models import Organization
from legalqa.common.errors import ApplicationError
from legalqa.llm import gateway
from legalqa.llm.prompts import prompt_load
from legalqa.llm.types import LLMReply, LLMRequest, Message, Role
from retrieval.complexity.types import LabelledText, label_of

PROMPTS = Path(__file__).parent / "prompts"
BY_MODEL = ("vague", "verbose", "concise")
MAX_TOKENS = 400
PASSAGES, PASSAGE_CHARS = 6, 1200  # ours: passages of one document at a time, and characters of each
QUESTIONS = 3  # ours: questions that one call is asked for


class GeneratedQuestion(BaseModel):
    """A question with the numbers of the passages that it needs."""

    question: str = Field(min_length=8, max_length=600)
    passages: list[int]


class GeneratedQuestions(BaseModel):
    """What the model replies."""

    questions: list[GeneratedQuestion]


def has_model(*, organization: Organization) -> bool:
    """Whether the organisation has a model that rewrites."""
    return gateway.role_is_configured(organization=organization, role=Role.REWRITE)


def rewritten(organization: Organization, text: str, change: str) -> str:
    """The vague, verbose or concise form of a question; "" for another, or a reply that is cut, empty or the question.

    For `augmentation.augment`, which has a rule for those.
    """
    if change not in BY_MODEL:
        return ""
    reply = _ask(organization, f"complexity_{change}.v1.md", {"question": text})
    rewrite = " ".join(reply.text.split()).strip('"“” ')
    return rewrite if reply.is_ok and rewrite != text else ""


def questions_generate(
    passages: Sequence[str],
    *,
    organization: Organization,
    n: int,
    seed: int,
    group: str = "",
    note: Callable[[str], None] = lambda _: None,
) -> list[LabelledText]:
    """Ask the model for questions on passages of one text, as many of each class.

    Args:
        passages: In reading order.
        organization: Whose model is asked.
        n: How many questions.
        seed: Of the choice of passages.
        group: Of the questions: the document.
        note: Says how far it is.

    Returns:
        Questions whose passages, by the model's own word, are as many as were asked for; perhaps fewer than `n`.

    Raises:
        ApplicationError: no model is set up, or it gave no usable reply at all.
    """
    if not has_model(organization=organization):
        raise ApplicationError(
            "No language model is set up that could write questions. Set one up under Language models.", code="no_model"
        )
    chance, questions = random.Random(seed), []  # noqa: S311 - draws, guards nothing
    reason = ""
    for call in range(-(-n // QUESTIONS)):
        pieces = call % 3 + 1
        start = chance.randrange(max(1, len(passages) - PASSAGES + 1))
        reply = _questions(organization, passages[start : start + PASSAGES], pieces)
        reason = reply.reason or reason
        if isinstance(reply.parsed, GeneratedQuestions):
            numbers = range(1, len(passages[start : start + PASSAGES]) + 1)
            fitting = [q.question.strip() for q in reply.parsed.questions if _needs(q, pieces, numbers)]
            questions += [LabelledText(text, label_of(pieces, 3), group) for text in fitting]
            questions = list({row.text.casefold(): row for row in questions}.values())  # models repeat themselves
        note(f"{len(questions)} of {n} questions")
    if not questions:
        raise ApplicationError(f"The model wrote no question that fits. {reason}".strip(), code="nothing_generated")
    return questions[:n]


def _needs(question: GeneratedQuestion, pieces: int, numbers: range) -> bool:
    """Whether a question needs as many passages as were asked for, by numbers that it was shown."""
    sources = set(question.passages)
    return sources <= set(numbers) and (len(sources) == pieces or len(sources) > pieces == 3)


def _questions(organization: Organization, passages: Sequence[str], pieces: int) -> LLMReply:
    numbered = "\n\n".join(f"[{at}] {text[:PASSAGE_CHARS]}" for at, text in enumerate(passages, start=1))
    values = {"n": QUESTIONS, "pieces": pieces if pieces < 3 else "three or more", "passages": numbered}
    return _ask(organization, "complexity_questions.v1.md", values, schema=GeneratedQuestions)


def _ask(
    organization: Organization, name: str, values: Mapping[str, object], *, schema: type[BaseModel] | None = None
) -> LLMReply:
    prompt = prompt_load(PROMPTS / name)
    return gateway.complete(
        organization=organization,
        user=None,
        request=LLMRequest(
            role=Role.REWRITE,
            messages=(Message("user", prompt.render(**values)),),
            prompt=prompt.label,
            prompt_hash=prompt.sha256,
            schema=schema,
            temperature=0.7,
            max_tokens=MAX_TOKENS,
        ),
    )
