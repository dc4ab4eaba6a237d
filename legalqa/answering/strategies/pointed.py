"""Opening the annex that an answer only points to: "shall contain the elements set out in Annex XII"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import Q

from legalqa.answering.composing.kinds import Kind
from legalqa.answering.composing.types import Asked, Composed, PassageFound
from legalqa.answering.strategies.search import Search
from retrieval.named import provision_paragraphs
from retrieval.services.search import Passage, passages_where

_POINTS = re.compile(
    r"\b(?:information|documentation|documents|elements|data|items|contents?|criteria|particulars|details)\b[^.;]{0,80}?"
    r"\b(?:set\s+out|listed|specified|referred\s+to|laid\s+down|contained|described|indicated)\s+in\s+"
    r"(?:(?P<section>Section\s+[A-Z])\s+of\s+)?(?:the\s+)?(?P<unit>Annex|Schedule|Appendix|Exhibit)\s+"
    r"(?-i:(?P<number>[IVXLC]+|[A-Z]|[0-9]+))\b(?:,?\s*(?P<behind>Section\s+[A-Z])\b)?"
    # Not an annex of another act, and not one of several.
    r"(?!\s*(?:to|of)\s+(?!this\b)|\s*(?:,|and|or|to)\s+(?:Annex|Schedule|Appendix|Exhibit|[IVXLC]+\b))",
    re.IGNORECASE,
)
ASKED = "What does {} say?"


def annex_named(text: str) -> tuple[str, str, str] | None:
    """Unit, number and part of the annex to which a text refers for the contents of something.

    >>> annex_named("shall contain the elements set out in Annex XII;")
    ('Annex', 'XII', '')
    >>> annex_named("register the information listed in Section C of Annex VIII")
    ('Annex', 'VIII', 'Section C')
    >>> annex_named("the systems referred to in Annex III"), annex_named("the data listed in Annex I to Directive 1/2")
    (None, None)
    """
    match = _POINTS.search(text)
    return match and (match["unit"], match["number"], match["section"] or match["behind"] or "")


def annex_pointed(
    search: Search, composed: Composed, passages: Sequence[PassageFound]
) -> tuple[tuple[Passage, ...], Asked] | None:
    """The passages of the annex with the list that is asked for, if the answer only points to it, and what it is asked.

    Args:
        search: For the question.
        composed: What answers it.
        passages: That this was chosen from.
    """
    if composed.kind != Kind.LIST or not composed.provisions or len(composed.parts) > 1:
        return None
    first = composed.provisions[0]
    passage = passages[first.passage]
    texts = (passage.provision.pieces[piece.place].text for piece in first.pieces)
    named = set(filter(None, map(annex_named, texts)))
    if len(named) != 1:
        return None
    unit, number, section = named.pop()
    with search.question.scope():
        found = provision_paragraphs(
            corpus=search.result.corpus,
            unit=unit,
            number=number,
            filters=search.question.filters,
            most=1,
            versions=(passage.version,),
        )
        rows = found.get(UUID(passage.version), [])
        inside = [row for row in rows if section.lower() in " ".join(row.heading_path).lower()]
        opened = passages_where(
            result=search.result,
            where=Q(pk__in=[row.pk for row in inside]),
            first_rank=1 + max(passage.rank for passage in search.result.passages),
        )
    if not opened:
        return None
    name = f"{section} of {unit} {number}" if section else f"{unit} {number}"
    ordinals = frozenset(row.ordinal for row in inside)
    return opened, Asked(ASKED.format(name), frozenset({passage.version}), ordinals=ordinals, is_whole=True)


def with_annex(composed: Composed, annex: Composed) -> Composed:
    """An answer with the annex that it points to behind it, as a part of its own that is as likely as the answer."""
    if not annex.provisions:
        return composed
    n_before, chance = len(composed.provisions), composed.probability
    provisions = (*composed.provisions, *annex.provisions)
    numbers = (tuple(n_before + n for n in part.provisions) for part in annex.parts)
    told = (replace(part, probability=chance, provisions=own) for part, own in zip(annex.parts, numbers, strict=True))
    places = {one.passage for one in provisions}
    also = tuple((place, label) for place, label in composed.also if place not in places)
    parts = (*composed.parts, *told)
    return replace(composed, provisions=provisions, parts=parts, also=also, n_more=composed.n_more + annex.n_more)
