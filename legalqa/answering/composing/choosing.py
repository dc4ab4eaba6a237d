"""Which of the passages that were read answer one part of a question, and where else the same is said."""

from collections.abc import Sequence
from dataclasses import replace

from corpora.provisions.around import context_of
from corpora.provisions.features import facts_of
from legalqa.answering.composing.articles import (
    MOST_OF_ARTICLE,
    article_asked,
    in_order,
    paragraph_whole,
    paragraphs_of,
)
from legalqa.answering.composing.doers import orders_what_is_asked
from legalqa.answering.composing.kinds import Kind, subject_of, subject_of_heading
from legalqa.answering.composing.narrowing import list_asked, narrowed_to
from legalqa.answering.composing.outline import may_outline
from legalqa.answering.composing.parts import asking, is_same, words_of
from legalqa.answering.composing.pieces import piece_shown, pieces_shown
from legalqa.answering.composing.ranking import (
    is_bare,
    is_definition,
    is_law,
)
from legalqa.answering.composing.replacements import with_replacing
from legalqa.answering.composing.terms import defines, terms_asked
from legalqa.answering.composing.together import is_inside
from legalqa.answering.composing.types import (
    Asked,
    ChosenProvision,
    PassageFound,
    PassageRead,
    ReadPairs,
)
from legalqa.common.sentences import sentence_spans

FURTHER = 0.6  # ours: the reader's probability from which a further provision is shown beside the first
CLOSE = 0.75  # ours: log-odds by which a further provision may stay behind the first
RIVAL = 0.3  # ours: the same if the provision says the same as the first with another amount or time
RIVAL_WORDS = 0.6  # ours: share of the words of the shorter that two provisions must have in common to say the same
TWIN = 0.45  # ours: share of the words of two provisions, taken together, that both have if they state the same rule
# Ours: how many provisions are shown at most, by the kind of answer.
MOST = {
    Kind.LIST: 3,
    Kind.WHO: 3,
    Kind.OVERVIEW: 6,
    Kind.COMPARISON: 4,
    Kind.PROCEDURE: 3,
    Kind.CONDITION: 3,
    Kind.OPEN: 2,
}
MOST_OTHERWISE = 2  # ours: the same for kinds of answers that are not in MOST


def provisions_chosen(
    asked: Asked,
    kind: Kind,
    passages: Sequence[PassageFound],
    ranking: Sequence[PassageRead],
    *,
    reader: ReadPairs,
    limit: int,
) -> tuple[list[ChosenProvision], int]:
    """The provisions that answer one part of a question, best first, and how many more answer it."""
    first, question, is_ordered = ranking[0], asked.text, asked.is_whole
    sentence = asking(question)
    article = article_asked(sentence, kind, passages, first) if not (limit or asked.is_whole) else None
    item = None if asked.is_whole or kind is Kind.YES_NO else list_asked(sentence, passages[first.place])
    if item is None and kind is Kind.LIST and not asked.is_whole:
        item = narrowed_to(sentence, passages[first.place])
    if item is not None:
        pieces = piece_shown(passages[first.place].provision, item)
        return [ChosenProvision(first.place, *pieces)], 0
    if asked.is_whole:
        fit = in_order(sorted(places_asked(asked, passages), key=lambda n: passages[n].ordinal), ranking)
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
        if len(provisions) < most or (limit and _is_twin_rule(one, first, sentence, passages)):
            provisions.append(candidate)
        else:
            n_more += 1
    if not asked.is_whole:
        provisions = with_replacing(
            provisions,
            passages,
            ranking,
            lambda one: ChosenProvision(
                one.place, *pieces_shown(question, kind, passages[one.place], one, reader=reader)
            ),
        )
    if is_ordered:
        provisions.sort(key=lambda provision: passages[provision.passage].ordinal)
    others = [one.place for one in ranking if all(one.place != other.passage for other in provisions)]
    return [replace(one, also_in=_also_in(passages, one, others)) for one in provisions], n_more


def _twin(passages: Sequence[PassageFound], choice: ChosenProvision, place: int) -> bool:
    """Whether another passage says the same as the answering words of a chosen provision."""
    passage, words = passages[place], passages[choice.passage].provision.pieces[choice.answering].text
    return any(is_same(words, piece.text) for piece in passage.pieces)


def _also_in(
    passages: Sequence[PassageFound], choice: ChosenProvision, places: Sequence[int]
) -> tuple[tuple[int, int], ...]:
    """Where else the answer of a chosen provision is said: passages, and pieces of their provisions.

    For an item of another document, the line that opens its list counts too.
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
    """Whether the answer of a provision, with its list and exceptions, is already shown from another document.

    One more sentence in one of the documents is no reason to show a list twice.
    """
    own, there = passages[provision.passage].provision.pieces, passages[other.passage].provision.pieces
    wanted = [own[piece.place].text for piece in provision.pieces if piece.part != "rule"]
    return all(any(is_same(text, there[one.place].text) for one in other.pieces) for text in wanted)


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
    return is_outlined or _is_further(one, first, passages) or _is_twin_rule(one, first, question, passages)


def _is_twin_rule(one: PassageRead, first: PassageRead, question: str, passages: Sequence[PassageFound]) -> bool:
    """Whether a passage states the rule of the first for other persons, and the question names none.

    Providers of high-risk systems from outside the Union appoint a representative; so do those of general-purpose
    models.
    """
    passage, other = passages[one.place], passages[first.place]
    is_elsewhere = passage.version == other.version and passage.provision.path != other.provision.path
    if not is_elsewhere or one.probability < FURTHER or not (is_law(passage) and is_law(other)):
        return False
    own, there = set(words_of(passage.text)), set(words_of(other.text))
    if len(own & there) < TWIN * len(own | there):
        return False
    return not (subject_of(other.text) - subject_of(passage.text)) & subject_of(question)


def _is_further(one: PassageRead, first: PassageRead, passages: Sequence[PassageFound]) -> bool:
    """Whether a passage may be shown beside the first: as likely to answer, or the same rule with another amount."""
    passage = passages[one.place]
    is_close = one.probability >= FURTHER and one.score >= first.score - CLOSE
    is_rival = one.probability >= RIVAL and (
        _says_another_amount(passage, passages[first.place]) or _answers_with_another_amount(passage, first, passages)
    )
    return (is_close or is_rival) and is_law(passage) >= is_law(passages[first.place])


def _orders_too(question: str, passage: PassageFound) -> bool:
    """Whether a passage obliges somebody to do what the question asks who must do: providers or deployers keep logs."""
    before = context_of(passage.provision, passage.ordinal)
    return is_law(passage) and orders_what_is_asked(passage.text, question=question, before=before)


def _is_likely_with(other: PassageRead, one: PassageRead, passages: Sequence[PassageFound]) -> bool:
    """Whether another passage of the same document is likely to answer, too."""
    return passages[other.place].version == passages[one.place].version and other.probability >= FURTHER


def _general_first(question: str, passages: Sequence[PassageFound], fit: list[PassageRead]) -> list[PassageRead]:
    """Of rules that differ only in their amounts, a rule for everyone comes before one for some, by their headings.

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
    return _differ_in_amount(*texts)


def _differ_in_amount(*texts: str) -> bool:
    words = [frozenset(words_of(text)) for text in texts]
    if len(words[0] & words[1]) < RIVAL_WORDS * min(map(len, words)):
        return False
    amounts = [{*facts.amounts, *facts.durations} for facts in map(facts_of, texts)]
    return all(amounts) and amounts[0] != amounts[1]


def _answers_with_another_amount(passage: PassageFound, first: PassageRead, passages: Sequence[PassageFound]) -> bool:
    """Whether a sentence of a passage says nearly what the one that answers in the first does, with another amount."""
    if first.span is None:
        return False
    text = passages[first.place].text
    own = next((text[start:end] for start, end in sentence_spans(text) if start <= first.span[0] < end), "")
    return any(_differ_in_amount(own, passage.text[start:end]) for start, end in sentence_spans(passage.text))


def places_asked(asked: Asked, passages: Sequence[PassageFound]) -> list[int]:
    """The places of the passages that may answer: if the question names a contract, only that contract's."""
    if asked.versions:
        own = [n for n, one in enumerate(passages) if one.version in asked.versions]
        return [n for n in own if passages[n].ordinal in asked.ordinals] if asked.ordinals else own
    own = [n for n, one in enumerate(passages) if not one.is_elsewhere]
    return own or list(range(len(passages)))
