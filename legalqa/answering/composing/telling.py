"""Whether a sentence near the answer to the first part of a question answers a later part.

Source: Read + Verify (Hu et al. 2019) asks a second time whether a passage answers. Differs: each sentence is read for
the later part alone, for the first part followed by the later one, and for the first part: a question about two things
names their subject once, and a sentence that answers the first well scores high with its words whatever the second is.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpora.provisions.features import facts_of
from corpora.provisions.types import Provision
from legalqa.answering.composing.doers import names_another
from legalqa.answering.composing.fitting import fits
from legalqa.answering.composing.kinds import Kind, kind_of, subject_of
from legalqa.answering.composing.leaning import completed
from legalqa.answering.composing.parts import reads_alone
from legalqa.answering.composing.pieces import PIECES_READ
from legalqa.answering.composing.types import ChosenProvision, PassageFound, ReadPairs

# Ours, chosen on 55 questions of several parts of our own: the reader's probabilities from which a sentence tells a
# later part, read by itself; read with the first part, which it answers less likely by MORE; and of a sentence with the
# time or amount, or with a person, that is asked for.
ALONE = 0.55
TOGETHER = 0.5
MORE = 0.1
TIMED, TIMED_ALONE = 0.45, 0.35
PERSON = 0.7
OF_FACTS = frozenset({Kind.DEADLINE, Kind.AMOUNT})  # kinds that a number answers
_OFTEN_ASKED = re.compile(r"\b(?:how (?:often|frequently)|at what intervals?)\b", re.IGNORECASE)
_MAY = re.compile(r"\bmay\b")  # no month
_RECURS = re.compile(
    r"\b(?:every|each|per|once|twice|(?:annual|month|quarter|week|dai|year|biennial)ly|at least once|intervals?)\b",
    re.IGNORECASE,
)


class Told(NamedTuple):
    """A sentence that answers a later part: the number of its provision, its place in it, how likely, whether shown."""

    number: int
    place: int
    probability: float
    is_shown: bool


class _Sentence(NamedTuple):
    """A sentence of a shown provision: whether it is shown itself, and its words without those of the first answer."""

    number: int
    place: int
    is_shown: bool
    text: str
    rest: str


def told_beside(
    part: str, first: str, provisions: Sequence[ChosenProvision], passages: Sequence[PassageFound], *, reader: ReadPairs
) -> Told | None:
    """The sentence that most likely answers a later part, in the shown provisions; None if none does.

    Args:
        part: Of the question, as it is asked behind the first.
        first: The part before it.
        provisions: What is shown so far.
        passages: All of the question.
        reader: Asks the reader for pairs of texts.
    """
    kind, first_kind = kind_of(part), kind_of(first)
    sentences = [one for one in _sentences(provisions, passages) if _is_of_kind(one, part, kind, first_kind)]
    if not sentences:
        return None
    together = completed(part, first)
    texts = [_as_read(passages[provisions[one.number].passage].provision, one) for one in sentences]
    readings = reader([(question, text) for question in (part, together, first) for text in texts])
    chances = [one.answers for one in readings]
    n = len(sentences)
    told = [
        Told(one.number, one.place, max(alone, joint), one.is_shown)
        for one, alone, joint, before in zip(sentences, chances[:n], chances[n : 2 * n], chances[2 * n :], strict=True)
        if not lacks_its_own(part, first, one.text) and _tells(one, part, first, kind, chances=(alone, joint, before))
    ]
    return max(told, key=lambda one: one.probability, default=None)


def lacks_its_own(part: str, first: str, text: str) -> bool:
    """Whether a part repeats the first one's question for another thing, and a text does not name that thing.

    >>> asked = "What happens with travel time when I leave?", "What happens with time when I leave?"
    >>> lacks_its_own(*asked, "If you leave, your time is paid."), lacks_its_own(*asked, "Travel time is lost.")
    (True, False)
    """
    words, before = subject_of(part), subject_of(first)
    own = words - before
    return 0 < len(own) <= len(words & before) and not own <= subject_of(text)


def _sentences(provisions: Sequence[ChosenProvision], passages: Sequence[PassageFound]) -> Iterator[_Sentence]:
    """The sentences of the shown provisions; of a long one, those around the answer."""
    for number, one in enumerate(provisions):
        pieces = passages[one.passage].provision.pieces
        marks = {piece.place: piece.mark for piece in one.pieces}
        near = sorted(range(len(pieces)), key=lambda place: (place not in marks, abs(place - one.answering)))
        for place in sorted(near[:PIECES_READ]):
            text = pieces[place].text
            start, end = marks.get(place, (0, 0))
            yield _Sentence(number, place, place in marks, text, f"{text[:start]} {text[end:]}")


def _as_read(provision: Provision, one: _Sentence) -> str:
    return f"{provision.heading.rstrip('. ')}. {one.text}" if provision.heading else one.text


def _is_of_kind(one: _Sentence, part: str, kind: Kind, first_kind: Kind) -> bool:
    """Whether a sentence has the time or amount that is asked for, and not only the one of the first part."""
    if kind not in OF_FACTS:
        return True
    if _OFTEN_ASKED.search(part) and not _RECURS.search(one.text):
        return False
    if kind is first_kind is Kind.DEADLINE:
        facts = facts_of(one.rest)
        return bool(facts.durations or facts.dates)
    return fits(kind, _MAY.sub(" ", one.rest if kind is first_kind else one.text), question=part)


def _tells(one: _Sentence, part: str, first: str, kind: Kind, *, chances: tuple[float, float, float]) -> bool:
    """Whether a sentence answers the part, by its readings for the part alone, for both parts, and for the first."""
    alone, joint, before = chances
    if not one.is_shown:
        return alone >= ALONE and joint >= TOGETHER
    if alone >= ALONE:
        return True
    own = subject_of(part) - subject_of(first)
    if reads_alone(part) and own and not own & subject_of(one.text):
        return False
    if joint >= TOGETHER and joint >= before + MORE:
        return True
    if kind is Kind.WHO and joint >= PERSON and names_another(one.text, question=f"{part} {first}"):
        return True
    return kind in OF_FACTS and (joint >= TIMED or (alone >= TIMED_ALONE and alone > before))
