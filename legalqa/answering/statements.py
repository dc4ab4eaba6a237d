"""Answers in a model's own words: the request to it, and which of its statements may be shown.

The model is given passages and gives back statements, each with the ids of its passages and a verbatim quote from each.
Nothing it says is believed: ids, quotes and statements are checked by code, and what fails is withheld with the reason.

Source: Policy Copilot, generation (one-shot prompt, JSON with citations apart) and verification (pruning); security
study 5.3 (opaque tags, the verbatim gate).
"""

import secrets
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from legalqa.answering.composing.kinds import Kind, kind_of
from legalqa.answering.types import GivenCases, GraphStatement, Place, Question
from legalqa.answering.types import Statement as StatementShown
from legalqa.answering.verification import Check, Reads, gives_orders, quote_find, support_check
from legalqa.llm.prompts import prompt_load
from legalqa.llm.types import LLMRequest, Message, Role
from retrieval.services.search import Passage

PROMPTS = Path(__file__).parent / "prompts"
PROMPT = prompt_load(PROMPTS / "answer_cited.v2.md")
GRAPH_PROMPT = prompt_load(PROMPTS / "answer_cited_graph.v1.md")  # the prompt with statements of the knowledge graph
# With solved cases, by what of them is given: the texts that supported their answers, or the cases as a whole.
SNIPPETS_PROMPT = prompt_load(PROMPTS / "answer_cited_snippets.v1.md")
CASES_PROMPT = prompt_load(PROMPTS / "answer_cited_cases.v1.md")
BESIDE_PROMPTS = (GRAPH_PROMPT, SNIPPETS_PROMPT, CASES_PROMPT)
FORMER_PROMPTS = (prompt_load(PROMPTS / "answer_cited.v1.md"),)  # prompts that stored answers were written with
ASKS_FOR = {
    Kind.DEFINITION: "what a term means: give the definition, whole, with what it includes and excludes.",
    Kind.AMOUNT: "an amount: say what is owed or allowed, by whom, and for what.",
    Kind.DEADLINE: "a time: say how long or by when, and from when it runs.",
    Kind.WHO: "a person or body: say who, and for what.",
    Kind.LIST: "a list: give every item that the passages give, one claim each.",
    Kind.YES_NO: "yes or no: say what the rule is, and when it does not apply.",
    Kind.CONDITION: "conditions: give each of them, and say whether all are needed.",
    Kind.PROCEDURE: "a procedure: give the steps in their order.",
    Kind.COMPARISON: "a comparison: say what holds for each side.",
    Kind.OVERVIEW: "an overview: give the main rules.",
}
MAX_CLAIM_CHARS = 800
MAX_TOKENS = 1500
MANY = {Kind.LIST, Kind.CONDITION, Kind.PROCEDURE, Kind.OVERVIEW}  # kinds of answers that may have many items
MANY_TOKENS = 4000  # ours: forty statements with short quotes
DEADLINE_S = 90.0
UNCHECKED = "The time for checking this answer ran out before this statement was checked."
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn"})  # categories of characters that do not belong in a statement


class _Typed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SourceQuote(_Typed):
    id: Annotated[str, Field(max_length=12)]
    quote: Annotated[str, Field(max_length=4000)]


class Statement(_Typed):
    text: Annotated[str, Field(max_length=4000)]
    sources: Annotated[list[SourceQuote], Field(max_length=12)]


class WrittenReply(_Typed):
    """What the model must reply with."""

    verdict: Literal["answered", "insufficient"]
    claims: Annotated[list[Statement], Field(max_length=100)]  # a longer list than we show is read, and counted


@dataclass(frozen=True, slots=True)
class WrittenClaim(StatementShown):
    """A statement of the model; `is_compared` says that its quotes were found and its words checked against them."""

    is_compared: bool = False


def answer_request(
    question: Question,
    passages: Sequence[Passage],
    statements: Sequence[GraphStatement],
    cases: GivenCases | None,
    *,
    max_claims: int,
) -> LLMRequest:
    """The request to the model.

    Args:
        question: In the person's words, with the one before it, if it follows one up.
        passages: Best first.
        statements: Of the knowledge graph.
        cases: Solved cases like the question.
        max_claims: At most this many statements.
    """
    tag = f"passage-{secrets.token_hex(8)}"  # opaque and new for each request, so that no document can hold it
    kind = kind_of(question.text)
    before = f"The question before it, for context only: {question.former[0]}\n\n" if question.former else ""
    texts = tuple(
        f'<{tag} id="{key}">\n{_where(one)}\n{one.position.paragraph.text}\n</{tag}>'
        for key, one in _by_id(passages).items()
    )
    texts += tuple(f'<{tag} statement-of="S{one.place + 1}">\n{one.text}\n</{tag}>' for one in statements)
    texts += (f'<{tag} solved="cases">\n{cases.text}\n</{tag}>',) if cases else ()
    prompt = GRAPH_PROMPT if statements else PROMPT
    if cases:
        prompt = SNIPPETS_PROMPT if cases.context == "support" else CASES_PROMPT
    asks_for = f"The question asks for {ASKS_FOR[kind]}" if kind in ASKS_FOR else "Answer what is asked, and no more."
    return prompt.request(
        Role.ANSWER,
        Message("system", prompt.render(tag=tag, max_claims=max_claims, asks_for=asks_for)),
        Message("user", f"{before}The question: {question.text}\n\nThe passages:", blocks=texts),
        schema=WrittenReply,
        temperature=question.temperature or 0.0,
        max_tokens=MANY_TOKENS if kind in MANY else MAX_TOKENS,
        deadline_s=DEADLINE_S,
        volatile=(tag,),
        is_evaluation=question.is_experiment,
        model=question.model,
        subject=question.subject,
        sample=question.sample,
    )


def _by_id(passages: Sequence[Passage]) -> dict[str, Passage]:
    """The passages as the model names them."""
    return {f"S{number}": passage for number, passage in enumerate(passages, start=1)}


def _where(passage: Passage) -> str:
    return " ".join(f"{passage.document.title} › {passage.heading}".split()).removesuffix(" ›")


def claims_check(
    reply: WrittenReply,
    *,
    passages: Sequence[Passage],
    readable: Collection[int],
    max_claims: int,
    reads: Reads | None,
    has_time: Callable[[], bool],
) -> tuple[WrittenClaim, ...]:
    """The model's statements in order, each once, with the verdict of code; unsupported ones are withheld.

    The preset cannot turn this off: a quotation is in the documents anyway, prose may not be.

    Args:
        reply: As the model gave it.
        passages: Those of this request that were sent.
        readable: Paragraphs that the person may read at this moment.
        max_claims: Statements beyond this many are not checked and not shown: `claims_beyond` has how many.
        reads: The reader; None checks by rules alone.
        has_time: Called before each quote and each statement; when time is up, the rest is withheld unchecked.
    """
    claims = list(_each_once(reply).items())[:max_claims]
    return tuple(_claim(text, quotes, _by_id(passages), readable, reads, has_time) for text, quotes in claims)


def claims_beyond(reply: WrittenReply, *, max_claims: int) -> int | None:
    """How many statements the model gave beyond `max_claims`; None where it gave fewer than these."""
    n_beyond = len(_each_once(reply)) - max_claims
    return n_beyond if n_beyond >= 0 else None


def _each_once(reply: WrittenReply) -> dict[str, list[SourceQuote]]:
    """The sources of the model's statements by their text, in order; of those with the same words, the first."""
    by_text: dict[str, tuple[str, list[SourceQuote]]] = {}
    for statement in reply.claims:
        if text := _clean(statement.text):
            by_text.setdefault(text.lower(), (text, statement.sources))
    return dict(by_text.values())


def _claim(
    text: str,
    quotes: Sequence[SourceQuote],
    by_id: dict[str, Passage],
    readable: Collection[int],
    reads: Reads | None,
    has_time: Callable[[], bool],
) -> WrittenClaim:
    places: list[Place] = []
    evidence: list[str] = []
    above: list[str] = []
    close = False
    for quote in quotes:
        passage = by_id.get(quote.id.strip())
        if passage is None:
            return _withheld(text, places, "It cites a passage that was not given to the model.")
        if passage.position.paragraph_id not in readable:
            return _withheld(text, places, "The passage it cites may no longer be read.")
        if not has_time():
            return _withheld(text, places, UNCHECKED)
        quoted = quote_find(quote.quote, passage.position.paragraph.text)
        if quoted is None:
            return _withheld(text, places, "Its quote is not in the passage it cites.")
        if gives_orders(passage.position.paragraph.text):
            return _withheld(text, places, "The passage it cites gives orders to the model.")
        places.append(Place(passage, quoted.start, quoted.end))
        evidence.append(quoted.sentences)
        above += [passage.document.title, passage.heading]
        close = close or not quoted.is_exact
    if not places:
        return _withheld(text, places, "It cites nothing.")
    if len(text) > MAX_CLAIM_CHARS:
        return _withheld(text, places, "It is too long to be one statement.")
    if not has_time():
        return _withheld(text, places, UNCHECKED)
    check = support_check(text, evidence, above=above, reads=reads)
    if close and check.verdict == "supported":
        check = Check("partly", check.overlap, ("Its quote is a paraphrase of the passage.",))
    is_shown = check.verdict in ("supported", "partly")
    return WrittenClaim(text, check, is_shown, _distinct(places), is_compared=True)


def _withheld(text: str, places: Sequence[Place], reason: str) -> WrittenClaim:
    check = Check("unsupported", 0.0, (reason,))
    return WrittenClaim(text[:MAX_CLAIM_CHARS], check, is_shown=False, places=_distinct(places))


def _distinct(places: Sequence[Place]) -> tuple[Place, ...]:
    """One place a passage: the first."""
    return tuple({place.passage: place for place in reversed(places)}.values())[::-1]


def _clean(text: str) -> str:
    """A statement on one line, without control, direction and other invisible characters."""
    even = " ".join(text.split())
    return "".join(c for c in even if unicodedata.category(c) not in _UNSEEN).strip()
