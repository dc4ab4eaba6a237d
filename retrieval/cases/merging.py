"""Neighbours put together: what a case shares with a question, and where several cases agree, differ or repeat.

Source: CBR-RAG, section 7, leaves "case aggregation strategies" open; these are ours, by entities and words.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from corpora.tokens import tokens
from retrieval.cases.entities import KINDS, Entities, entities_line, entities_of

Context = Literal["support", "case", "full"]
SAME_TEXT = 0.9  # ours: share of terms in common from which two texts say the same
_NUMBER = re.compile(r"\b(\d+(?:[.,]\d+)*)\s?(?:%|per cent|(hour|day|week|month|year)s?)?")
_PERIODS = {
    "hour": ("hours", 1),
    "day": ("hours", 24),
    "week": ("hours", 168),
    "month": ("months", 1),
    "year": ("months", 12),
}
# Words that shape a question and name nothing in it; compared as index terms.
_SHAPING_WORDS = """
    about also apply become being case come could does done each either else every example exist explain find first
    follow further general give given happen have help include kind know last least less like list long made make many
    mean might more most much must name need only other over part people person place point possible provide question
    quickly rather really relate require same several shall should show some someone something specify still such take
    tell than thing time under used usually very want well were what when where whether which while whole whose will
    with within without would
    """
_SHAPING = frozenset(term for word in _SHAPING_WORDS.split() for term in tokens(word))
_NEGATION = re.compile(r"\b(?:not|no|never|neither|without|prohibited)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CaseText:
    """A case as it is put together: <Q, S, E, A>."""

    key: str
    question: str
    support: str
    entities: Entities
    answer: str


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a question and a case share, and what only one of them has; phrases as they are written."""

    alike: tuple[str, ...]
    only_question: tuple[str, ...]
    only_case: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """Several cases as one context.

    Attributes:
        text: What a model may be given.
        agree: Phrases that two or more cases name.
        differ: In words, where cases that share a subject answer differently.
        repeat: In words, which cases say the same as an earlier one.
    """

    text: str
    agree: tuple[str, ...]
    differ: tuple[str, ...]
    repeat: tuple[str, ...]


def likeness(question: str, case: CaseText, *, language: str = "english") -> Likeness:
    """What is alike in a question and a case's question, and what differs, by their entities and numbers.

    Words count where entities are lacking: capitals are rare in questions. Those that shape a question and name
    nothing ("must", "give") are left out.
    """
    in_question, in_case = _phrases(question, language), _phrases(case.question, language)
    shared = in_question.keys() & in_case.keys()
    return Likeness(
        tuple(in_question[key] for key in in_question if key in shared),
        tuple(in_question[key] for key in in_question if key not in shared),
        tuple(in_case[key] for key in in_case if key not in shared),
    )


def merged(cases: Sequence[CaseText], *, context: Context, language: str = "english") -> Merged:
    """Cases as one context, the most similar first; a repeated one is named and not written out again.

    Args:
        cases: Most similar first.
        context: "support" gives S (equation 4a), "full" Q, S, E and A (equation 4b), "case" Q, S and A, as the paper's
            own prompt has it (table 3).
    """
    repeats: dict[int, int] = {}
    for place, case in enumerate(cases):
        earlier = (other for other in range(place) if other not in repeats)
        same = next((other for other in earlier if _is_repeat(case, cases[other], language)), None)
        if same is not None:
            repeats[place] = same
    places = [place for place in range(len(cases)) if place not in repeats]
    agree, differ = _agreement([cases[place] for place in places]), _differences(cases, places)
    repeat = tuple(f"Case {place + 1} repeats case {same + 1}." for place, same in repeats.items())
    blocks = [f"Case {place + 1}\n{case_text(cases[place], context=context)}" for place in places]
    agreement = [f"They agree on: {', '.join(agree)}."] if agree else []
    return Merged("\n\n".join([*blocks, " ".join([*agreement, *differ, *repeat])]).strip(), agree, differ, repeat)


def case_text(case: CaseText, *, context: Context) -> str:
    """A case as context (equations 4a and 4b)."""
    if context == "support":
        return case.support
    entities = [f"Entities: {entities_line(case.entities)}"] if context == "full" else []
    lines = [f"Question: {case.question}", f"Support: {case.support}", *entities, f"Answer: {case.answer}"]
    return "\n".join(lines)


def _phrases(text: str, language: str) -> dict[str, str]:
    """Phrases that say what a text is about, by their folded form: entities and numbers, then single words."""
    by_form = {
        phrase.casefold(): phrase
        for kind, phrases in entities_of(text).items()
        if kind not in ("action", "outcome")
        for phrase in phrases
    }
    covered = {term for phrase in by_form for term in tokens(phrase, language=language)}
    for word in re.findall(r"[\w-]{4,}", text):
        terms = [term for term in tokens(word, language=language) if term not in _SHAPING]
        if terms and not set(terms) <= covered:
            by_form.setdefault(" ".join(terms), word.lower())
    return by_form


def _is_repeat(one: CaseText, other: CaseText, language: str) -> bool:
    return all(
        _overlap(a, b, language) >= SAME_TEXT for a, b in ((one.support, other.support), (one.answer, other.answer))
    )


def _overlap(one: str, other: str, language: str) -> float:
    a, b = (set(tokens(text, language=language)) for text in (one, other))
    return len(a & b) / len(a | b) if a | b else 1.0


def _agreement(cases: Sequence[CaseText]) -> tuple[str, ...]:
    phrases: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for case in cases:
        own = {
            phrase.casefold(): phrase for kind in KINDS for phrase in case.entities.get(kind, ()) if kind != "action"
        }
        phrases = own | phrases
        counts.update(own.keys())
    return tuple(phrases[key] for key in phrases if counts[key] > 1)


def _differences(cases: Sequence[CaseText], places: Sequence[int]) -> tuple[str, ...]:
    """Where two kept cases that share an entity give other numbers, or one answer denies and the other does not."""
    sentences = []
    for at, first in enumerate(places):
        for second in places[at + 1 :]:
            one, other = cases[first], cases[second]
            if not _agreement([one, other]):
                continue
            pair = f"Cases {first + 1} and {second + 1}"
            a, b = (_numbers(case.answer) for case in (one, other))
            if a and b and a.keys().isdisjoint(b):
                said = "; ".join(", ".join(sorted(each.values())) for each in (a, b))
                sentences.append(f"{pair} give different numbers: {said}.")
            if bool(_NEGATION.search(one.answer)) != bool(_NEGATION.search(other.answer)):
                sentences.append(f"{pair} differ in a negation.")
    return tuple(sentences)


def _numbers(text: str) -> dict[tuple[str, float] | str, str]:
    """The numbers of a text as it writes them, by what they come to: a period in hours, or where it has none in months.

    >>> _numbers("within 3 days"), _numbers("1 year or 5 %")
    ({('hours', 72.0): '3 days'}, {('months', 12.0): '1 year', '5 %': '5 %'})
    """
    numbers: dict[tuple[str, float] | str, str] = {}
    for match in _NUMBER.finditer(text):
        written, (number, unit) = " ".join(match[0].split()), match.groups()
        is_period = unit and re.fullmatch(r"\d+(?:\.\d+)?", number)
        scale, times = _PERIODS[unit] if is_period else ("", 0)
        numbers.setdefault((scale, round(times * float(number), 6)) if is_period else written, written)
    return numbers
