"""Sentences of a document that can be asked about by themselves: an item of a list with the words that open it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from corpora.provisions.hanging import Node, tree_of
from corpora.provisions.splitting import opens_list
from corpora.provisions.types import Part, Role
from legalqa.common.sentences import sentence_spans
from retrieval.kinds import Kind
from retrieval.questions.templates import Rule, Stretch, Written, questions_searched, rule_of
from retrieval.questions.wording import uppered

STATED = (Kind.DEFINITION, Kind.DUTY, Kind.THRESHOLD, Kind.AMOUNT, Kind.DEADLINE)  # questions are made of these
MAX_STEM = 400  # ours: characters of the words above an item
_ITEM = re.compile(r"^(?P<label>\((?:[a-zA-Z]{1,4}|\d{1,2})\)|(?:\d{1,2}|[a-z])[.)]|[•▪–—-])\s+")
_NUMBER = re.compile(r"^(?:\(?[\dA-Za-z]{1,4}(?:\.\d+)*[.)]\s+|§+\s?[\d.\-–]+\.?\s+)+")
_END = re.compile(r"[:—–\s]+$")
_ITEM_END = re.compile(r"[;,.]?\s*(?:\b(?:and|or))?[;,.\s]*$")
_AFTER_STEM = re.compile(r"\b(?:(?:all|any|one|each) of )?the following(?: \w+){0,3}$|\bas follows$", re.I)
_OPEN_STEM = re.compile(
    r"\b(?:shall|must|may|to|that|by|if|where|when|with|of|for|in|is|are|be|not|and|or|from|on)$", re.I
)


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement of the knowledge graph as a sentence, and the span in the paragraph that it was read from."""

    text: str
    start: int
    end: int

    @classmethod
    def of(cls, kind: str, subject: str, predicate: str, object_text: str, span: tuple[int, int]) -> Self | None:
        """A definition, duty, threshold, amount or deadline as a sentence; None for others, and where it was cut."""
        if kind not in STATED or "…" in f"{subject}{predicate}{object_text}":
            return None
        opening = f"“{subject}”" if kind == Kind.DEFINITION else uppered(subject)
        return cls(f"{opening} {predicate} {_ITEM_END.sub('', object_text)}.", *span)


@dataclass(frozen=True, slots=True)
class QuestionBasis:
    """What questions on one paragraph are made of.

    Attributes:
        ordinal: Of the paragraph in its version.
        stem: What opens the list that the paragraph is an item of, outermost words first; "" if it is not one.
        heading: The innermost heading above it.
        stated: What the knowledge graph states of it, in the order of the text.
    """

    ordinal: int
    text: str
    role: str
    stem: str
    heading: str
    label: str
    stated: tuple[Stated, ...] = ()
    source = "provision"

    @property
    def basis(self) -> str:
        """Equal values give equal questions."""
        statements = [f"{one.start} {one.text}" for one in self.stated]
        return "\0".join((self.text, self.role, self.stem, self.heading, self.label, *statements))

    def questions(self, paragraph: int) -> Iterator[Written]:
        """Every question of its sentences and of what the graph states, each wording once."""
        by_text: dict[str, Written] = {}
        for rule in self.rules(paragraph):
            for question in questions_searched(rule):
                by_text.setdefault(question.text, question)
        yield from by_text.values()

    def rules(self, paragraph: int) -> Iterator[Rule]:
        """Its sentences, each made whole, then its statements; `paragraph` is the primary key that they refer to."""
        stretch = Stretch(paragraph, self.text, self.role, self.heading, self.label)
        for start, end, whole in _whole_sentences(self.text, self.stem):
            if (rule := rule_of(stretch, start, end, whole)) is not None:
                yield rule
        for one in self.stated:
            if (rule := rule_of(stretch, one.start, one.end, one.text)) is not None:
                yield replace(rule, is_stated=True)


def paragraphs_asked(
    parts: Sequence[Part], stated: Mapping[int, Sequence[Stated]] | None = None
) -> Iterator[QuestionBasis]:
    """The paragraphs of one version that questions are made of: operative ones and definitions, in reading order.

    Args:
        parts: All paragraphs of the version in order, with their roles.
        stated: By ordinal of a paragraph, what a knowledge graph states of it.
    """
    for paragraph in _asked(parts):
        yield replace(paragraph, stated=tuple(stated.get(paragraph.ordinal, ()))) if stated else paragraph


def _asked(parts: Sequence[Part]) -> Iterator[QuestionBasis]:
    start = 0
    for place, part in enumerate([*parts, None]):
        if part is None or part.role == Role.HEADING:
            yield from _section(parts, start, place)
            start = place + 1


def _section(parts: Sequence[Part], start: int, end: int) -> Iterator[QuestionBasis]:
    members = [i for i in range(start, end) if parts[i].role in (Role.OPERATIVE, Role.DEFINITION)]
    members = [i for i in members if parts[i].kind != "table"]
    nodes = tree_of(parts, members)
    above = parts[start - 1].text if start and parts[start - 1].kind != "heading" else ""
    for place in members:
        part = parts[place]
        heading = above or (part.path[-1] if part.path else "")
        stem = _stem(parts, nodes, place) if place in nodes else ""
        yield QuestionBasis(part.ordinal, part.text, part.role, stem, " ".join(heading.split()), part.label)


def _stem(parts: Sequence[Part], nodes: Mapping[int, Node], place: int) -> str:
    """The words that open the lists in which a paragraph is an item."""
    words: list[str] = []
    node = nodes[place]
    while node.is_item and node.parent is not None:
        text = parts[(nodes[node.parent].rest or (node.parent,))[-1]].text
        if not opens_list(text):
            break
        last = sentence_spans(text)[-1]
        words.insert(0, _bare_stem(text[last[0] : last[1]]))
        node = nodes[node.parent]
    stem = " ".join(words)
    return stem if len(stem) <= MAX_STEM else ""


def _whole_sentences(text: str, stem: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, the sentence as it reads by itself) of a paragraph's sentences.

    The first sentence comes after the words above the paragraph; an item of a list inside it after the words that open
    that list, which may itself be an item of another.
    """
    open_lists: list[tuple[str, str]] = []  # (style of its items, "" before the first; the words that open it)
    for number, (start, end) in enumerate(sentence_spans(text)):
        sentence = text[start:end].strip()
        first = start + len(text[start:end]) - len(text[start:end].lstrip())
        item = _ITEM.match(sentence)
        style = _style(item["label"]) if item else ""
        if style and open_lists:
            while open_lists[:-1] and open_lists[-1][0] not in ("", style):
                open_lists.pop()
            open_lists[-1] = (style, open_lists[-1][1])
        elif number:
            open_lists = []
        above = open_lists[-1][1] if open_lists else stem if not number else ""
        if opens_list(sentence):
            words = _bare_stem(sentence)  # "" where the items would be no sentence: they stay fragments
            open_lists.append(("", f"{above} {words}".strip() if words else ""))
        else:
            yield first, first + len(sentence), _joined(above, sentence) if above else sentence


def _joined(stem: str, item: str) -> str:
    """An item after its stem, as one sentence."""
    return f"{stem} {_ITEM_END.sub('', _NUMBER.sub('', _ITEM.sub('', item)))}."


def _bare_stem(text: str) -> str:
    words = _END.sub("", _NUMBER.sub("", _ITEM.sub("", text.strip())))
    bare = _AFTER_STEM.sub("", words).strip(" ,")
    return bare if bare == words.strip(" ,") or _OPEN_STEM.search(bare) else ""


def _style(label: str) -> str:
    """What kind of number an item has; (i) is read as roman."""
    inner = label.strip("().")
    if inner.isdigit():
        return "1"
    if set(inner.lower()) <= set("ivx"):
        return "i"
    return "a" if inner.isalpha() else "-"
