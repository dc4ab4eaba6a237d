"""Composing an answer: read the passages, choose provisions, and of each the pieces that make it whole.

Source: retrieve, read, verify as in Hu et al. 2019 (Read + Verify) and Policy Copilot's extractive mode. Differs: the
unit is a provision with its list and exceptions; what kind of answer is asked for decides how much of it is shown.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from corpora.provisions.around import context_of
from corpora.provisions.features import facts_of
from corpora.provisions.types import Role
from legalqa.answering.composing.articles import (
    MOST_OF_ARTICLE,
    article_asked,
    in_order,
    paragraph_whole,
    paragraphs_of,
)
from legalqa.answering.composing.doers import orders_what_is_asked
from legalqa.answering.composing.kinds import OF_ARTICLES, Kind, kind_of, subject_of, subject_of_heading
from legalqa.answering.composing.naming import asked_for_length
from legalqa.answering.composing.narrowing import narrowed_to
from legalqa.answering.composing.outline import may_outline, outline_of
from legalqa.answering.composing.parts import asking, completed, is_same, reads_alone, words_of
from legalqa.answering.composing.pieces import piece_shown, pieces_shown
from legalqa.answering.composing.ranking import (
    PASSAGES_OF_LIST,
    PASSAGES_READ,
    UNREAD,
    chance_of,
    is_bare,
    is_definition,
    is_law,
    passages_ranked,
)
from legalqa.answering.composing.terms import defines, terms_asked
from legalqa.answering.composing.together import exceptions_told, is_inside, is_told, taken_up
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

# The chance from which an answer is given: the lowest whole percent at which four of five questions of our own that
# nothing answers are declined; a higher one is silent more often, and wrong less often. In a large corpus the same
# score does so (`manage.py results --only gate`).
THRESHOLD = 0.35
OF_SEVERAL = OF_ARTICLES | {Kind.COMPARISON}  # kinds that several passages answer
UNSURE = 0.5  # ours: share of THRESHOLD from which a provision is shown as the likeliest, without an answer
FURTHER = 0.6  # ours: the reader's probability from which a further provision is shown beside the first
CLOSE = 0.75  # ours: log-odds by which a further provision may stay behind the first
RIVAL = 0.3  # ours: that probability where the provision says the same as the first with another amount or time
RIVAL_WORDS = 0.6  # ours: share of the words of the shorter that two provisions must have in common to say the same
# Ours: provisions that are shown, by the kind of answer that is asked for.
MOST = {
    Kind.LIST: 3,
    Kind.WHO: 3,
    Kind.OVERVIEW: 6,
    Kind.COMPARISON: 4,
    Kind.PROCEDURE: 3,
    Kind.CONDITION: 3,
    Kind.OPEN: 2,
}
MOST_OTHERWISE = 2  # ours: provisions that are shown for a kind of answer that MOST does not name
PASSAGES_OF_PART = 6  # chosen as PASSAGES_READ is: passages that are read for one part of a question that asks several
ALSO = 0.5  # ours: the reader's probability from which a passage is shown apart, as "on the subject"
ALSO_MOST = 5  # ours: passages that are shown apart at most
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
        typed: Of a follow-up that names another thing, the words themselves: they tell the kind of answer.
        of_documents: Of a question that compares documents or houses, what each is asked: these are its parts.

    Returns:
        The provisions that answer, none where nothing is likely to.
    """
    questions = of_documents or [Asked(text) for text in parts[1:] or (question,)]
    composing = _Composing(passages, reader, likeness, threshold, len(questions), typed)
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
    provisions: list[ChosenProvision] = field(default_factory=list)
    best: dict[int, PassageRead] = field(default_factory=dict)
    n_more: int = 0
    likeliest: ChosenProvision | None = None
    highest: float = 0.0
    firsts: dict[frozenset[str], PartAnswered] = field(default_factory=dict)

    def part(self, asked: Asked) -> PartAnswered:
        """What answers one part; a part that leans on the first that the same documents are asked is read with it."""
        text = asked_for_length(asked.text)
        kind = kind_of(self.typed or text)
        first = None if reads_alone(text) else self.firsts.get(asked.versions)
        words = completed(text, first.asked.text) if first else text
        most = _n_read(kind, self.n_questions)
        readings = _ranked(asked, words, kind, self.passages, self.reader, self.likeness, most=most)
        if first:
            readings.sort(key=lambda one: not (one.probability >= FURTHER and self._is_shown(one.place)))
        put, chance = _whole(asked, chance_of(readings, self.passages, is_read=self.reader is not None), self.threshold)
        if first:  # what the documents say nothing of, they say nothing more of
            chance = min(chance, first.probability)
        self.best |= {one.place: one for one in readings if one.score > _score(self.best, one.place)}
        numbers = exceptions_told(text, self.provisions, self.passages) if first else ()
        if first and numbers:
            chance = first.probability
        elif readings and chance >= self.threshold:
            numbers = self._shown(put, kind, readings)
        elif readings and chance >= max(self.highest, UNSURE * self.threshold):
            self.highest = chance
            self.likeliest = self._chosen(asked, kind, readings, limit=1)[0][0]
        if first and asked.versions and not numbers:  # what a document says of the first may tell this, too
            numbers, chance = first.provisions, first.probability
        answered = PartAnswered(put, chance, numbers)
        self.firsts.setdefault(asked.versions, answered)
        return answered

    def _is_shown(self, place: int) -> bool:
        return any(is_inside(self.passages, self.passages[place], own) for own in self.provisions)

    def _shown(self, asked: Asked, kind: Kind, readings: Sequence[PassageRead]) -> tuple[int, ...]:
        """The numbers of the provisions that are shown for a part; none where those shown before say nothing of it."""
        own, more = self._chosen(asked, kind, readings, limit=int(self.n_questions > 1))
        self.n_more += more
        n_before = len(self.provisions)
        numbers = taken_up(own, self.provisions, self.passages)
        shown_before = any(number < n_before for number in numbers)
        is_said = is_told(asked.text, [self.provisions[number] for number in numbers], self.passages)
        return numbers if is_said or not shown_before else ()

    def _chosen(
        self, asked: Asked, kind: Kind, readings: Sequence[PassageRead], *, limit: int
    ) -> tuple[list[ChosenProvision], int]:
        reads = self.reader or _by_likeness(self.likeness)
        return _choose(asked, kind, self.passages, readings, reader=reads, limit=limit)


def _places_asked(asked: Asked, passages: Sequence[PassageFound]) -> list[int]:
    """The places of the passages that may answer: who names a contract is given no other one, nor silence for one."""
    if asked.versions:
        own = [n for n, one in enumerate(passages) if one.version in asked.versions]
        return [n for n in own if passages[n].ordinal in asked.ordinals] if asked.ordinals else own
    own = [n for n, one in enumerate(passages) if not one.is_elsewhere]
    return own or list(range(len(passages)))


def _whole(asked: Asked, chance: float, threshold: float) -> tuple[Asked, float]:
    """A question that names a provision and no likely answer in it is answered by all of the provision."""
    if asked.is_whole:
        return asked, 1.0
    if asked.may_be_whole and chance < threshold:
        return replace(asked, is_whole=True, ordinals=asked.may_be_whole), threshold
    return asked, chance


def _ranked(
    asked: Asked,
    words: str,
    kind: Kind,
    passages: Sequence[PassageFound],
    reader: ReadPairs | None,
    likeness: Likeness,
    *,
    most: int,
) -> list[PassageRead]:
    """The passages that may answer, best first, with their places among all."""
    places = _places_asked(asked, passages)
    own = [passages[place] for place in places]
    readings = passages_ranked(words, own, kind=kind, reader=reader, likeness=likeness, most=most)
    return [replace(one, place=places[one.place]) for one in readings]


def _n_read(kind: Kind, n_questions: int) -> int:
    """How many passages are read for one of so many questions."""
    most = PASSAGES_OF_LIST if kind in OF_SEVERAL else PASSAGES_READ
    return max(most // n_questions, PASSAGES_OF_PART)


def _score(best: Mapping[int, PassageRead], place: int) -> float:
    return best[place].score if place in best else -math.inf


def _by_likeness(likeness: Likeness) -> ReadPairs:
    """What is read of the pieces of a provision where no reader is on: how near each is to the question."""

    def read(pairs: Sequence[tuple[str, str]]) -> list[Read]:
        cosines = likeness(pairs[0][0], [text for _, text in pairs])
        return [UNREAD._replace(answers=max(0.0, cosine)) for cosine in cosines]

    return read


def _choose(
    asked: Asked,
    kind: Kind,
    passages: Sequence[PassageFound],
    ranking: Sequence[PassageRead],
    *,
    reader: ReadPairs,
    limit: int,
) -> tuple[list[ChosenProvision], int]:
    """The provisions that answer one part of a question, best first, and how many more there would be."""
    first, question, is_ordered = ranking[0], asked.text, asked.is_whole
    sentence = asking(question)
    article = article_asked(sentence, kind, passages, first) if not (limit or asked.is_whole) else None
    item = narrowed_to(sentence, passages[first.place]) if kind is Kind.LIST and not asked.is_whole else None
    if item is not None:
        pieces = piece_shown(passages[first.place].provision, item)
        return [ChosenProvision(first.place, *pieces)], 0
    if asked.is_whole:
        fit = in_order(sorted(_places_asked(asked, passages), key=lambda n: passages[n].ordinal), ranking)
    elif article:
        fit, is_ordered = paragraphs_of(sentence, article, passages, ranking)
    else:
        fit = [one for one in ranking if one is first or _fits_beside(one, first, sentence, kind, passages)]
    is_article = asked.is_whole or article is not None
    most = MOST_OF_ARTICLE if is_article else limit or MOST.get(kind, MOST_OTHERWISE)
    beside = {passages[one.place].ordinal for one in fit[:most]} if is_article else set[int]()
    provisions: list[ChosenProvision] = []
    n_more = 0
    for one in fit if asked.is_whole else _general_first(question, passages, fit):
        passage = passages[one.place]
        if any(is_inside(passages, passage, other) or _twin(passages, other, one.place) for other in provisions):
            continue
        likely = {passages[other.place].ordinal for other in ranking if _is_likely_with(other, one, passages)}
        pieces = pieces_shown(question, kind, passage, one, reader=reader, likely=likely)
        candidate = ChosenProvision(one.place, *pieces)
        if is_article:
            candidate = paragraph_whole(passage, candidate, beside=beside, asked=asked.ordinals)
        if any(_repeats(passages, candidate, other) for other in provisions):
            continue
        if len(provisions) < most:
            provisions.append(candidate)
        else:
            n_more += 1
    if is_ordered:
        provisions.sort(key=lambda provision: passages[provision.passage].ordinal)
    others = [one.place for one in ranking if all(one.place != other.passage for other in provisions)]
    return [replace(one, also_in=_also_in(passages, one, others)) for one in provisions], n_more


def _twin(passages: Sequence[PassageFound], choice: ChosenProvision, place: int) -> bool:
    """Whether another passage says what answers in a chosen provision."""
    passage, words = passages[place], passages[choice.passage].provision.pieces[choice.answering].text
    return any(is_same(words, piece.text) for piece in passage.pieces)


def _also_in(
    passages: Sequence[PassageFound], choice: ChosenProvision, places: Sequence[int]
) -> tuple[tuple[int, int], ...]:
    """Where else what answers in a chosen provision is said: passages, and pieces of their provisions.

    Of an item read in another document, the line that opens its list counts, too.
    """
    words = passages[choice.passage].provision.pieces[choice.answering].text
    copies: dict[tuple[str, int], tuple[int, int]] = {}
    for place in places:
        passage = passages[place]
        is_other = passage.version != passages[choice.passage].version
        for n, piece in enumerate(passage.provision.pieces):
            if (is_other or piece.ordinal == passage.ordinal) and is_same(words, piece.text):
                copies.setdefault((passage.version, piece.ordinal), (place, n))
    return tuple(copies.values())


def _repeats(passages: Sequence[PassageFound], provision: ChosenProvision, other: ChosenProvision) -> bool:
    """Whether each piece of a provision is shown already, as a piece of one in another document."""
    own, there = passages[provision.passage].provision.pieces, passages[other.passage].provision.pieces
    return all(
        any(is_same(own[piece.place].text, there[one.place].text) for one in other.pieces) for piece in provision.pieces
    )


def _fits_beside(
    one: PassageRead, first: PassageRead, question: str, kind: Kind, passages: Sequence[PassageFound]
) -> bool:
    """Whether a passage is shown beside the first: it answers as well, or the kind of answer has several."""
    if is_bare(passages[one.place]):
        return False
    if kind is Kind.WHO and one.probability >= FURTHER and _orders_too(question, passages[one.place]):
        return True
    if kind is Kind.COMPARISON and is_definition(passages[one.place]):
        return any(defines(term, passages[one.place].text) for term in terms_asked(question))
    is_outlined = kind is Kind.OVERVIEW and may_outline(question, passages[one.place], one.probability)
    return is_outlined or _is_further(one, first, passages)


def _is_further(one: PassageRead, first: PassageRead, passages: Sequence[PassageFound]) -> bool:
    """Whether a passage may be shown beside the first: as likely to answer, or the same with another amount."""
    passage = passages[one.place]
    is_close = one.probability >= FURTHER and one.score >= first.score - CLOSE
    is_rival = one.probability >= RIVAL and _says_another_amount(passage, passages[first.place])
    return (is_close or is_rival) and is_law(passage) >= is_law(passages[first.place])


def _orders_too(question: str, passage: PassageFound) -> bool:
    """Whether a passage obliges somebody to do what it is asked who must do: providers keep logs, and deployers do."""
    before = context_of(passage.provision, passage.ordinal)
    return is_law(passage) and orders_what_is_asked(passage.text, question=question, before=before)


def _is_likely_with(other: PassageRead, one: PassageRead, passages: Sequence[PassageFound]) -> bool:
    """Whether another passage of the same document is likely to answer, too."""
    return passages[other.place].version == passages[one.place].version and other.probability >= FURTHER


def _general_first(question: str, passages: Sequence[PassageFound], fit: list[PassageRead]) -> list[PassageRead]:
    """Of rules that say the same with other amounts, one for all before one for some, as its heading says it is.

    "Administrative fines on Union institutions, bodies, offices and agencies" comes after "Penalties", unless that is
    what is asked for.
    """
    if not fit or fit[0].is_amount:
        return fit
    first, subject = fit[0], subject_of(question)
    headings = {one.place: subject_of_heading(passages[one.place].provision.heading) for one in fit}
    special = headings[first.place]

    def is_general(one: PassageRead) -> bool:
        own, text = headings[one.place] - subject, subject_of(passages[one.place].text)
        is_for_some = 2 * len(own) < len(special - subject) and special & subject <= text
        return bool(own) and is_for_some and _says_another_amount(passages[one.place], passages[first.place])

    general = next(filter(is_general, fit), first)
    return [general, *(one for one in fit if one is not general)]


def _says_another_amount(one: PassageFound, other: PassageFound) -> bool:
    """Whether two passages say nearly the same with another amount or time, as rules for different persons do."""
    texts = [context_of(passage.provision, passage.ordinal) + passage.text for passage in (one, other)]
    amounts = [{*facts.amounts, *facts.durations} for facts in map(facts_of, texts)]
    words = [frozenset(words_of(text)) for text in texts]
    shared = len(words[0] & words[1]) >= RIVAL_WORDS * min(map(len, words))
    return all(amounts) and amounts[0] != amounts[1] and shared


def _also(
    passages: Sequence[PassageFound], ranking: Sequence[PassageRead], provisions: Sequence[ChosenProvision]
) -> tuple[tuple[int, str], ...]:
    """Passages on the subject that are shown apart: what they are, best first."""
    asides: list[tuple[int, str]] = []
    for one in ranking:
        passage = passages[one.place]
        is_shown = any(is_inside(passages, passage, other) for other in provisions)
        if one.probability >= ALSO and not is_shown and len(asides) < ALSO_MOST:
            role = passage.provision.role
            asides.append((one.place, _NAMES.get(Role(role), "on the subject") if role else "on the subject"))
    return tuple(asides)
