"""Which of two provisions gives way, before their difference is called a conflict.

In the order of a lawyer: they are for different cases, as contracts of different parties are; one document says that it
replaces the other; law takes precedence over a policy; of two rules of the same rank the later one. If none of this
decides, the conflict is open. A merger clause replaces what the same parties agreed before on the same subject, nothing
of others.

The kind of a document says whether it is law or policy; its title does so only if it has no kind.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from legalqa.answering.conflicts.contracts import (
    Contract,
    has_same_parties,
    is_merger_clause,
    is_on_one_subject,
    is_separate,
    without_itself,
)
from legalqa.answering.conflicts.engine import Conflict
from legalqa.answering.conflicts.subjects import stems_in, weight_of

SAME_TITLE = 0.5  # ours: share of a title's words that a sentence must hold to speak of that document
A_WORD = 1.0  # ours: weight of the words by which a merger clause must name it: more than "agreement"
REPLACES = re.compile(
    r"\b(?:supersed\w+|replac(?:es|ed|ing)|repeal\w*|takes?\s+precedence\s+over|prevails?\s+over|overrid\w+|"
    r"in\s+place\s+of)\b",
    re.IGNORECASE,
)
REPLACED_BY = re.compile(
    r"\b(?:superseded|replaced|repealed|overridden)\s+by\b|\bshall\s+prevail\b|\btakes?\s+precedence\s*[.,;]",
    re.IGNORECASE,
)
_ALL_EARLIER = re.compile(r"\b(?:all|any|every|the)\s+(?:previous|prior|earlier|former|existing)\b", re.IGNORECASE)
LAW_KINDS = frozenset({"law", "regulation", "rule"})  # kinds of documents that are law; a "rule" is an agency's
POLICY_KINDS = frozenset({"policy", "guidance", "form", "correspondence"})  # a contract or a decision is neither
_LAW = re.compile(
    r"\b(?:act|regulation|directive|law|statute|code|ordinance|constitution|decree|bill|rules\s+of)\b", re.IGNORECASE
)
_POLICY = re.compile(
    r"\b(?:policy|policies|handbook|manual|guideline|guidelines|guide|procedure|terms|standard|addendum|plan|notice)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Provision:
    """A passage with what decides between it and another.

    Attributes:
        key: Its id.
        text: Its words.
        document: Id of its document.
        title: Of the document.
        effective: From when the document applies; None where nobody said.
        notices: Sentences of the document that say what it replaces, or what replaces it.
        kind: Of the document, as its page has it; "" where nobody knows.
        contract: Between whom the document is; None where it is no contract.
        heading: Those above it, outermost first, " › " between them.
    """

    key: str
    text: str
    document: str
    title: str = ""
    effective: date | None = None
    notices: tuple[str, ...] = ()
    kind: str = ""
    contract: Contract | None = None
    heading: str = ""

    @property
    def is_law(self) -> bool:
        if self.kind:
            return self.kind in LAW_KINDS
        return bool(_LAW.search(self.title)) and not _POLICY.search(self.title)

    @property
    def is_policy(self) -> bool:
        return self.kind in POLICY_KINDS if self.kind else bool(_POLICY.search(self.title))


@dataclass(frozen=True, slots=True)
class Resolution:
    """Why two provisions are not an open conflict.

    Attributes:
        rule: "scope", "supersedes", "rank" or "later"; "report" where a stored report says so.
        holds: "a" or "b", the one that holds; "" where both do, or the sentence alone says which.
        sentence: For people.
    """

    rule: str
    holds: str
    sentence: str


def resolution_of(a: Provision, b: Provision, conflict: Conflict) -> Resolution | None:
    """How a difference is resolved; None where it is open."""
    if conflict.scope is not None:
        ours, theirs = (" ".join(words.split()) for words in conflict.scope)
        return Resolution("scope", "", f"They apply to different cases: “{ours}” and “{theirs}”.")
    if is_separate(a.contract, b.contract):
        return Resolution("scope", "", f"“{a.title}” and “{b.title}” are separate contracts of different parties.")
    return _by_notice(a, b) or _by_rank(a, b) or _by_date(a, b)


def _by_notice(a: Provision, b: Provision) -> Resolution | None:
    """What one document says of the other; nothing if two contracts each say that they replace the other."""
    found = [
        Resolution("supersedes", holds, f"“{one.title}” replaces “{other.title}”: “{' '.join(notice.split())}”")
        for holds, one, other in (("a", a, b), ("b", b, a))
        if (notice := next((each for each in one.notices if replaces(each, one, other)), None))
    ]
    is_mutual = len(found) > 1 and a.contract is not None and b.contract is not None
    return found[0] if found and not is_mutual else None


def replaces(notice: str, one: Provision, other: Provision) -> bool:
    """Whether a sentence of one document says that it replaces the other, by name or with all that came before."""
    if not REPLACES.search(notice) or REPLACED_BY.search(notice):
        return False
    is_merger = one.contract is not None or (is_merger_clause(notice) and not one.is_policy and not one.is_law)
    if _ALL_EARLIER.search(notice) and not _is_later(other, one):
        if not is_merger and other.contract is None:
            return True
        if has_same_parties(one.contract, other.contract) and is_on_one_subject(one.title, other.title):
            return True
    words = stems_in(other.title)
    shared = weight_of(words & stems_in(without_itself(notice)))
    return bool(words) and shared >= max(SAME_TITLE * weight_of(words), A_WORD if is_merger else 0.0)


def _by_rank(a: Provision, b: Provision) -> Resolution | None:
    for holds, one, other in (("a", a, b), ("b", b, a)):
        if one.is_law and other.is_policy:
            return Resolution("rank", holds, f"“{one.title}” is law and takes precedence over “{other.title}”.")
    return None


def _by_date(a: Provision, b: Provision) -> Resolution | None:
    if a.effective is None or b.effective is None or a.effective == b.effective or a.is_law != b.is_law:
        return None
    if (a.contract or b.contract) and not has_same_parties(a.contract, b.contract):
        return None  # a later contract changes nothing between others
    holds, later, earlier = ("a", a, b) if a.effective > b.effective else ("b", b, a)
    assert later.effective is not None
    return Resolution(
        "later", holds, f"“{later.title}” is the later rule, in force from {later.effective:%d %B %Y}; "
        f"“{earlier.title}” is older.",
    )  # fmt: skip


def _is_later(one: Provision, other: Provision) -> bool:
    return one.effective is not None and other.effective is not None and one.effective > other.effective


def source_of(*, document: str, title: str, kind: str, headings: Sequence[str]) -> tuple[str, str]:
    """Id and title of the document that a paragraph is of: a file of passages has those of several, under their titles.

    Args:
        document: Id of the document that was uploaded.
        title: Its title.
        kind: Of its file.
        headings: Those above the paragraph, outermost first.
    """
    return (f"{document}#{headings[0]}", headings[0]) if kind == "passages" and headings else (document, title)
