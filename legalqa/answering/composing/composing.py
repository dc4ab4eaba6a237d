"""Composing an answer: read the passages, choose provisions, and choose the pieces that make each provision whole.

Source: retrieve, read, verify as in Hu et al. 2019 (Read + Verify) and Policy Copilot's extractive mode. Differs: the
unit is a provision with its list and exceptions; what kind of answer is asked for decides how much of it is shown.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from corpora.provisions.around import context_of
from corpora.provisions.types import Role
from legalqa.answering.composing.choosing import FURTHER, places_asked, provisions_chosen
from legalqa.answering.composing.doers import NAMED
from legalqa.answering.composing.kinds import OF_ARTICLES, Kind, kind_of, subject_of
from legalqa.answering.composing.leaning import completed, is_short, names_another_doer
from legalqa.answering.composing.naming import asked_for_length
from legalqa.answering.composing.outline import outline_of
from legalqa.answering.composing.parts import asks_only_exceptions, reads_alone
from legalqa.answering.composing.pieces import piece_shown
from legalqa.answering.composing.ranking import (
    PASSAGES_OF_LIST,
    PASSAGES_READ,
    UNREAD,
    chance_of,
    is_definition,
    passages_ranked,
)
from legalqa.answering.composing.telling import OF_FACTS, Told, lacks_its_own, told_beside
from legalqa.answering.composing.together import (
    exception_beside,
    exceptions_told,
    is_inside,
    names_subject,
    taken_up,
    tells_too,
)
from legalqa.answering.composing.types import (
    Asked,
    ChosenProvision,
    Composed,
    Likeness,
    PartAnswered,
    PassageFound,
    PassageRead,
    ReadPairs,
)
from legalqa.encoder.client import Read

# The probability from which an answer is given: the lowest whole percent at which four of five of our own unanswerable
# questions are declined. A higher threshold declines more often and is wrong less often. In a large corpus the same
# score declines four of five too (`manage.py results --only gate`).
THRESHOLD = 0.35
OF_SEVERAL = OF_ARTICLES | {Kind.COMPARISON}  # kinds of answers that several passages give together
UNSURE = 0.5  # ours: share of THRESHOLD from which a provision is shown as the likeliest, without an answer
PASSAGES_OF_PART = 6  # chosen like PASSAGES_READ: passages read for each part of a question with several parts
BESIDE = 2.0  # ours: log-odds added, for a later part, to passages of the article that answers the first part
UNNAMED = -6.0  # ours: log-odds added to passages that do not name the case that a follow-up is about
AGAIN = 1.0  # ours: log-odds by which a passage that is already shown may trail the best one for a dependent part
ALSO = 0.5  # ours: the reader's probability from which a passage is shown apart, as "on the subject"
ALSO_MOST = 5  # ours: most passages shown apart
_NAMES = {Role.RECITAL: "recital", Role.PREAMBLE: "preamble", Role.NOTE: "explanatory note", Role.EXAMPLE: "example"}


def compose(
    question: str,
    parts: Sequence[str],
    passages: Sequence[PassageFound],
    *,
    reader: ReadPairs | None,
    likeness: Likeness,
    threshold: float = THRESHOLD,
    typed: str = "",
    case: str = "",
    of_documents: Sequence[Asked] = (),
) -> Composed:
    """Choose what answers a question.

    Args:
        question: In the person's words, completed where it follows another up.
        parts: The question, and where it asks several things, each of them.
        passages: Best first.
        reader: Asks the reader for pairs of texts; None where none is on.
        likeness: The cosines of a text with others.
        threshold: The chance from which an answer is given; 0 answers from any passage.
        typed: The words of a follow-up that names another thing, as they were typed: they tell the kind of answer.
        case: The case for which a follow-up asks the previous question again; passages that do not name it hardly
            answer.
        of_documents: If the question compares documents or houses, what each of them is asked: these are its parts.

    Returns:
        The provisions that answer; none if nothing is likely to.
    """
    questions = of_documents or [Asked(text) for text in parts[1:] or (question,)]
    composing = _Composing(passages, reader, likeness, threshold, len(questions), typed, subject_of(case))
    answered = [composing.part(asked) for asked in questions]
    provisions = composing.provisions
    ranking = tuple(sorted(composing.best.values(), key=lambda one: (-one.score, one.place)))
    kind = kind_of(typed or question)
    return Composed(
        str(kind),
        tuple(provisions),
        tuple(answered),
        _also(passages, ranking, provisions) if provisions else (),
        ranking,
        composing.n_more,
        likeliest=None if provisions else composing.likeliest,
        outline=outline_of(question, passages, ranking, provisions) if kind is Kind.OVERVIEW else (),
    )


@dataclass(slots=True)
class _Composing:
    """The parts of a question, answered one after the other, and what has been chosen so far."""

    passages: Sequence[PassageFound]
    reader: ReadPairs | None
    likeness: Likeness
    threshold: float
    n_questions: int
    typed: str
    case: set[str]
    provisions: list[ChosenProvision] = field(default_factory=list)
    best: dict[int, PassageRead] = field(default_factory=dict)
    n_more: int = 0
    likeliest: ChosenProvision | None = None
    highest: float = 0.0
    firsts: dict[frozenset[str], PartAnswered] = field(default_factory=dict)

    def part(self, asked: Asked) -> PartAnswered:
        """What answers one part; a part that leans on the first that the same documents are asked is read with it."""
        text = asked_for_length(asked.text)
        kind = kind_of(f"{text.rstrip('?. ')} must it be done?" if is_short(text) else self.typed or text)
        before = self.firsts.get(asked.versions)
        first = None if reads_alone(text) else before
        words = completed(text, first.asked.text) if first else text
        readings = self._ranked(asked, words, kind)
        readings = self._after(text, None if names_another_doer(text) else before, readings)
        put, chance = _whole(asked, chance_of(readings, self.passages, is_read=self.reader is not None), self.threshold)
        if first:  # nothing was found on the first part, so nothing more is said about it
            chance = min(chance, first.probability)
        self.best |= {one.place: one for one in readings if one.score > _score(self.best, one.place)}
        numbers = self._told(text, words, kind, first) if first else ()
        told = None if numbers else self._told_beside(text, before)
        is_likely = bool(readings) and chance >= self.threshold
        told_by = ""
        if first and numbers:
            chance = first.probability
        elif told and not (is_likely and (told.is_shown or readings[0].probability >= told.probability)):
            numbers, chance = self._shown_with(told), max(chance, told.probability)
        elif is_likely:
            numbers = self._shown(put, kind, readings, is_told=told is not None)
            told_by = readings[0].told_by
        elif readings and chance >= max(self.highest, UNSURE * self.threshold):
            self.highest = chance
            self.likeliest = self._chosen(asked, kind, readings, limit=1)[0][0]
        is_above = first is not None and not numbers  # the answer to the first part may also answer this one
        if first and is_above:
            numbers, chance = first.provisions, first.probability
        answered = PartAnswered(put, chance, numbers, is_above=is_above, told_by=told_by)
        self.firsts.setdefault(asked.versions, answered)
        return answered

    def _ranked(self, asked: Asked, words: str, kind: Kind) -> list[PassageRead]:
        """The passages that may answer, best first, with their places among all."""
        most = max((PASSAGES_OF_LIST if kind in OF_SEVERAL else PASSAGES_READ) // self.n_questions, PASSAGES_OF_PART)
        places = places_asked(asked, self.passages)
        own = [self.passages[place] for place in places]
        readings = passages_ranked(words, own, kind=kind, reader=self.reader, likeness=self.likeness, most=most)
        return [replace(one, place=places[one.place]) for one in readings]

    def _told(self, text: str, words: str, kind: Kind, first: PartAnswered) -> tuple[int, ...]:
        """The provisions of the first part that also answer a part that depends on it."""
        shown = [self.provisions[number] for number in first.provisions]
        is_told = is_short(text) and tells_too(words, kind, shown, self.passages)
        if is_told:
            return first.provisions
        if not asks_only_exceptions(text):
            return ()
        numbers = exceptions_told(self.provisions, self.passages)
        beside = None if numbers else exception_beside(shown, self.passages)
        return taken_up([beside], self.provisions, self.passages) if beside else numbers

    def _after(self, asked: str, before: PartAnswered | None, readings: list[PassageRead]) -> list[PassageRead]:
        """What may answer, best first, in view of what was asked before.

        First come passages that name the case of a follow-up; for a later part, passages of the article that answers
        the first part; for a short part ("by whom?"), passages that are already shown, if they are about as likely as
        the best: who keeps logs is said where it says for how long.
        """
        shown = [self.passages[self.provisions[n].passage] for n in before.provisions] if before else []
        articles = {(one.version, one.provision.path) for one in shown if not is_definition(one)}

        def lacks(passage: PassageFound) -> bool:
            text = context_of(passage.provision, passage.ordinal) + passage.text
            return before is not None and lacks_its_own(asked, before.asked.text, text)

        def weighed(one: PassageRead) -> PassageRead:
            passage = self.passages[one.place]
            is_beside = (passage.version, passage.provision.path) in articles
            more = BESIDE if is_beside and not lacks(passage) else 0.0
            more += 0.0 if _names(self.case, passage) else UNNAMED
            return replace(one, score=one.score + more) if more else one

        readings = sorted(map(weighed, readings), key=lambda one: (not one.is_amount, -one.score, one.place))

        def is_again(one: PassageRead) -> bool:
            passage, is_likely = self.passages[one.place], one.probability >= FURTHER
            if not is_likely or one.score < readings[0].score - AGAIN or is_definition(passage):
                return False
            return any(is_inside(self.passages, passage, own) for own in self.provisions)

        return sorted(readings, key=lambda one: not is_again(one)) if is_short(asked) else readings

    def _told_beside(self, text: str, before: PartAnswered | None) -> Told | None:
        """The sentence that answers a later part, among those that are shown for the earlier parts."""
        if self.reader is None or before is None or not before.provisions:
            return None
        return told_beside(text, before.asked.text, self.provisions, self.passages, reader=self.reader)

    def _shown_with(self, told: Told) -> tuple[int, ...]:
        """The number of the provision whose sentence answers a part; the sentence is then shown with it."""
        shown = self.provisions[told.number]
        if not told.is_shown:
            pieces = piece_shown(self.passages[shown.passage].provision, told.place)
            taken_up([ChosenProvision(shown.passage, *pieces)], self.provisions, self.passages)
        return (told.number,)

    def _shown(
        self, asked: Asked, kind: Kind, readings: Sequence[PassageRead], *, is_told: bool = False
    ) -> tuple[int, ...]:
        """The numbers of the provisions shown for a part; none if those that are already shown do not answer it."""
        own, more = self._chosen(asked, kind, readings, limit=int(self.n_questions > 1))
        self.n_more += more
        shown, n_before = list(self.provisions), len(self.provisions)
        numbers = taken_up(own, self.provisions, self.passages, is_named=asked.is_whole)
        if shown == self.provisions and self.reader and not is_told and kind_of(asked.text) in OF_FACTS:
            return ()  # the time that the first part asks for is not that of this one
        shown_before = any(number < n_before for number in numbers)
        is_said = is_told or names_subject(asked.text, [self.provisions[number] for number in numbers], self.passages)
        return numbers if is_said or not shown_before else ()

    def _chosen(
        self, asked: Asked, kind: Kind, readings: Sequence[PassageRead], *, limit: int
    ) -> tuple[list[ChosenProvision], int]:
        reads = self.reader or _by_likeness(self.likeness)
        return provisions_chosen(asked, kind, self.passages, readings, reader=reads, limit=limit)


def _names(case: set[str], passage: PassageFound) -> bool:
    """Whether a passage, with what it needs, or an exception to it has most words of a case."""
    provision = passage.provision
    exceptions = (piece.text for piece in provision.pieces if piece.part == "exception")
    texts = (provision.heading, context_of(provision, passage.ordinal), passage.text, *exceptions)
    return len(case & subject_of(" ".join(texts))) >= NAMED * len(case)


def _whole(asked: Asked, chance: float, threshold: float) -> tuple[Asked, float]:
    """If a question names a provision and no passage in it is a likely answer, the whole provision is the answer."""
    if asked.is_whole:
        return asked, 1.0
    if asked.may_be_whole and chance < threshold:
        return replace(asked, is_whole=True, ordinals=asked.may_be_whole), threshold
    return asked, chance


def _score(best: Mapping[int, PassageRead], place: int) -> float:
    return best[place].score if place in best else -math.inf


def _by_likeness(likeness: Likeness) -> ReadPairs:
    """What takes the reader's place for the pieces of a provision if no reader is on: similarity to the question."""

    def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        cosines = likeness(pairs[0][0], [text for _, text in pairs])
        return [UNREAD._replace(answers=max(0.0, cosine)) for cosine in cosines]

    return read


def _also(
    passages: Sequence[PassageFound], ranking: Sequence[PassageRead], provisions: Sequence[ChosenProvision]
) -> tuple[tuple[int, str], ...]:
    """Passages on the subject that are shown apart from the answer, each with what it is, best first."""
    asides: list[tuple[int, str]] = []
    for one in ranking:
        passage = passages[one.place]
        is_shown = any(is_inside(passages, passage, other) for other in provisions)
        if one.probability >= ALSO and not is_shown and len(asides) < ALSO_MOST:
            role = passage.provision.role
            asides.append((one.place, _NAMES.get(Role(role), "on the subject") if role else "on the subject"))
    return tuple(asides)
