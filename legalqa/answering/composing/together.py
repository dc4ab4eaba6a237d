"""The provisions that answer the parts of a question, each shown once."""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpora.provisions.features import facts_of
from corpora.provisions.types import Provision
from legalqa.answering.composing.doers import NAMED, orders_what_is_asked
from legalqa.answering.composing.kinds import Kind, subject_of
from legalqa.answering.composing.parts import asks_only_exceptions, is_same
from legalqa.answering.composing.pieces import part_of, with_lists_whole
from legalqa.answering.composing.ranking import acts_in_time
from legalqa.answering.composing.types import ChosenPiece, ChosenProvision, PassageFound
from legalqa.common.sentences import sentence_spans

_COST_ASKED = re.compile(r"\bat (?:whose|what|which) (?:costs?|expense)\b", re.IGNORECASE)
_COST = re.compile(r"\b(?:cost|expense|charge)s?\b", re.IGNORECASE)
_FACTS = {
    Kind.DEADLINE: lambda text: bool(facts_of(text).durations or facts_of(text).dates),
    Kind.AMOUNT: lambda text: bool(facts_of(text).amounts),
}
_EXCEPT = re.compile(r"\b(?:unless|except|shall not apply|do(?:es)? not apply)\b", re.IGNORECASE)


def taken_up(
    own: Sequence[ChosenProvision],
    provisions: list[ChosenProvision],
    passages: Sequence[PassageFound],
    *,
    is_named: bool = False,
) -> tuple[int, ...]:
    """The numbers of provisions among the chosen ones, to which they are added, each once.

    Two items of a list bring the others along, unless they are named: "Article 5(1)(a) and (b)".
    """
    numbers = []
    for provision in own:
        place = next((n for n, other in enumerate(provisions) if _is_one(passages, provision, other)), None)
        if place is None:
            place = len(provisions)
            provisions.append(provision)
        else:
            provisions[place] = _joined(
                passages[provision.passage].provision, provisions[place], provision, is_named=is_named
            )
        numbers.append(place)
    return tuple(dict.fromkeys(numbers))


def is_told(part: str, provisions: Sequence[ChosenProvision], passages: Sequence[PassageFound]) -> bool:
    """Whether provisions have a word of the subject of a part of a question, or the part has none of its own."""
    own = subject_of(part)
    found = [passages[one.passage].provision for one in provisions]
    return not own or any(own & subject_of(f"{one.heading} {' '.join(p.text for p in one.pieces)}") for one in found)


def tells_too(
    question: str, kind: Kind, provisions: Sequence[ChosenProvision], passages: Sequence[PassageFound]
) -> bool:
    """Whether what is shown says by whom, or when, somebody must do what a part that leans on the first asks of it."""
    tells = {Kind.WHO: orders_what_is_asked, Kind.DEADLINE: acts_in_time}.get(kind)
    if tells is None:
        return False
    shown = [(passages[one.passage].provision, piece.place) for one in provisions for piece in one.pieces]
    return any(tells(own.pieces[place].text, question=question, before=f"{own.heading} ") for own, place in shown)


def says_it_too(
    part: str, kind: Kind, provisions: Sequence[ChosenProvision], passages: Sequence[PassageFound], *, leans: bool
) -> bool:
    """Whether what is shown has the time, amount or cost that a later part asks for, though nothing more was found.

    Of a part that leans on the first ("and how fast?") any will do that the rule itself sets, not an exception to it;
    else the sentence has most words of the part's subject.
    """
    own = set[str]() if leans else subject_of(part)
    tells = _COST.search if _COST_ASKED.search(part) else _FACTS.get(kind)
    if tells is None or not (leans or own):
        return False
    shown = [(passages[one.passage].provision, one) for one in provisions]
    pieces = (provision.pieces[p.place].text for provision, one in shown for p in one.pieces if p.part != "exception")
    sentences = (text[start:end] for text in pieces for start, end in sentence_spans(text))
    return any(tells(text) and len(own & subject_of(text)) >= NAMED * len(own) for text in sentences)


def _is_one(passages: Sequence[PassageFound], one: ChosenProvision, other: ChosenProvision) -> bool:
    """Whether two provisions are the same one."""
    return passages[one.passage].provision_key == passages[other.passage].provision_key


def _joined(provision: Provision, one: ChosenProvision, other: ChosenProvision, *, is_named: bool) -> ChosenProvision:
    """Two choices of one provision as one, which is shown once."""
    pieces = {piece.place: piece for piece in (*other.pieces, *one.pieces)}
    whole = sorted(pieces) if is_named else with_lists_whole(provision, sorted(pieces))
    return replace(one, pieces=tuple(pieces.get(n, ChosenPiece(n, part_of(provision, n))) for n in whole))


def is_inside(passages: Sequence[PassageFound], passage: PassageFound, other: ChosenProvision) -> bool:
    """Whether a passage is shown already, as pieces of a provision that was chosen, of this document or another."""
    there = passages[other.passage]
    pieces = [there.provision.pieces[piece.place] for piece in other.pieces]
    if there.version == passage.version:
        return any(piece.ordinal == passage.ordinal for piece in pieces)
    own = passage.pieces
    return bool(own) and all(any(is_same(one.text, piece.text) for piece in pieces) for one in own)


def exceptions_told(
    part: str, provisions: Sequence[ChosenProvision], passages: Sequence[PassageFound]
) -> tuple[int, ...]:
    """Of a part that only asks whether there are exceptions, the provisions that are shown with one."""
    if not asks_only_exceptions(part):
        return ()
    return tuple(n for n, one in enumerate(provisions) if _has_exception(passages[one.passage].provision, one))


def _has_exception(provision: Provision, choice: ChosenProvision) -> bool:
    return any(
        piece.part == "exception" or _EXCEPT.search(provision.pieces[piece.place].text) for piece in choice.pieces
    )
