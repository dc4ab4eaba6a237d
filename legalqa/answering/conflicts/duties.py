"""What a sentence does with an action: orders, forbids or allows it, exempts from it, or states that it happens."""

import re
from dataclasses import dataclass

from legalqa.answering.conflicts.subjects import Stems, stems_in

MUST, MUST_NOT, MAY, NEED_NOT, IS, IS_NOT = "duty", "prohibition", "permission", "exemption", "yes", "no"
_MODAL = r"(?:must|shall|may|can|should|will|would|might|could)"
_PATTERNS = {
    NEED_NOT: (
        r"\b(?:is|are|be|was)\s+not\s+(?:\w+\s+)?(?:required|obliged|obligated|necessary|mandatory|needed)\b"
        r"|\bneed(?:s)?\s+not\b|\b(?:do|does)\s+not\s+(?:have|need|require)\b(?:\s+to\b)?"
        r"|\b(?:needs?|requires?)\s+no\b|\bno\s+(?:obligation|duty|need|requirement)\b"
        r"|\bno\s+(?:\w+\s+){1,6}?(?:is|are)\s+(?:needed|required|necessary)\b"
        r"|\b(?:is|are)\s+(?:voluntary|optional)\b"
        r"|\b(?:shall|should|must)\s+not\s+(?:be\s+required|require|impose|be\s+obliged)\b"
        r"|\bwithout\s+(?:having|being\s+required)\s+to\b"
    ),
    MUST_NOT: (
        rf"\b{_MODAL}(?:\s+not\b|n['’]t\b|\s+never\b|\s+(?:in|under)\s+no\s+(?:case|circumstances?|event)\b)"
        r"|\bcannot\b|\b(?:is|are|be)\s+(?:not|never)\s+(?:\w+\s+)?(?:permitted|allowed|authori[sz]ed|entitled)\b"
        r"|\b(?:prohibit(?:s|ed)?|forbidden|forbids|banned|not\s+acceptable|unacceptable|disallowed)\b"
        rf"|\b(?:no|neither|none\s+of\s+the)\s+(?:\w+\s+){{1,5}}?"
        rf"(?:{_MODAL}|(?:is|are)\s+(?:allowed|permitted|accepted))\b"
        r"|\bno\s+(?:power|right|authority|entitlement)\s+to\b"
        r"|(?:^|[.;:]\s)\W*(?:please\s+)?(?:do\s+not\b|don['’]t\b)|\bnever\b|\bprohibition\s+(?:of|on)\b"
    ),
    MUST: (
        r"\b(?:must|shall)\b|\b(?:is|are|be)\s+(?:\w+\s+)?(?:required|obliged|obligated|mandatory|compulsory)\b"
        r"|\b(?:has|have|had)\s+to\b|\bneeds?\s+(?:to|an?|the|prior|written|approval)\b|\brequires?\b|\bshould\b"
    ),
    MAY: (
        r"\bmay\b|\bcan\b|\bpermits?\b|\ballows?\b"
        r"|\b(?:is|are|be)\s+(?:\w+\s+)?(?:permitted|allowed|free|entitled|authori[sz]ed|acceptable)\b"
    ),
    IS_NOT: (r"\b(?:is|are|was|were|does|do|did|has|have)(?:\s+not\b|n['’]t\b)|\b(?:is|are)\s+(?:\w+\s+)?non-|\bnot\b"),
}
_COMPILED = [(kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PATTERNS.items()]
_EXCEPTION = re.compile(
    r"\b(?:unless|except(?:ing|\s+(?:for|where|when|that|as|in))?|without|other\s+than|save\s+(?:for|where|as)|until|"
    r"only|solely|(?:any(?:one|body|thing)|nothing|none|all)\s+but|(?P<condition>provided\s+that|if|subject\s+to))\b",
    re.IGNORECASE,
)
# "is limited to", "not more than": bounds of numbers deny nothing.
_BOUND = re.compile(
    r"\b(?:not|no|nor)\s+(?:(?:to\s+)?exceed\w*|(?:more|less|fewer|later|earlier|longer|greater)\s+than)\b"
    r"|\bnot\s+limited\s+to\b|\bnot\s+only\b|\bwhether\s+or\s+not\b",
    re.IGNORECASE,
)
# A clause of condition, relation or purpose: what it denies or allows is not what the sentence does.
_CLAUSE = re.compile(
    r"(?P<added>,\s+(?:\w+\s+)?)?\b(?:when(?:ever)?|where|wherever|while|which|that|who|whose|because|since)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"(?<!\bor\s)\b(?:not|no|never|without|nobody|none)\b|n['’]t\b", re.IGNORECASE)
# "Shall not be changed at fixed intervals" denies what happens every 60 days.
PERIODIC = re.compile(
    r"\b(?:periodic\w*|intervals?|regularly|routine(?:ly)?|arbitrar\w+|schedule[ds]?)\b", re.IGNORECASE
)
_AGAINST = {
    frozenset((MUST, MUST_NOT)): "duty against prohibition",
    frozenset((MAY, MUST_NOT)): "permission against prohibition",
    frozenset((MUST, NEED_NOT)): "yes against no",
    frozenset((IS, NEED_NOT)): "yes against no",
    frozenset((IS, IS_NOT)): "yes against no",
    frozenset((MUST, IS_NOT)): "yes against no",
    frozenset((IS, MUST_NOT)): "duty against prohibition",
}


@dataclass(frozen=True, slots=True)
class Duty:
    """What a sentence does with an action.

    Attributes:
        kind: One of the six.
        rest: Names of the words outside its condition.
        condition: Names of the words of its condition or exception; empty for none.
        is_excepted: Whether it has an exception, "unless".
        is_conditional: Whether it has a condition, "if", "provided that", or is "only" for some.
        is_only: Whether what it says is for some alone, "only the officer may".
        is_of_some: Whether it denies a second time: "devices that are not enrolled may not be used" forbids some.
        start, end: Where the deciding words are; of a plain statement, the sentence.
    """

    kind: str
    rest: Stems
    condition: Stems
    is_excepted: bool
    is_conditional: bool
    is_only: bool
    is_of_some: bool
    start: int
    end: int


def duty_of(text: str) -> Duty:
    """What a sentence does; the strongest of its deciding words counts."""
    evened = _BOUND.sub(lambda match: "_" * len(match.group()), text)
    exception = _EXCEPTION.search(evened)
    head = evened[: exception.start()] if exception and exception.start() > len(text) / 4 else evened
    kind, start, end = _deciding(head)
    tail = evened[exception.start() :] if exception else ""
    is_excepted = exception is not None and not exception["condition"]
    is_only = exception is not None and exception.group().lower() in ("only", "solely")
    others = evened[:start] + evened[end:] if kind != IS else ""
    is_of_some = bool(_NEGATION.search(others))
    is_conditional = is_only or bool(exception and exception["condition"])
    return Duty(kind, stems_in(head), stems_in(tail), is_excepted, is_conditional, is_only, is_of_some, start, end)


def _deciding(text: str) -> tuple[str, int, int]:
    """What a sentence does and the words that decide it, those of its main clause before those of the others."""
    clause = _CLAUSE.search(text)
    heads = [text[: clause.start()]] if clause else []
    if not clause or not clause["added"] or "," in text[clause.end() :]:
        heads.append(text)
    for head in heads:
        for name, pattern in _COMPILED:
            if match := pattern.search(head):
                return name, match.start(), match.end()
    return IS, 0, len(text)


def _is_condition(one: Duty, other: Duty) -> bool:
    """Whether what another orders is the condition of a rule rather than its action."""
    in_condition = one.condition & other.rest
    return 2 * len(in_condition) >= len(one.condition) and len(in_condition) >= len(one.rest & other.rest)


def against(one: Duty, other: Duty) -> str:
    """The kind of conflict between two duties, "" where both can be followed.

    A prohibition with an exception that speaks of what the other orders or allows forbids nothing of it; "only the
    officer may" and "nobody but the officer may" say the same.
    """
    kind = _AGAINST.get(frozenset((one.kind, other.kind)), "")
    if not kind:
        return ""
    if one.is_only != other.is_only and one.is_excepted and other.is_excepted:
        return ""
    for mine, theirs in ((one, other), (other, one)):
        if mine.kind == MAY and mine.is_conditional and theirs.is_of_some:
            return ""  # allowed in one case, and forbidden in all others
        if (mine.kind, theirs.kind) == (MUST_NOT, MUST) and mine.is_conditional and _is_condition(mine, theirs):
            return ""  # forbidden where what the other orders was not done
    for mine, theirs in ((one, other), (other, one)):
        is_narrow = mine.is_excepted and bool(mine.condition & (theirs.rest | theirs.condition))
        if is_narrow and mine.kind in (MUST_NOT, IS_NOT, NEED_NOT) and not theirs.is_excepted:
            return ""
    return kind
