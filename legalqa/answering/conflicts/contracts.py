"""The parties of a contract: contracts of different parties contradict each other no more than two tenants' leases."""

import re
from dataclasses import dataclass
from itertools import pairwise

from legalqa.answering.conflicts.subjects import stems_in, weight_of

Name = tuple[str, ...]
SAME_SUBJECT = 0.5  # ours: share of the shorter title's weight that two contracts on one subject have in common
# What a merger clause replaces; of a policy it is earlier versions, handbooks or memos.
_AGREEMENTS = re.compile(
    r"\b(?:agreement|contract|understanding|arrangement|negotiation|representation|commitment|undertaking|proposal|"
    r"discussion)s?\b",
    re.IGNORECASE,
)
_ITSELF = re.compile(r"\b[Tt]his\s+(?:[A-Z][\w-]*\s+){0,6}[A-Z]\w*")  # "this Content License Agreement"


@dataclass(frozen=True, slots=True)
class Contract:
    """What tells one contract from another.

    Attributes:
        title: As it is listed.
        parties: Named in its opening, each by the words of its name in small letters; empty where none was recognised.
        wording: Its first characters, and what it says that it replaces.
    """

    title: str
    parties: tuple[Name, ...]
    wording: str


def has_same_parties(one: Contract | None, other: Contract | None) -> bool:
    """Whether all known parties of one contract are parties of the other; False if none is known."""
    if one is None or other is None or not one.parties or not other.parties:
        return False
    return _are_among(one.parties, other.parties) or _are_among(other.parties, one.parties)


def is_separate(one: Contract | None, other: Contract | None) -> bool:
    """Whether two contracts are of different parties, and neither names the other, as a subcontract does."""
    if one is None or other is None or not one.parties or not other.parties:
        return False
    return not has_same_parties(one, other) and not _names(one, other) and not _names(other, one)


def is_merger_clause(notice: str) -> bool:
    """Whether a sentence replaces earlier agreements, which only binds those who made them."""
    return bool(_AGREEMENTS.search(without_itself(notice)))


def is_on_one_subject(one: str, other: str) -> bool:
    """Whether two titles name one subject: "Content License Agreement" and "License Agreement", not a lease."""
    ours, theirs = stems_in(one), stems_in(other)
    return bool(ours & theirs) and weight_of(ours & theirs) >= SAME_SUBJECT * min(weight_of(ours), weight_of(theirs))


def without_itself(notice: str) -> str:
    """A sentence without what it calls its own document."""
    return _ITSELF.sub(" ", notice)


def _are_among(names: tuple[Name, ...], others: tuple[Name, ...]) -> bool:
    return all(any(_is_one(name, other) for other in others) for name in names)


def _is_one(name: Name, other: Name) -> bool:
    """Whether two names are one, the shorter being short for the longer: "Acme" and "Acme Holdings"."""
    return set(name) <= set(other) or set(other) <= set(name)


def _names(one: Contract, other: Contract) -> bool:
    """Whether one contract speaks of the other one, by its title or by a party that is not its own."""
    wording, title = _evened(without_itself(one.wording)), _evened(other.title)
    is_own = title in _evened(one.title) or " " not in title
    if not is_own and re.search(rf"\b{re.escape(title)}\b", wording):
        return True
    others = (name for name in other.parties if not _are_among((name,), one.parties))
    return any(_written(name).search(wording) for name in others)


def _written(name: Name) -> re.Pattern[str]:
    """A pattern of a name as it may be written, with the small words and plurals that the name leaves out."""
    between = "".join(rf"{re.escape(word)}s?\s(?:\w+\s)?" for word, _ in pairwise(name))
    return re.compile(rf"\b{between}{re.escape(name[-1])}s?\b")


def _evened(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
