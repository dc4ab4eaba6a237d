"""Composing an answer: read the passages, choose provisions, and of each the pieces that make it whole.

Source: retrieve, read, verify as in Hu et al. 2019 (Read + Verify) and Policy Copilot's extractive mode. Differs: the
unit is a provision with its list and exceptions; what kind of answer is asked for decides how much of it is shown.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from corpora.provisions.types import Provision, Role
from corpora.tokens import tokens
from legalqa.answering.composing.kinds import WHOLE_LISTS, Kind, defines, fits, kind_of, term_asked
from legalqa.answering.composing.types import (
    ChosenPiece,
    ChosenProvision,
    Composed,
    Likeness,
    PartAnswered,
    PassageFound,
    PassageRead,
    ReadPairs,
)
from legalqa.answering.extraction import is_same
from legalqa.answering.types import SCAFFOLDING

# Ours, chosen on questions of our own and the development rows of the reader's data.
DEFINES, MISFIT = 2.5, -1.0  # log-odds: the very term is defined; a number or time is asked for, and there is none
LISTED = 1.0  # and that a list is asked for, and the passage is of one
ORDER = 1.0  # and the ranker's order: the first hit against the tenth
NOT_LAW = {
    Role.RECITAL: -1.5,
    Role.PREAMBLE: -1.5,
    Role.NOTE: -1.0,
    Role.EXAMPLE: -1.0,
    Role.SUPERSEDED: -2.0,
    Role.CONTENTS: -3.0,
}
CLOSENESS = 5.0  # and the cosine of question and passage
# The chance of an answer: a logistic regression of the best passage's score, fitted on the 192 questions of
# `tests/data/answers`, of which 128 have an answer.
GATE_SCORE, GATE_BIAS = 0.69, -2.01
# The chance from which an answer is given; a higher one is silent more often, and wrong less often.
THRESHOLD = 0.63
WHOLE = 60  # words of a paragraph that is shown whole: the sentence after a rule is often what limits it
FURTHER = 0.85  # and a further provision beside the first
CLOSE = 1.0  # log-odds by which a further provision may stay behind the best
PIECES_READ = 24
MOST = {Kind.LIST: 3, Kind.OVERVIEW: 6, Kind.COMPARISON: 4, Kind.PROCEDURE: 3, Kind.CONDITION: 3, Kind.OPEN: 2}
MOST_OTHERWISE = 2
HEADING, MOST_OF_ARTICLE = 0.7, 12  # words of a question that an article's heading says; paragraphs of such a one
LONGEST = 40  # pieces of one provision
PASSAGES = 24
LIKENESS_CHARS = 1_200
ALSO, ALSO_MOST = 0.5, 5
_NAMES = {Role.RECITAL: "recital", Role.PREAMBLE: "preamble", Role.NOTE: "explanatory note", Role.EXAMPLE: "example"}


def compose(
    question: str,
    parts: Sequence[str],
    passages: Sequence[PassageFound],
    *,
    read: ReadPairs,
    likeness: Likeness,
    threshold: float = THRESHOLD,
) -> Composed:
    """Choose what answers a question.

    Args:
        question: In the person's words, completed where it follows another up.
        parts: The question, and where it asks several things, each of them.
        passages: Best first.
        read: Asks the reader for pairs of texts.
        likeness: The cosines of a text with others.
        threshold: The chance from which an answer is given.

    Returns:
        The provisions that answer, none where the reader says that nothing does.
    """
    asked = list(parts[1:]) if len(parts) > 1 else [question]
    chosen: list[ChosenProvision] = []
    answered: list[PartAnswered] = []
    best: dict[int, PassageRead] = {}
    n_more = 0
    for text in asked:
        kind = kind_of(text)
        near = passages[: PASSAGES // len(asked) + 8]
        cosines = likeness(text, [(context_of(passage) + passage.text)[:LIKENESS_CHARS] for passage in near])
        ranked = passages_read(text, kind, near, cosines, read=read)
        chance = _chance(ranked)
        for one in ranked:
            if one.place not in best or one.score > best[one.place].score:
                best[one.place] = one
        is_answered = chance >= threshold
        limit = 1 if len(asked) > 1 else 0
        found, more = _choose(text, kind, passages, ranked, read=read, limit=limit) if is_answered else ([], 0)
        numbers = []
        for provision in found:
            place = next((n for n, other in enumerate(chosen) if _overlap(passages, provision, other)), None)
            if place is None:
                place = len(chosen)
                chosen.append(provision)
            else:
                chosen[place] = _joined(chosen[place], provision)
            numbers.append(place)
        n_more += more
        answered.append(PartAnswered(text, chance, tuple(dict.fromkeys(numbers))))
    ranking = tuple(sorted(best.values(), key=lambda one: (-one.score, one.place)))
    also = _also(passages, ranking, chosen) if chosen else ()
    return Composed(str(kind_of(question)), tuple(chosen), tuple(answered), also, ranking, n_more)


def _chance(ranked: Sequence[PassageRead]) -> float:
    """How likely the documents answer, 0 to 1, by the best passage."""
    if not ranked:
        return 0.0
    return 1 / (1 + math.exp(-GATE_SCORE * ranked[0].score - GATE_BIAS))


def passages_read(
    question: str, kind: Kind, passages: Sequence[PassageFound], cosines: Sequence[float], *, read: ReadPairs
) -> list[PassageRead]:
    """Every passage with what the reader makes of it, best first.

    Each is read with its context and alone, and the better counts: an item says little without its stem, and in a long
    stem the item's own words drown.
    """
    contexts = [context_of(passage) for passage in passages]
    whole = read([(question, before + passage.text) for before, passage in zip(contexts, passages, strict=True)])
    alone = read([(question, passage.text) for passage in passages])
    term = term_asked(question)
    found: list[PassageRead] = []
    for place, (before, passage) in enumerate(zip(contexts, passages, strict=True)):
        is_alone = alone[place].answers > whole[place].answers
        made = alone[place] if is_alone else whole[place]
        score = _odds(made.answers) + ORDER * max(0.0, 1 - passage.hit / 10) + CLOSENESS * cosines[place]
        score += NOT_LAW.get(Role(passage.provision.role), 0.0) if passage.provision.role else 0.0
        score += DEFINES if term and defines(term, passage.text) else 0.0
        score += 0.0 if fits(kind, before + passage.text) else MISFIT
        score += LISTED if kind is Kind.LIST and _is_of_list(passage) else 0.0
        found.append(
            PassageRead(
                place,
                _probability(made.answers, term, passage),
                score,
                _within(made.span, "" if is_alone else before, passage.text),
            )
        )
    return sorted(found, key=lambda one: (-one.score, one.place))


def _probability(answers: float, term: str, passage: PassageFound) -> float:
    """That a passage answers: a definition of the very term that is asked for does so whatever the reader says."""
    return max(answers, 0.9) if term and defines(term, passage.text) else answers


def context_of(passage: PassageFound) -> str:
    """What is read before a passage: its heading, and the stems of the list it is an item of."""
    provision = passage.provision
    stems = {
        need
        for piece in provision.pieces
        if piece.ordinal == passage.ordinal
        for need in piece.needs
        if provision.pieces[need].part == "stem" and provision.pieces[need].ordinal < passage.ordinal
    }
    lines = [provision.heading.rstrip(". "), *(provision.pieces[place].text for place in sorted(stems))]
    return "".join(f"{line[:300]}. " if place == 0 else f"{line[-300:]} " for place, line in enumerate(lines) if line)


def _choose(
    question: str,
    kind: Kind,
    passages: Sequence[PassageFound],
    ranked: Sequence[PassageRead],
    *,
    read: ReadPairs,
    limit: int,
) -> tuple[list[ChosenProvision], int]:
    """The provisions that answer one part of a question, best first, and how many more there would be."""
    first = ranked[0]
    article = _article(question, kind, passages, first) if not limit else None
    fit = [one for one in ranked if one is first or _is_further(one, first, passages, article)]
    most = limit or (MOST_OF_ARTICLE if article else MOST.get(kind, MOST_OTHERWISE))
    chosen: list[ChosenProvision] = []
    texts: list[str] = []
    n_more = 0
    for one in fit:
        passage = passages[one.place]
        if any(_is_inside(passages, passage, other) for other in chosen):
            continue
        pieces, answering = _pieces(question, kind, passage, one, read=read)
        words = passage.provision.pieces[answering].text
        twin = next((n for n, other in enumerate(texts) if is_same(words, other)), None)
        if twin is not None:
            chosen[twin] = replace(chosen[twin], also_in=(*chosen[twin].also_in, (one.place, answering)))
        elif len(chosen) < most:
            chosen.append(ChosenProvision(one.place, pieces, answering))
            texts.append(words)
        else:
            n_more += 1
    if article:
        chosen.sort(key=lambda provision: passages[provision.passage].ordinal)
    return chosen, n_more


def _article(
    question: str, kind: Kind, passages: Sequence[PassageFound], first: PassageRead
) -> tuple[str, tuple[str, ...]] | None:
    """The article that is the answer as a whole: a list is asked for, and its heading says what the question says."""
    passage = passages[first.place]
    if kind not in (Kind.LIST, Kind.OVERVIEW) or not passage.provision.heading:
        return None
    asked, heading = set(tokens(question)) - SCAFFOLDING, set(tokens(passage.provision.heading))
    is_named = len(asked & heading) >= HEADING * len(asked) and len(asked) > 1
    return (passage.version, passage.provision.path) if is_named else None


def _is_further(
    one: PassageRead,
    first: PassageRead,
    passages: Sequence[PassageFound],
    article: tuple[str, tuple[str, ...]] | None,
) -> bool:
    """Whether a passage may be shown beside the first: as likely to answer, or of the article that is asked for."""
    passage = passages[one.place]
    if article:
        return (passage.version, passage.provision.path) == article and one.probability >= ALSO / 2
    is_close = one.probability >= FURTHER and one.score >= first.score - CLOSE
    return is_close and _is_law(passage) >= _is_law(passages[first.place])


def _pieces(
    question: str, kind: Kind, passage: PassageFound, one: PassageRead, *, read: ReadPairs
) -> tuple[tuple[ChosenPiece, ...], int]:
    """The pieces of a provision that are shown, and which of them answers."""
    provision = passage.provision
    own = [place for place, piece in enumerate(provision.pieces) if piece.ordinal == passage.ordinal]
    own = own or list(range(len(provision.pieces)))
    own = own[:PIECES_READ]
    heading = f"{provision.heading.rstrip('. ')}. " if provision.heading else ""
    made = read([(question, heading + _with_stems(provision, place)) for place in own]) if len(own) > 1 else None
    scores: dict[int, float] = {}
    for n, place in enumerate(own):
        piece = provision.pieces[place]
        scores[place] = (_odds(made[n].answers) if made else 0.0) + 2.0 * _share(one.span, piece.start, piece.end)
    answering = max(own, key=lambda place: (scores[place], -place))
    wanted = {answering}
    wanted |= {
        place
        for place in own
        if scores[place] >= scores[answering] - 0.7 and made and made[own.index(place)].answers >= FURTHER
    }
    if not made or sum(len(provision.pieces[place].text.split()) for place in own) <= WHOLE:
        wanted |= {place for place in own if provision.pieces[place].part != "item"}
    if kind in WHOLE_LISTS:
        stems = [
            need
            for need in provision.pieces[answering].needs
            if provision.pieces[need].part == "stem" and need < answering
        ]
        if stems:
            answering = stems[-1]
            wanted.add(answering)
    shown = provision.completed(sorted(wanted))[:LONGEST]
    piece = provision.pieces[answering]
    mark = _mark(one.span, piece.start, piece.end)
    return tuple(
        ChosenPiece(
            place, "answer" if place == answering else _part(provision, place), mark if place == answering else (0, 0)
        )
        for place in shown
    ), answering


def _part(provision: Provision, place: int) -> str:
    part = provision.pieces[place].part
    return part if part in ("stem", "item", "exception") else "rule"


def _with_stems(provision: Provision, place: int) -> str:
    piece = provision.pieces[place]
    stems = [
        provision.pieces[need].text[-300:]
        for need in piece.needs
        if provision.pieces[need].part == "stem" and need < place
    ]
    return " ".join([*stems, piece.text])


def _within(span: tuple[int, int] | None, before: str, text: str) -> tuple[int, int] | None:
    """A span of the text that was read, as one of the passage itself; None where it lies outside."""
    if span is None:
        return None
    start, end = max(0, span[0] - len(before)), min(len(text), span[1] - len(before))
    return (start, end) if end > start else None


def _share(span: tuple[int, int] | None, start: int, end: int) -> float:
    """The share of a span that lies in a piece."""
    if span is None or span[1] <= span[0]:
        return 0.0
    return max(0, min(span[1], end) - max(span[0], start)) / (span[1] - span[0])


def _mark(span: tuple[int, int] | None, start: int, end: int) -> tuple[int, int]:
    if span is None or min(span[1], end) - max(span[0], start) < 2:
        return 0, 0
    return max(span[0], start) - start, min(span[1], end) - start


def _odds(probability: float) -> float:
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))


def _is_of_list(passage: PassageFound) -> bool:
    """Whether a passage introduces a list, or is an item of one."""
    return any(p.ordinal == passage.ordinal and p.part in ("stem", "item") for p in passage.provision.pieces)


def _is_law(passage: PassageFound) -> bool:
    return not passage.provision.role or Role(passage.provision.role) not in NOT_LAW


def _is_inside(passages: Sequence[PassageFound], passage: PassageFound, other: ChosenProvision) -> bool:
    """Whether a passage is shown already, as pieces of a provision that was chosen."""
    there = passages[other.passage]
    ordinals = {there.provision.pieces[piece.place].ordinal for piece in other.pieces}
    return there.version == passage.version and passage.ordinal in ordinals


def _overlap(passages: Sequence[PassageFound], one: ChosenProvision, other: ChosenProvision) -> bool:
    """Whether two provisions are the same one."""
    a, b = passages[one.passage], passages[other.passage]
    return a.version == b.version and a.provision.ordinals == b.provision.ordinals


def _joined(one: ChosenProvision, other: ChosenProvision) -> ChosenProvision:
    """Two choices of one provision as one, which is shown once."""
    pieces: Mapping[int, ChosenPiece] = {piece.place: piece for piece in (*other.pieces, *one.pieces)}
    return replace(one, pieces=tuple(pieces[place] for place in sorted(pieces)))


def _also(
    passages: Sequence[PassageFound], ranked: Sequence[PassageRead], chosen: Sequence[ChosenProvision]
) -> tuple[tuple[int, str], ...]:
    """Passages on the subject that are shown apart: what they are, best first."""
    found: list[tuple[int, str]] = []
    for one in ranked:
        passage = passages[one.place]
        is_shown = any(_is_inside(passages, passage, other) for other in chosen)
        if one.probability >= ALSO and not is_shown and len(found) < ALSO_MOST:
            role = passage.provision.role
            found.append((one.place, _NAMES.get(Role(role), "on the subject") if role else "on the subject"))
    return tuple(found)
