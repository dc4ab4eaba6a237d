"""Which passages answer: the nearest are read, and the reader's word is weighed with similarity and their role.

Source: retrieve and rerank with a cross-encoder (Nogueira & Cho 2019). Differs: the cosine stays a part of the score;
the kind of answer asked for, and the role of a passage in its document, count for or against it.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean, pstdev

from corpora.provisions.around import READ_CHARS, context_of, items_of
from corpora.provisions.exceptions import announces, saves
from corpora.provisions.features import facts_of
from corpora.provisions.roles import names_only
from corpora.provisions.types import Role
from corpora.tokens import tokens
from legalqa.answering.composing.amounts import told_plainly
from legalqa.answering.composing.doers import acts_as_asked, obliges_another, orders_what_is_asked
from legalqa.answering.composing.exclusions import asks_who_is_excluded
from legalqa.answering.composing.extremes import extreme_first
from legalqa.answering.composing.fitting import (
    fits,
    points_elsewhere,
    says_contents_of_another,
    says_from_when,
    says_how_often,
    says_who_becomes,
)
from legalqa.answering.composing.kinds import (
    OF_ARTICLES,
    OF_RULES,
    WHOLE_LISTS,
    Kind,
    asks_what_it_is_about,
    clause_subject,
    is_about,
    is_headed,
    overview_subject,
)
from legalqa.answering.composing.parts import asking, words_of
from legalqa.answering.composing.tables import is_table, table_as_read
from legalqa.answering.composing.terms import asks_of_class, defines, defines_another, terms_asked
from legalqa.answering.composing.types import Likeness, PassageFound, PassageRead, ReadPairs
from legalqa.answering.verification.orders import gives_orders
from legalqa.common.sentences import sentence_spans
from legalqa.encoder.client import Read

# Log-odds that are added to the reader's for one passage. Ours, chosen on questions of our own and the development rows
# of the reader's data.
DEFINES = 2.5  # added where the passage defines the very term that is asked for
MISFIT = -4.0  # added where a number, time or body is asked for and the passage names none
POINTING = -2.0  # added where a term is asked for and the passage only says where it is defined
OTHER_TERM = -2.0  # added where a term is asked for and the passage defines another one
DEFINING = -1.5  # added where an amount, a time or the like is asked for and the passage defines a term
ORDERED = 2.0  # added where the question asks who must act, or when, and the passage obliges somebody to act so
OTHER_DOER = -2.0  # added where the question asks what somebody must do, or something contain, and the passage says so
# of others
BECOMES = 2.0  # added where the question asks when somebody becomes something and the passage says who is taken for it
OFTEN = 2.0  # added where the question asks how often or how recently and the passage says so of what is named
BEGINS = 2.0  # added where the question asks since when something applies, or is in force, and the passage says that
LIKELY_PLAIN = 0.7  # ours: the least probability of such a passage
PLAIN = 2.0  # added where the passage gives the amount or time below a heading of that name, or for any breach
NAMING = 1.5  # added where the question names an amount or a time and the passage names the same
ABOUT = 2.0  # added where an overview is asked for, which no single passage gives, and the passage is on its subject
HEADED = 2.0  # added where a list or an overview is asked for and the passage's heading names just that
LISTED = 1.0  # added where a list is asked for and the passage introduces one or is an item of one
SAVING = -1.5  # added where the passage only says that other rules stay as they are
ANNOUNCING = -2.0  # added where the passage, or the line that opens its list, only says what the law holds
RULE_NEAR = 1.5  # ours: how far a rule may trail its exception, the best passage, and still come before it
ASIDE = -1.0  # added where a rule is asked for and the passage is an exception to one
BARE = -3.0  # added where the passage is a heading, a name or a cell, and no item of a list that says something
INSTRUCTS = -12.0  # added where the passage gives orders to a model: it is no evidence, whatever it says
NOT_LAW = {  # added by the role of the passage's provision where that is no operative text
    Role.RECITAL: -1.5,
    Role.PREAMBLE: -1.5,
    Role.NOTE: -2.5,
    Role.EXAMPLE: -2.5,
    Role.SUPERSEDED: -2.0,
    Role.CONTENTS: -3.0,
}
# Weight of how far the cosine of question and passage stands out from those of the NEAR nearest; chosen on 1,120
# questions on sixteen of the documents of `legalqa/training/reader/data/invented_*`.
CLOSENESS = 0.9
NEAR = 60  # ours: the nearest passages, with whose cosines one is compared
USUAL = tuple(0.05 + 0.005 * n for n in range(NEAR))  # ours: they take the place of missing passages
MOST_MEAN = 0.3  # ours: among similar contracts everything near may answer, and must not count against it
LEAST_SPREAD = 0.1  # ours: the least deviation, for the same reason
# Weight of the lead of the best passage over the best one of another provision, in log-odds; chosen on the questions
# of `GATE` and 84 others of our own on the EU AI Act.
LEADS = 0.5
LEAD_MOST = 4.0
# The probability that the best passage answers is a logistic regression of `sureness`, (slope, bias), fitted on the 192
# questions of `tests/data/answers` among other rules (`results --only gate`).
GATE = (0.68, -1.08)
GATE_UNREAD = (0.65, -2.13)  # used where no reader is on: the same regression of the score without one
# The reader reads this many of the passages that the search opened, the likeliest first: of our own questions as many
# are answered as with 16 or 64. Of a list or an overview, which several passages answer, it reads more.
PASSAGES_READ = 8
PASSAGES_OF_LIST = 16
ITEMS_READ = 4  # ours: of one list and the line that opens it, unless a list is asked for: or they take every place
# The order of the search helps to choose what is read, above all in large laws: this is added for its first passage,
# half of it for its third. Chosen on the questions of `GATE` and 84 others of our own on the EU AI Act.
SEARCHED_FIRST = 0.5
HALVED_AT = 2
OF_RULES_ALONE = frozenset({Kind.AMOUNT, Kind.DEADLINE, Kind.LIST, Kind.PROCEDURE, Kind.CONDITION})
_EXCEPTION_ASKED = re.compile(r"\b(?:except\w*|exempt\w*|derogat\w*|not|outside|without|unless)\b", re.IGNORECASE)
_COUNTED = re.compile(r"(?!an?\b|one\b|with)\w+[ -]", re.IGNORECASE)
_BLANKS = re.compile(r"[^\S\n]+")
UNREAD = Read(0.5, None, 0.0, (0.0, 0.0, 1.0))


def passages_ranked(
    question: str,
    passages: Sequence[PassageFound],
    *,
    kind: Kind,
    reader: ReadPairs | None,
    likeness: Likeness,
    most: int = PASSAGES_READ,
) -> list[PassageRead]:
    """The passages nearest to a question with what the reader says of them, best first.

    Each is read with its context, as in the reader's training: an item says little without its stem.

    Args:
        question: Or a part of one.
        passages: All that the search opened.
        kind: What kind of answer is asked for.
        reader: Asks the reader for pairs of texts; None where none is on.
        likeness: The cosines of a text with others.
        most: How many are read, and the first of the search; the same words in another document count once.
    """
    sentence = asking(question)
    terms = terms_asked(sentence)
    contexts = [context_of(passage.provision, passage.ordinal) for passage in passages]
    takes_items = kind in WHOLE_LISTS
    # Compared without its items, as its vector is stored: with them a list would be encoded again for each question.
    stored = [(before + passage.text)[:READ_CHARS] for before, passage in zip(contexts, passages, strict=True)]
    cosines = likeness(question, stored)
    plain = told_plainly(sentence, kind, passages, contexts)
    before = [
        CLOSENESS * closeness + _fitness(sentence, kind, terms, context, passage) + (PLAIN if place in plain else 0.0)
        for place, (closeness, context, passage) in enumerate(
            zip(standing_out(cosines), contexts, passages, strict=True)
        )
    ]
    near = _nearest(passages, before, most=most, of_list=most if takes_items else ITEMS_READ)
    # "Is there an arbitration clause?" is answered by no rule, but the reader knows which are about arbitration.
    read_for = (overview_subject(sentence) if kind is Kind.OVERVIEW else clause_subject(sentence)) or question
    texts = [_as_read(passages[place], contexts[place], sentence, takes_items=takes_items) for place in near]
    readings: list[PassageRead] = []
    for place, reading in zip(near, _read(read_for, texts, reader=reader), strict=True):
        answers = max(reading.answers, LIKELY_PLAIN if place in plain else 0.0)
        passage, score = passages[place], odds(answers) + before[place]
        span = None if is_table(passage) else within(reading.span, contexts[place], passage.text)
        told_by = plain.get(place, "") if answers > reading.answers else ""
        readings.append(PassageRead(place, _probability(answers, terms, passage), score, span, cosines[place], told_by))
    readings = _named_first(sentence, passages, contexts, readings)
    ranking = extreme_first(question, kind, passages, sorted(readings, key=lambda one: (-one.score, one.place)))
    return ranking if _EXCEPTION_ASKED.search(sentence) else _rule_first(passages, ranking)


def _as_read(passage: PassageFound, before: str, question: str, *, takes_items: bool) -> str:
    """A passage as it is read: after its context, with the items of the list that it opens if they are asked for."""
    if table := table_as_read(passage, question):
        return before + table
    return before + passage.text + (items_of(passage.provision, passage.ordinal) if takes_items else "")


def standing_out(cosines: Sequence[float]) -> list[float]:
    """How far the cosines of a question and its passages stand out from those of the nearest, in standard deviations.

    One question has higher cosines than another with all passages, also with those that do not answer it.

    Source: Montague & Aslam 2001 (zero mean, unit variance). Differs: the passages are the NEAR nearest; the mean is at
    most MOST_MEAN and the deviation at least LEAST_SPREAD.
    """
    near = [*sorted(cosines, reverse=True)[:NEAR], *USUAL][:NEAR]
    mean, spread = min(fmean(near), MOST_MEAN), max(pstdev(near), LEAST_SPREAD)
    return [(cosine - mean) / spread for cosine in cosines]


def _nearest(passages: Sequence[PassageFound], scores: Sequence[float], *, most: int, of_list: int) -> list[int]:
    """The places of the likeliest passages and of the search's first ones, best first, and of their duplicates."""
    likely = [
        score + SEARCHED_FIRST / (1 + passage.hit / HALVED_AT) for score, passage in zip(scores, passages, strict=True)
    ]
    near: list[int] = []
    unlike: set[tuple[str, ...]] = set()
    lists: Counter[tuple[str, int]] = Counter()
    for place in sorted(range(len(passages)), key=lambda place: (-likely[place], place)):
        words, own = words_of(passages[place].text), _list_of(passages[place])
        if words not in unlike and passages[place].hit and (len(unlike) >= most or lists[own] == of_list):
            continue
        lists[own] += words not in unlike
        unlike.add(words)
        near.append(place)
    return near


def _list_of(passage: PassageFound) -> tuple[str, int]:
    """The version and paragraph of the line that opens the list of a passage; its own where it is in none."""
    needed = [passage.provision.pieces[need] for piece in passage.pieces for need in piece.needs]
    return passage.version, next((one.ordinal for one in needed if one.part == "stem"), passage.ordinal)


def _read(question: str, texts: Sequence[str], *, reader: ReadPairs | None) -> list[Read]:
    """What the reader says of passages with their context; in one call, and duplicates once."""
    if reader is None:
        return [UNREAD] * len(texts)
    words = [words_of(text) for text in texts]
    unlike = dict(zip(reversed(words), reversed(texts), strict=True))  # the best passage of those alike is read
    readings = dict(zip(unlike, reader([(question, text) for text in unlike.values()]), strict=True))
    return [_as_of(text, readings[key], unlike[key]) for key, text in zip(words, texts, strict=True)]


def _named_first(
    question: str, passages: Sequence[PassageFound], contexts: Sequence[str], readings: Sequence[PassageRead]
) -> list[PassageRead]:
    """The readings, items of the same words in the order in which their stems name what is asked.

    "at least 10 days before use" is under "notice to a candidate" and under "notice to an employee".
    """
    wanted = set(tokens(question))
    alike: dict[tuple[str, ...], list[PassageRead]] = {}
    for one in readings:
        alike.setdefault(words_of(passages[one.place].text), []).append(one)

    def unnamed(one: PassageRead) -> tuple[int, float]:
        return -sum(word in wanted for word in tokens(contexts[one.place])), -one.score

    return [
        replace(one, score=score)
        for some in alike.values()
        for one, score in zip(sorted(some, key=unnamed), sorted((one.score for one in some), reverse=True), strict=True)
    ]


def _rule_first(passages: Sequence[PassageFound], ranking: list[PassageRead]) -> list[PassageRead]:
    """The readings; if the best one is an exception, the rule comes before it and is shown with it."""
    first = passages[ranking[0].place] if ranking else None
    if first is None or not _is_exception(first):
        return ranking
    pieces = first.provision.pieces
    needed = {pieces[need].ordinal for piece in first.pieces[:1] for need in piece.needs} - {first.ordinal}
    rule = next(
        (
            one
            for one in ranking[1:]
            if passages[one.place].version == first.version
            and passages[one.place].ordinal in needed
            and one.score >= ranking[0].score - RULE_NEAR
        ),
        None,
    )
    if rule is None:
        return ranking
    return [replace(rule, score=ranking[0].score), *(one for one in ranking if one.place != rule.place)]


def _as_of(text: str, reading: Read, text_read: str) -> Read:
    """The reading of a text that says the same as another one; with the answering words only if both texts align."""
    return reading if len(text) == len(text_read) else reading._replace(span=None)


def chance_of(ranking: Sequence[PassageRead], passages: Sequence[PassageFound], *, is_read: bool) -> float:
    """How likely the best passage answers, 0 to 1; 0 where there is none."""
    if not ranking:
        return 0.0
    slope, bias = GATE if is_read else GATE_UNREAD
    evidence = sureness(ranking, passages) if is_read else ranking[0].score
    return 1 / (1 + math.exp(-slope * evidence - bias))


def sureness(ranking: Sequence[PassageRead], passages: Sequence[PassageFound]) -> float:
    """Log-odds that the best passage answers: what the reader says, how far it leads, and what speaks against it.

    The other things that count for a passage only put it first; they say little about whether it answers. A passage
    that stands out among those of other provisions answers more often than one with many rivals.
    """
    first = ranking[0]
    own, words = passages[first.place], words_of(passages[first.place].text)
    rivals = (
        one.score
        for one in ranking[1:]
        if passages[one.place].provision_key != own.provision_key and words_of(passages[one.place].text) != words
    )
    lead = min(LEAD_MOST, max(0.0, first.score - next(rivals, -math.inf)))
    said = odds(first.probability)
    return said + LEADS * lead + min(0.0, first.score - said)


def is_law(passage: PassageFound) -> bool:
    """Whether a passage is operative text."""
    return not passage.provision.role or Role(passage.provision.role) not in NOT_LAW


def is_definition(passage: PassageFound) -> bool:
    """Whether a passage opens as the definition of a term."""
    return any(piece.part == "definition" for piece in passage.pieces[:1])


def odds(probability: float) -> float:
    """Log-odds, of probabilities off 0 and 1."""
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))


def _fitness(question: str, kind: Kind, terms: tuple[str, ...], before: str, passage: PassageFound) -> float:
    """What counts for or against a passage by the kind of answer asked for and by its own role; log-odds."""
    role, text = passage.provision.role, _BLANKS.sub(" ", passage.text)
    whole = before + text
    score = NOT_LAW.get(Role(role), 0.0) if role else 0.0
    score += DEFINES if any(defines(term, text) for term in terms) else 0.0
    score += POINTING if terms and points_elsewhere(text) else 0.0
    score += OTHER_TERM if terms and all(defines_another(term, text) for term in terms) else 0.0
    # Of a table the head of a column says what its cells are: "7" is a period below "Years".
    score += 0.0 if is_table(passage) or fits(kind, whole, question=question) else MISFIT
    is_of_rules = kind in OF_RULES_ALONE and not terms and not asks_of_class(question)
    score += DEFINING if is_of_rules and is_definition(passage) else 0.0
    orders = acts_in_time if kind is Kind.DEADLINE else orders_what_is_asked
    score += ORDERED if orders(text, question=question, before=before) else 0.0
    score += OTHER_DOER if obliges_another(text, question=question, before=before) else 0.0
    score += OTHER_DOER if says_contents_of_another(whole, question=question) else 0.0
    score += BECOMES if says_who_becomes(text, question=question) else 0.0
    score += BEGINS if kind is Kind.DEADLINE and says_from_when(text, question=question) else 0.0
    score += OFTEN if says_how_often(whole, question=question) else 0.0
    score += NAMING if _names_amount(question, text) else 0.0
    score += SAVING if saves(text) else 0.0
    score += ANNOUNCING if _announces(passage) and not asks_what_it_is_about(question) else 0.0
    score += BARE if is_bare(passage) else 0.0
    score += INSTRUCTS if gives_orders(text) else 0.0
    score += ASIDE if kind in OF_RULES and _is_exception(passage) and not asks_who_is_excluded(question) else 0.0
    score += ABOUT if is_about(whole, question=question) else 0.0
    score += HEADED if kind in OF_ARTICLES and is_headed(passage.provision.heading, question=question) else 0.0
    return score + (LISTED if kind is Kind.LIST and _is_of_list(passage) else 0.0)


def acts_in_time(text: str, *, question: str, before: str) -> bool:
    """Whether a sentence says that somebody acts as it is asked, and when: "shall be reported" alone leaves it open."""
    sentences = (text[start:end] for start, end in sentence_spans(text))
    return any(
        acts_as_asked(one, question=question, before=before) and fits(Kind.DEADLINE, one, question=question)
        for one in sentences
    )


def _probability(answers: float, terms: tuple[str, ...], passage: PassageFound) -> float:
    """How likely a passage answers: a definition of the term that is asked for does, whatever the reader says."""
    return max(answers, 0.9) if any(defines(term, passage.text) for term in terms) else answers


def within(span: tuple[int, int] | None, before: str, text: str) -> tuple[int, int] | None:
    """A span of the text that was read, counted in the passage, which came after `before`; None if it is outside."""
    if span is None:
        return None
    start, end = max(0, span[0] - len(before)), min(len(text), span[1] - len(before))
    return (start, end) if end > start else None


def is_bare(passage: PassageFound) -> bool:
    """Whether a passage says nothing by itself, and no line opens a list of which it is an item."""
    return names_only(passage.text) and not any(piece.needs for piece in passage.pieces)


def _is_of_list(passage: PassageFound) -> bool:
    """Whether a passage introduces a list, or is an item of one."""
    return any(piece.part in ("stem", "item") for piece in passage.pieces)


def _announces(passage: PassageFound) -> bool:
    """Whether a passage says what its law holds, or is an item of a list that does."""
    pieces = passage.provision.pieces
    return any(
        announces(one.text) for piece in passage.pieces for one in (piece, *(pieces[need] for need in piece.needs))
    )


def _is_exception(passage: PassageFound) -> bool:
    """Whether a passage opens as an exception to another, or is a case of one."""
    return any(piece.part == "exception" for piece in passage.pieces[:1])


def _names_amount(question: str, text: str) -> bool:
    """Whether a text names an amount or a time that a question names; "a year" and "monthly" do not count."""
    named = {*facts_of(question).amounts, *(one for one in facts_of(question).durations if _COUNTED.match(one))}
    return bool(named) and bool(named & {*facts_of(text).amounts, *facts_of(text).durations})
