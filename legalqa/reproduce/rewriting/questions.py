"""Awkward questions made from plain ones: two in one, wrapped in a story, vague, or following up another one.

The templates were written without the rules that answer them (`retrieval.rewriters`), and half of them, HELD_OUT, was
put away while the rules were written: figures are of that half. What is made is deterministic.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from corpora.stopwords import STOP_WORDS, word_set
from legalqa.training.collections.questions import LabelledQuestion

KINDS = ("double", "distracting", "vague", "conversational")


@dataclass(frozen=True, slots=True)
class MadeQuestion:
    """An awkward question with the questions before it, oldest first, and the passages that answer what it is made of.

    `group` is that of the plain question it is made from: both are drawn together.
    """

    id: str
    kind: str
    group: str
    text: str
    history: tuple[str, ...]
    gold: tuple[int, ...]


class Made(NamedTuple):
    """The result of a template: the question and those before it."""

    text: str
    history: tuple[str, ...] = ()


# From a plain question (and, for "double", a second one) to what a person might have typed; None where it does not fit.
Template = Callable[[str, str], Made | None]


def questions_made(
    plain: Sequence[LabelledQuestion], *, held_out: bool, every_template: bool = False
) -> list[MadeQuestion]:
    """One awkward question of every kind from each plain one, templates by turns.

    Args:
        plain: Plain questions with gold, in an order of their own; the partner of a double question is the one half
            the list away.
        held_out: Which half of the templates.
        every_template: All templates for each question instead of one by turns: for small sets.
    """
    questions = []
    for place, question in enumerate(plain):
        partner = plain[(place + len(plain) // 2) % len(plain)]
        for kind in KINDS:
            templates = (HELD_OUT if held_out else SHOWN)[kind]
            first = place % len(templates)
            turns = [*templates[first:], *templates[:first]]
            forms = [template(question.text.strip(), partner.text.strip()) for template in turns]
            fitting = [(number, one) for number, one in enumerate(forms) if one is not None]
            for number, one in fitting if every_template else fitting[:1]:
                gold = {*question.gold, *(partner.gold if kind == "double" else ())}
                questions.append(
                    MadeQuestion(
                        f"{question.id}/{kind}/{(first + number) % len(templates)}",
                        kind,
                        question.group,
                        one.text,
                        one.history,
                        tuple(sorted(gold)),
                    )
                )
    return questions


def _wrapped(form: str) -> Template:
    """{a} and {b} are the questions as they are, {la} and {lb} with a small first letter, {na} without their mark."""

    def make(first: str, second: str) -> Made:
        return Made(
            form.format(
                a=first,
                b=second,
                la=_lowered(first),
                lb=_lowered(second),
                na=first.rstrip("?. "),
                lna=_lowered(first).rstrip("?. "),
            )
        )

    return make


def _lowered(text: str) -> str:
    first, _, rest = text.partition(" ")
    return text if first.isupper() and len(first) > 1 else f"{first[:1].lower()}{first[1:]} {rest}"


def _vague(words: dict[str, str], form: str) -> Template:
    """The question with its telling words weakened and its last phrase left out; None where no word can be weakened."""

    def make(first: str, _: str) -> Made | None:
        text = first
        for strong, weak in words.items():
            text = re.sub(rf"\b{strong}\b", weak, text, flags=re.IGNORECASE)
        if text == first:
            return None
        text = re.sub(r"\b([Aa])n (?=[b-df-hj-np-tv-z])", r"\1 ", text)
        return Made(form.format(q=text, lq=_lowered(text), nq=_lowered(text).rstrip("?. ")))

    return make


# Common words, and those of the collections' own questions; none of them can be part of a subject.
_CLOSED = STOP_WORDS["english"] | word_set(
    """
    about ADGM after all also any before between case cases circumstances clarify during each either ensure
    ensuring explain FSRA give including may might more most must no nor not other out outline over own per
    please provide provided regarding required requirements same shall should specific specify through under
    until up use used uses using whether while within without
    """
)
_WORD = re.compile(r"[A-Za-z][A-Za-z’'-]*")


def _subject(question: str) -> tuple[int, int] | None:
    """The place of the longest run of two to five words that are not in the closed list; else None."""
    best: tuple[int, int] | None = None
    start = end = -1
    n = 0
    for match in [*_WORD.finditer(question), None]:
        is_open = match is not None and match[0].lower() not in _CLOSED and match[0] not in _CLOSED
        joins = match is not None and n > 0 and question[end : match.start()] == " "
        if match is not None and is_open and joins and n < 5:
            end, n = match.end(), n + 1
            continue
        if n >= 2 and (best is None or end - start > best[1] - best[0]):
            best = (start, end)
        start, end, n = (match.start(), match.end(), 1) if match is not None and is_open else (-1, -1, 0)
    return best


def _pointing(before: str, word: str, form: str) -> Template:
    """The subject asked about before, a pronoun in its place now; None where the question has no such subject."""

    def make(first: str, _: str) -> Made | None:
        span = _subject(first)
        if span is None:
            return None
        subject, rest = first[span[0] : span[1]], first[: span[0]] + word + first[span[1] :]
        rest = re.sub(rf"\b(?:an?|the|these|those|this|its|their|any|such)\s+{word}\b", word, rest, flags=re.IGNORECASE)
        return Made(form.format(q=rest, lq=_lowered(rest)), (before.format(s=subject),))

    return make


def _cut_short(breaks: str, form: str) -> Template:
    """The first half of the question asked before, only its last phrase now; None where it has no such phrase."""

    def make(first: str, _: str) -> Made | None:
        at = [m.start() for m in re.finditer(breaks, first) if m.start() > len(first) // 3]
        if not at or len(first) - at[0] < 20:
            return None
        return Made(form.format(tail=first[at[0] :].strip(" ,?.")), (first[: at[0]].rstrip(" ,") + "?",))

    return make


_WEAK_SHOWN = {
    "requirements?": "things needed",
    "obligations?": "things to do",
    "procedures?": "steps",
    "measures": "things",
    "guidance": "help",
    "criteria": "points",
    "disclos(?:e|ed|ure|ures)": "tell people",
    "assess(?:ed|ment|ments)?": "look at",
    "penalt(?:y|ies)": "trouble",
    "bias audit": "check",
    "automated employment decision tool": "software",
    "AEDT": "software",
    "summary of results": "outcome",
    "impact ratio": "number",
    "monitor(?:ing)?": "watch",
    "Authorised Persons?": "firm",
    "violations?": "breach",
    "notices?": "message",
}
_WEAK_HELD_OUT = {
    "document(?:ed|ation)?": "put on paper",
    "compl(?:y|iance|iant)": "go along with",
    "regulatory": "official",
    "calculat(?:e|ion|ions|ing|ed)": "work out",
    "examples?": "idea",
    "Relevant Persons?": "business",
    "Authorised Persons?": "company",
    "clients?": "person",
    "customers?": "person",
    "risks?": "danger",
    "records?": "files",
    "report(?:s|ing)?": "let them know",
    "requirements?": "stuff",
    "bias audit": "examination",
    "automated employment decision tool": "computer program",
    "AEDT": "computer program",
    "penalty": "punishment",
    "candidates?": "people",
    "employer": "boss",
    "results": "findings",
    "test data": "made-up figures",
    "historical data": "past figures",
    "violations?": "wrongs",
    "scor(?:e|es|ing)": "marks",
}

SHOWN: dict[str, tuple[Template, ...]] = {
    "double": (_wrapped("{a} {b}"), _wrapped("{na} and {lb}"), _wrapped("I have two points. {a} Also, {lb}")),
    "distracting": (
        _wrapped("Good morning! I hope you had a pleasant weekend. {a} Many thanks, Sarah"),
        _wrapped("Our office moved to the fourth floor last month and the coffee machine still does not work. {a}"),
        _wrapped("The weather in Lisbon was dreadful, but {la}"),
        _wrapped("My nephew, who studies chemistry, asked me this over dinner. {a} I could not tell him."),
    ),
    "vague": (_vague(_WEAK_SHOWN, "{q}"), _vague(_WEAK_SHOWN, "Roughly speaking, {lq}")),
    "conversational": (
        _pointing("I would like to know about {s}.", "it", "{q}"),
        _pointing("What is meant by {s}?", "that", "And {lq}"),
        _cut_short(r" (?:when|for|under) ", "What about {tail}?"),
    ),
}

HELD_OUT: dict[str, tuple[Template, ...]] = {
    "double": (
        _wrapped("{a} On another matter: {lb}"),
        _wrapped("First, {la} Second, {lb}"),
        _wrapped("{na}; besides, {lb}"),
        _wrapped("{a}\n{b}"),
    ),
    "distracting": (
        _wrapped(
            "Hi team, it's Peter again from the Manchester branch. Sorry for the late message, my train was cancelled. "
            "{a} Cheers and talk soon."
        ),
        _wrapped("I was reading a newspaper on holiday with my wife when a thought struck me: {la}"),
        _wrapped("Although football is more exciting than paperwork, {la}"),
        _wrapped("{a} No rush at all, I am at the dentist until four and my phone battery is nearly empty."),
        _wrapped(
            "Between you and me, this project has been a nightmare since Tom left. Anyway, {la} "
            "Best wishes from a tired colleague"
        ),
    ),
    "vague": (_vague(_WEAK_HELD_OUT, "{q}"), _vague(_WEAK_HELD_OUT, "In simple terms, {nq} and things like that?")),
    "conversational": (
        _pointing("Please explain {s} to me first.", "this", "{q}"),
        _pointing("We are dealing with {s} here.", "them", "So {lq}"),
        _cut_short(r" (?:in|to|regarding|with|by) ", "And {tail}?"),
        _pointing("Is there anything in the documents on {s}?", "it", "Fine. {q}"),
    ),
}
