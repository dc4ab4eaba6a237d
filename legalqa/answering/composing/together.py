"""The provisions that answer the parts of a question, each shown once."""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpora.provisions.types import Provision
from legalqa.answering.composing.doers import orders_what_is_asked
from legalqa.answering.composing.kinds import Kind, subject_of
from legalqa.answering.composing.parts import is_same
from legalqa.answering.composing.pieces import part_of, piece_shown, with_lists_whole
from legalqa.answering.composing.ranking import acts_in_time
from legalqa.answering.composing.types import ChosenPiece, ChosenProvision, PassageFound
from legalqa.answering.types import AskedPart

_EXCEPT = re.compile(r"\b(?:unless|except|shall not apply|do(?:es)? not apply)\b", re.IGNORECASE)
# "Systems that cannot be updated in time need a written waiver."
_LETS_OFF = re.compile(
    r"\b(?:unless|except|exceptions?|exempt(?:ed|ions?)?|waive[rds]?|waivers?|(?:shall|do|does) not apply|need not)\b"
    r"|\b(?:that|which|who|where|if|when)\b[^.;]{0,60}\bcannot\b",
    re.IGNORECASE,
)
_TO_DO = re.compile(r"\b(?:shall|must|may|will|has to|have to|is to|are to)(?: not)?(?: be)? (\w+)", re.IGNORECASE)
NEIGHBOURS = 2  # ours: paragraphs before and behind a rule in which an exception to it is looked for


def taken_up(
    own: Sequence[ChosenProvision],
    provisions: list[ChosenProvision],
    passages: Sequence[PassageFound],
    *,
    is_named: bool = False,
) -> tuple[int, ...]:
    """Adds provisions to the chosen ones, each once, and returns their numbers there.

    Two items of a list bring the other items along, unless the question names them: "Article 5(1)(a) and (b)".
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


def names_subject(part: str, provisions: Sequence[ChosenProvision], passages: Sequence[PassageFound]) -> bool:
    """Whether provisions have a word of the subject of a part of a question, or the part has none of its own."""
    found = [passages[one.passage].provision for one in provisions]
    return shares_subject(subject_of(part), [f"{one.heading} {' '.join(p.text for p in one.pieces)}" for one in found])


def parts_unstated(parts: Sequence[AskedPart], statements: Sequence[str]) -> list[str]:
    """The parts of a question that no provision answers and that share no word of their own with a statement.

    Args:
        parts: The parts, with the provisions that answer each.
        statements: Each with what it cites.
    """
    answered = set[str]().union(*(subject_of(part["text"]) for part in parts if part["provisions"]))
    lacking = [part["text"] for part in parts if not part["provisions"]]
    return [text for text in lacking if not shares_subject(subject_of(text) - answered, statements)]


def shares_subject(own: set[str], texts: Sequence[str]) -> bool:
    """Whether one of the texts has one of these words of a subject, or there are none."""
    return not own or any(own & subject_of(text) for text in texts)


def tells_too(
    question: str, kind: Kind, provisions: Sequence[ChosenProvision], passages: Sequence[PassageFound]
) -> bool:
    """Whether the shown text says by whom, or when, the thing must be done that a dependent part asks about."""
    tells = {Kind.WHO: orders_what_is_asked, Kind.DEADLINE: acts_in_time}.get(kind)
    if tells is None:
        return False
    shown = [(passages[one.passage].provision, piece.place) for one in provisions for piece in one.pieces]
    return any(tells(own.pieces[place].text, question=question, before=f"{own.heading} ") for own, place in shown)


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


def exceptions_told(provisions: Sequence[ChosenProvision], passages: Sequence[PassageFound]) -> tuple[int, ...]:
    """The provisions that are shown with an exception."""
    return tuple(n for n, one in enumerate(provisions) if _has_exception(passages[one.passage].provision, one))


def exception_beside(provisions: Sequence[ChosenProvision], passages: Sequence[PassageFound]) -> ChosenProvision | None:
    """The sentence near the shown rules that exempts somebody from them; None if none does.

    It names what the sentence that answers says is to be done: "patched" of "must be patched within a day".
    """
    for one in provisions:
        rule = passages[one.passage]
        piece = rule.provision.pieces[one.answering]
        done = subject_of(" ".join(_TO_DO.findall(piece.text)))
        for place, passage in enumerate(passages):
            is_near = passage.version == rule.version and 0 < abs(passage.ordinal - piece.ordinal) <= NEIGHBOURS
            if is_near and (own := _lets_off(passage, done)) is not None:
                return ChosenProvision(place, *piece_shown(passage.provision, own))
    return None


def _lets_off(passage: PassageFound, done: set[str]) -> int | None:
    """The place of a sentence of a passage that exempts somebody from doing this."""
    pieces = enumerate(passage.provision.pieces)
    own = ((place, piece.text) for place, piece in pieces if piece.ordinal == passage.ordinal)
    return next((place for place, text in own if _LETS_OFF.search(text) and done & subject_of(text)), None)


def _has_exception(provision: Provision, choice: ChosenProvision) -> bool:
    return any(
        piece.part == "exception" or _EXCEPT.search(provision.pieces[piece.place].text) for piece in choice.pieces
    )
