"""Who decides or answers for something: two provisions that name different offices for it contradict each other.

Source: ours. An office is a noun of a list with the words before it, "the Privacy Officer", "the head of facilities";
two are one where they share a word that says which, so that "the Security Officer" and "the Chief Information Security
Officer" are not told apart.
"""

import re
from functools import lru_cache

from legalqa.answering.conflicts.subjects import Stems, stems_in

Place = tuple[int, int]

_ROLE = (
    r"(?:officer|director|manager|supervisor|lead|leader|head|president|vice\s+president|board|committee|counsel|owner|"
    r"department|administrator|auditor|chair|chairman|chairperson|secretary|council)s?\b(?:\s+of\s+(?:the\s+)?\w+)?"
)
_NO_NAME = r"(?!(?:the|an?|by|of|and|or|to|from|for|in|on|with|is|are|be|must|shall|who|that|which)\b)"
_OFFICE = re.compile(
    rf"\b(?i:the|an?|its|their|your|our|\w+['’]s)\s+(?P<named>(?:{_NO_NAME}[\w-]+\s+){{0,3}}?(?i:{_ROLE}))"
    rf"|(?P<titled>\b(?:[A-Z][\w-]*\s+(?:and\s+)?){{0,3}}(?i:{_ROLE}))"
    r"|(?P<short>\b(?:C[A-Z]{1,3}O|VP(?:\s+of\s+(?:[A-Z]\w+\s*)+)?|HR|Human\s+Resources)\b)"
)
_DEEDS = {
    "approves": re.compile(
        r"\b(?:approv|authori[sz]|decid|decision|consent|permission|sign[- ]?off)\w*", re.IGNORECASE
    ),
    "answers": re.compile(r"\b(?:responsib|accountab)\w+|\bin\s+charge\s+of\b", re.IGNORECASE),
}
_RANKS = stems_in("officer director manager supervisor lead leader head president board committee department owner")


@lru_cache(maxsize=4_000)
def offices_in(text: str) -> tuple[Place, ...]:
    """Where the offices of a sentence are."""
    spans = []
    for office in _OFFICE.finditer(text):
        name = next(part for part in ("named", "titled", "short") if office[part])
        spans.append(office.span(name))
    return tuple(spans)


def deeds_in(text: str) -> frozenset[str]:
    """Which of the deeds that one office alone does a sentence speaks of."""
    return frozenset(deed for deed, pattern in _DEEDS.items() if pattern.search(text))


def other_office(one: str, other: str) -> tuple[Place, Place] | None:
    """The first offices of two sentences, where both name some for one deed and none is in both; else None."""
    if not deeds_in(one) & deeds_in(other):
        return None
    ours, theirs = offices_in(one), offices_in(other)
    if not ours or not theirs or _names(one) & _names(other):
        return None
    return ours[0], theirs[0]


@lru_cache(maxsize=4_000)
def _names(text: str) -> Stems:
    """The words that tell the offices of a sentence from others; of an office without such words, its rank."""
    names: set[str] = set()
    for start, end in offices_in(text):
        stems = stems_in(text[start:end])
        names |= stems - _RANKS or stems
    return frozenset(names)


def without_offices(text: str) -> str:
    """The sentence with blanks for its offices: what it says of them."""
    for start, end in offices_in(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text
