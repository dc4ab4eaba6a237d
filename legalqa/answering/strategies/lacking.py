"""If a question finds no answer: the places that are named to the person, and what each passage does not mention."""

from collections.abc import Sequence
from dataclasses import replace

from corpora.term_memory import TermMemory
from corpora.tokens import tokens
from legalqa.answering.composing import PassageFound
from legalqa.answering.places import heading_name, place_words
from legalqa.answering.spelling import one_spelling
from legalqa.answering.strategies.search import Search
from retrieval.services.search import Passage


def passages_named(search: Search, passages: Sequence[PassageFound]) -> list[PassageFound]:
    """The passages, each under the name that a silence gives its place: document, clause and page.

    What a question without a subject could ask instead is about the clause alone.
    """
    found = {(str(p.position.version_id), p.position.ordinal): p for p in search.opened}
    return [
        replace(one, provision=replace(one.provision, heading=_place(found[one.version, one.ordinal], one, search)))
        for one in passages
    ]


def _place(passage: Passage, one: PassageFound, search: Search) -> str:
    heading = heading_name(one.provision.path)
    label = passage.position.page_label if passage.kind == "pdf" else ""
    place = {"document_title": passage.document.title, "heading": heading, "page_label": label}
    return place_words(place) if search.subject else heading


def words_missing(search: Search, passage: Passage, before: str, memory: TermMemory) -> list[str]:
    """The words of the question's subject that neither a passage nor what is above it has, in any spelling.

    Above it are the title of its document, its headings, and the line that opens its list.
    """
    text = " ".join([passage.document.title, passage.heading, before, passage.text])
    said = frozenset(memory.terms(one_spelling(text)))
    return [word for word in search.subject if said.isdisjoint(tokens(one_spelling(word), language=memory.language))]
