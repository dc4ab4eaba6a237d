"""How an answer is laid out: provisions with what makes them whole, under the parts of the question; as text, too.

Page, API, copy, pack and memo all follow `layout_of`; `answer_text` is the one way to write an answer as text.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from legalqa.answering.models import ClaimPart, Verdict

CELLS_APART = " | "  # between the cells of a row of a table, which are apart by a tab in the text
NOT_ANSWERED = "No answer to this was found in your documents."
NOT_IN_DOCUMENT = "No passage here was found likely enough to answer this."
UNANSWERED = (NOT_ANSWERED, NOT_IN_DOCUMENT)
NO_STATEMENT = "No statement was recognised on: {}."
NOTHING_FURTHER = "Nothing further was found for this part."
TOLD_ABOVE = "See above."
STOPPED = "There may be more: this answer stops at {} statements, the most that one answer may have."
_LABEL = re.compile(r"(?:▌\s*)?(\(\w{1,5}\)|\w{1,5}[.)]|[–—•·-])\s")  # "(a) ", "iv) ", "3. ", a bullet
Said = Mapping[str, Any]  # a shown claim: text, part, provision, and where they are cited, "marks"
Line = tuple[str, tuple[Said, ...]]


@dataclass(frozen=True, slots=True)
class Block:
    """The claims of one provision as they are read, line by line.

    `lines` are pairs of a kind and the claims that are there together: "lead" (the sentence that answers, among what
    makes it whole), "text", "items" or "exception".
    """

    provision: int
    lines: tuple[Line, ...]

    @property
    def claims(self) -> tuple[Said, ...]:
        return tuple(claim for _, claims in self.lines for claim in claims)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the question, "" where it asks one thing, with the provisions that answer it or a word on why none."""

    text: str
    blocks: tuple[Block, ...]
    note: str = ""


def layout_of(claims: Sequence[Said], composition: Mapping[str, Any]) -> list[Part]:
    """The shown claims as parts of the question, provisions, and lines.

    Args:
        claims: The shown claims in their order.
        composition: How the answer was put together; {} for answers from before that was kept, of which each claim
            is alone.
    """
    blocks = _blocks(claims)
    questions = composition.get("parts") or []
    if len(questions) < 2:
        unstated = ", ".join(f"“{text}”" for text in composition.get("unstated", ()))
        lacking = [Part("", (), NO_STATEMENT.format(unstated))] if unstated else []
        return [*lacking, Part("", tuple(blocks))] if blocks else []
    parts, numbers = [], set[int]()
    for part in questions:
        here = tuple(b for b in blocks if b.provision in part["provisions"] and b.provision not in numbers)
        is_above = not here and any(number in numbers for number in part["provisions"])
        title = part.get("document", "")
        text = f"{title}: {part['text']}" if title else part["text"]
        lacks = NOT_IN_DOCUMENT if title else NOT_ANSWERED
        above = TOLD_ABOVE if part.get("is_told") else NOTHING_FURTHER
        parts.append(Part(text, here, "" if here else above if is_above else lacks))
        numbers |= {block.provision for block in here}
    rest = tuple(block for block in blocks if block.provision not in numbers)
    return [*parts, Part("", rest)] if rest else parts


def answer_text(
    claims: Sequence[Said], composition: Mapping[str, Any], *, without: Collection[str] = frozenset()
) -> str:
    """The answer as it reads without a page: provisions apart, items on lines of their own, parts under their words.

    A claim that has "marks" is followed by them in brackets, and one that is only partly supported says so and why.
    Nothing for an answer that shows nothing.

    Args:
        claims: The shown claims in their order.
        composition: How the answer was put together.
        without: Notes whose parts are left out, where they were told before.
    """
    parts = [part for part in layout_of(claims, composition) if part.note not in without]
    if not any(part.blocks for part in parts):
        return ""
    paragraphs = []
    for part in parts:
        paragraphs += [part.text] if part.text else []
        paragraphs += ["\n".join(_text_lines(block)) for block in part.blocks]
        paragraphs += [part.note] if part.note else []
    if more := more_words(composition):
        paragraphs.append(more)
    return "\n\n".join(paragraphs)


def more_words(composition: Mapping[str, Any]) -> str:
    """That further provisions answer, or a model wrote further statements, and are not shown; "" where none are."""
    n_more = composition.get("n_more", 0)
    if limit := composition.get("limit"):
        sentence = f"There is more: a model wrote {n_more} more statement{'s' if n_more > 1 else ''} than the {limit}"
        return f"{sentence} that one answer may have." if n_more else STOPPED.format(limit)
    if not n_more:
        return ""
    words = "provision may answer this and is" if n_more == 1 else "provisions may answer this and are"
    return f"{n_more} more {words} not quoted here."


def segments(text: str, start: int, end: int) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is the words that answer; offsets outside it mark nothing."""
    is_inside = 0 <= start < end <= len(text)
    pieces = [(text[:start], False), (text[start:end], True), (text[end:], False)] if is_inside else [(text, False)]
    return [(words.replace("\t", CELLS_APART), is_answer) for words, is_answer in pieces if words]


def flat(text: str) -> str:
    """A text on one line, the cells of a row of a table apart: "Tax | 7 | Finance"."""
    return " ".join(text.replace("\t", CELLS_APART).split())


def _blocks(claims: Sequence[Said]) -> list[Block]:
    is_old = all(claim["part"] == ClaimPart.ANSWER and not claim["provision"] for claim in claims)
    if is_old:  # from before provisions were told apart, or written: every sentence for itself
        return [Block(0, (("text", (claim,)),)) for claim in claims]
    numbers = dict.fromkeys(claim["provision"] for claim in claims)
    return [Block(number, _lines([c for c in claims if c["provision"] == number])) for number in numbers]


def _lines(claims: Sequence[Said]) -> tuple[Line, ...]:
    lead = claims[0] if len(claims) > 1 and claims[0]["part"] == ClaimPart.ANSWER else None
    kinds, is_list, ordered = [], False, _as_they_stand(claims)
    for claim in ordered:
        is_nested = claim["part"] == ClaimPart.STEM and _LABEL.match(claim["text"]) is not None
        is_item = claim["part"] == ClaimPart.ITEM or (is_list and (claim["part"] == ClaimPart.ANSWER or is_nested))
        other = "lead" if claim is lead else "exception" if claim["part"] == ClaimPart.EXCEPTION else "text"
        kinds.append("items" if is_item else other)
        is_list = is_item or claim["part"] == ClaimPart.STEM
    pairs = zip(kinds, ordered, strict=True)
    return tuple((kind, tuple(claim for _, claim in run)) for kind, run in groupby(pairs, key=lambda pair: pair[0]))


def _as_they_stand(claims: Sequence[Said]) -> list[Said]:
    """The claims, the sentences of one paragraph together and in its order, whichever of them answers."""
    places = [next(iter(claim.get("citations", ())), None) for claim in claims]
    names = [(place["paragraph_id"] if place else str(n)) for n, place in enumerate(places)]
    firsts = {name: n for n, name in reversed(list(enumerate(names)))}
    keys = [(firsts[name], place["start"] if place else 0) for name, place in zip(names, places, strict=True)]
    return [claims[n] for n in sorted(range(len(claims)), key=lambda n: keys[n])]


def _text_lines(block: Block) -> list[str]:
    lines = []
    for kind, claims in block.lines:
        texts = [_cited(claim) for claim in claims]
        if kind == "items":
            lines += [text if _LABEL.match(text) else f"– {text}" for text in texts]
        else:
            lines.append(("Exception: " if kind == "exception" else "") + " ".join(texts))
    return lines


def _cited(claim: Said) -> str:
    marks = "".join(f"[{number}]" for number in claim.get("marks", ()))
    reason = f"({Verdict.PARTLY.label}. {claim['reason']})" if claim.get("verdict") == Verdict.PARTLY else ""
    return " ".join(filter(None, [flat(claim["text"]), marks, reason]))
