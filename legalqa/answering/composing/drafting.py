"""From the composed answer to its draft: statements with their places, or the reason for silence."""

from collections.abc import Mapping, Sequence

from corpora.provisions.types import Role
from legalqa.answering.composing.types import ChosenProvision, Composed, PartAnswered, PassageFound
from legalqa.answering.types import AlsoOn, AskedPart, Composition, Draft, Place, Statement, WordsAt, question_notice
from legalqa.answering.verification import Check
from retrieval.services.search import Passage

Given = Mapping[tuple[str, int], Passage]  # the evidence by version and ordinal; what is excluded is not in it

QUOTED = "Quoted from the documents."
PARTLY = "Quoted from the documents, which do not answer every part of the question."
ONLY_EXPLAINED = "What is quoted is a recital, a note or an example: it explains the rules and is none itself."
_EXPLAINS = frozenset({Role.RECITAL, Role.PREAMBLE, Role.NOTE, Role.EXAMPLE})
# The words are those of the document by construction: nothing is left to check.
_IN_THE_DOCUMENT = Check("supported", 1.0, ("The words are in the document.",))


def draft_composed(
    composed: Composed,
    passages: Sequence[PassageFound],
    *,
    given: Given,
    silence: tuple[str, str, str],
    unmentioned: Sequence[str],
    threshold: float,
    step: Mapping[str, object],
) -> Draft:
    """The draft of an answer in whole provisions.

    Args:
        composed: What was chosen.
        passages: What it was chosen from.
        given: The evidence that it may cite.
        silence: If the answer is declined, why: code, sentence, and what to ask instead.
        unmentioned: Names in the question that are in none of the documents.
        threshold: The probability from which an answer is given, for the trail.
        step: That of reading, for the trail.
    """
    claims, shown_with = _claims_once(composed, passages, given)
    steps: tuple[dict[str, object], ...] = (
        dict(step),
        {
            "step": "gate",
            "probability": round(composed.probability, 4),
            "threshold": threshold,
            "open": bool(claims),
        },
    )
    code, words, suggestion = silence
    composition = Composition(kind=composed.kind, n_more=composed.n_more)
    if all(part.asked.is_whole for part in composed.parts):
        composition["is_named"] = True
    if told_by := _told_by(composed.parts):
        composition["told_by"] = told_by
    if len(composed.parts) > 1:
        composition["parts"] = [_asked_part(part, shown_with) for part in composed.parts]
    if not claims:
        composition |= Composition(silence=code, suggestion=suggestion)
        if composed.likeliest and code == "unsure":
            composition["likeliest"] = _likeliest(composed.likeliest, passages, given)
        return Draft("insufficient_evidence", words, composed.probability, (), steps, composition)
    also = ((given.get((passages[place].version, passages[place].ordinal)), label) for place, label in composed.also)
    composition["also"] = [AlsoOn(rank=passage.rank, label=label) for passage, label in also if passage]
    outline = (given.get((passages[place].version, passages[place].ordinal)) for place in composed.outline)
    composition["outline"] = [passage.rank for passage in outline if passage]
    is_whole = all(part.provisions and not part.is_above for part in composed.parts)
    state, why = ("answered", QUOTED) if is_whole else ("partial", PARTLY)
    if all(passages[one.passage].provision.role in _EXPLAINS for one in composed.provisions) and is_whole:
        why = f"{why} {ONLY_EXPLAINED}"
        state = state if "is_named" in composition else "partial"
    if unmentioned:
        composition["unmentioned"] = list(unmentioned)
        why = f"{why} {question_notice(composition)}"
    return Draft(state, why, composed.probability, claims, steps, composition)


def _claims_once(
    composed: Composed, passages: Sequence[PassageFound], given: Given
) -> tuple[tuple[Statement, ...], dict[int, int]]:
    """The claims, with an exception to two provisions once, at the first; and where each provision is shown.

    A provision is shown by itself, or with another one if that shows all of its sentences.
    """
    by_place: dict[Place, Statement] = {}
    shown_with: dict[int, int] = {}
    for number, provision in enumerate(composed.provisions):
        for claim in _claims(number, provision, passages, given):
            kept = by_place.setdefault(claim.places[0], claim)
            if kept.provision == number or number not in shown_with:
                shown_with[number] = kept.provision
    return tuple(by_place.values()), shown_with


def _asked_part(part: PartAnswered, shown_with: Mapping[int, int]) -> AskedPart:
    numbers = dict.fromkeys(shown_with.get(number, number) for number in part.provisions)
    asked = AskedPart(text=part.asked.text, provisions=list(numbers))
    if part.asked.title:
        asked["document"] = part.asked.title
    if part.provisions and not part.is_above:
        asked["is_told"] = True
        if _is_judged(part):
            asked["chance"] = round(part.probability, 4)
    return asked


def _is_judged(part: PartAnswered) -> bool:
    return bool(part.provisions) and not part.is_above and not part.asked.is_whole


def _told_by(parts: Sequence[PartAnswered]) -> str:
    """What shows that the least likely part answers, whose probability is shown; "" if that is the reader's."""
    judged = [part for part in parts if _is_judged(part)]
    return min(judged, key=lambda part: part.probability).told_by if judged else ""


def _likeliest(provision: ChosenProvision, passages: Sequence[PassageFound], given: Given) -> list[WordsAt]:
    claims = ((claim.part, claim.places[0]) for claim in _claims(0, provision, passages, given))
    return [WordsAt(rank=at.passage.rank, start=at.start, end=at.end, part=part) for part, at in claims]


def _claims(number: int, provision: ChosenProvision, passages: Sequence[PassageFound], given: Given) -> list[Statement]:
    """The pieces of a provision, one place a paragraph: the citation first, then "also in"."""
    passage = passages[provision.passage]
    claims = []
    for piece in provision.pieces:
        own = passage.provision.pieces[piece.place]
        if (passage.version, own.ordinal) not in given:
            continue
        also_in = provision.also_in if piece.place == provision.answering else ()
        said = [(passage, own), *((passages[n], passages[n].provision.pieces[place]) for n, place in also_in)]
        places: dict[int, Place] = {}
        for one, words in said:
            if cited := given.get((one.version, words.ordinal)):
                places.setdefault(cited.position.paragraph_id, Place(cited, words.start, words.end))
        claims.append(
            Statement(
                own.text,
                _IN_THE_DOCUMENT,
                is_shown=True,
                places=tuple(places.values()),
                part=piece.part,
                provision=number,
                mark=piece.mark,
            )
        )
    return claims
