"""The order of events, and the event from which a period runs: a paraphrase keeps both.

"Payment before delivery" and "delivery before payment" have the same words, and "within 14 days of signature" differs
from "of delivery" in one that a reader of meaning hardly minds.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from legalqa.answering.verification.words import listed, stems_of

_DIRECTIONS = {
    "before": r"before|prior\s+to|ahead\s+of|in\s+advance\s+of|preceding|until|till|earlier\s+than|by\s+the\s+time",
    "after": r"after|following(?!\s+(?:rules?|conditions?|terms?)\b)|once(?!\s+(?:a|an|per|each|every|by|only)\b)|"
    r"upon|as\s+soon\s+as|subsequent\s+to|later\s+than(?!\s+\d)",
    "during": r"during|throughout|while|as\s+long\s+as|for\s+the\s+duration\s+of|in\s+the\s+course\s+of",
}
_DIRECTION = re.compile("|".join(rf"(?P<{name}>\b(?:{words})\b)" for name, words in _DIRECTIONS.items()), re.IGNORECASE)
_ANCHOR_END = re.compile(r"[,;.]|\b(?:and|but|whereas|unless)\b", re.IGNORECASE)
# "Prior to the operation the doctor shall …": without a comma, the next noun opens the main clause.
_ANCHOR_END_OF_OPENING = re.compile(
    rf"{_ANCHOR_END.pattern}|(?<=\w{{4}})\s+(?:the|an?|its|his|her|they|it)\s", re.IGNORECASE
)
# The event from which a period runs comes after these words.
_RUNS_FROM = re.compile(
    r"\b(?:before|prior\s+to|ahead\s+of|after|following|once|upon|as\s+soon\s+as|since|when|until|"
    r"(?:days?|weeks?|months?|years?|begins?|starts?|counted|runs?)\s+(?:of|from|on|with|at|when)|"
    r"from\s+the\s+(?:day|date|moment|time))\b"
    r"(?P<anchor>[^,;.]*)",
    re.IGNORECASE,
)
_EVENTS = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for name, words in {
        "delivery": r"deliver\w*|hand\w*\s+over|handover|arriv\w*|reach\w*",
        "receipt": r"receipt|receiv\w*",
        "signature": r"sign(?:s|ed|ing|ature)?",
        "order": r"ordering|ordered|placed|placing",
        "confirmation": r"confirm\w*",
        "payment": r"paid|pays?|paying|payment",
        "service": r"served|service\s+of|serving",
        "issue": r"issue[sd]?|issuing|invoice\s+date|dated|sent|sending",
        "completion": r"complet\w*|finish\w*",
        "acceptance": r"accept\w*",
        "purchase": r"purchase[ds]?|purchasing|bought|buying",
        "publication": r"publish\w*|publication",
        "hearing": r"hearing|trial",
        "making": r"decision\s+(?:was|is)\s+(?:made|taken)|decided",
        "end": r"end(?:s|ed|ing)?|expir\w*|terminat\w*|(?:is|was|are)\s+over",
        "start": r"beg[iau]n\w*|start\w*|commenc\w*",
        "installation": r"install\w*|fit(?:s|ted|ting)|put\s+in",
        "application": r"filed|filing|lodg\w*|appl(?:y|ied|ication)",
        "registration": r"regist\w+",
        "approval": r"approv\w*|consent\w*|agreed|okay",
        "knowledge": r"aware|knows?|knew|knowledge|learn\w*|discover\w*",
    }.items()
}
# Both names of an event are in one class for this comparison.
_ALIKE = {"receipt": {"delivery", "notice"}, "approval": {"acceptance"}, "acceptance": {"approval"}}
_BIG = frozenset(listed("more longer greater higher larger later"))
_SMALL = frozenset(listed("less shorter fewer lower smaller earlier"))
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Order:
    """One "X before Y": the direction, what Y says and what X says."""

    direction: str
    anchor: frozenset[str]
    rest: frozenset[str]


def order_faults(claim: str, nearest: str) -> Iterator[str]:
    """Where a claim puts before what its source puts after, or exchanges the two."""
    theirs = _orders(nearest)
    for ours in _orders(claim) if theirs else ():
        if not any(_agree(ours, other) for other in theirs):
            yield f"The claim says “{ours.direction}” of other things than the evidence."


def _orders(text: str) -> Sequence[_Order]:
    found = []
    for match in _DIRECTION.finditer(text):
        ends = _ANCHOR_END if text[: match.start()].strip() else _ANCHOR_END_OF_OPENING
        end = ends.search(text, match.end())
        stop = end.start() if end else len(text)
        rest = f"{text[: match.start()]} {text[stop:]}"
        found.append(_Order(str(match.lastgroup), _meanings(text[match.end() : stop]), _meanings(rest)))
    return found


def _meanings(text: str) -> frozenset[str]:
    return stems_of(text) | {f"#{name}" for name in events_of(text)}


def events_of(text: str) -> frozenset[str]:
    """The classes of events that a text speaks of."""
    return frozenset(name for name, words in _EVENTS.items() if words.search(text))


def _agree(ours: _Order, theirs: _Order) -> bool:
    """Same direction and not exchanged, or the other direction and exchanged: "X before Y" is "Y after X"."""
    straight = len(ours.anchor & theirs.anchor) + len(ours.rest & theirs.rest)
    crossed = len(ours.anchor & theirs.rest) + len(ours.rest & theirs.anchor)
    if ours.direction == theirs.direction:
        return straight >= crossed or not ours.anchor & theirs.rest
    if {ours.direction, theirs.direction} == {"before", "after"}:
        return crossed > straight and bool(ours.anchor & theirs.rest)
    return False


def trigger_faults(claim: str, nearest: str) -> Iterator[str]:
    """Where a period of the claim runs from an event that its source does not name, or names elsewhere."""
    own = events_of(nearest)
    own |= {other for name in own for other in _ALIKE.get(name, ())}
    anchored = _anchored(nearest)
    ours = _anchored(claim)
    for name in sorted(ours - own):
        yield f"The claim counts from another event ({name}) than the evidence."
    if ours and anchored and ours <= own and not ours & (anchored | {o for n in anchored for o in _ALIKE.get(n, ())}):
        yield f"The claim counts from {min(ours)}, the evidence from {min(anchored)}."


def _anchored(text: str) -> frozenset[str]:
    return frozenset().union(*(events_of(match["anchor"]) for match in _RUNS_FROM.finditer(text)))


def compared(text: str) -> tuple[str, str] | None:
    """The two sides of a comparison, the one that has more first; None where nothing is compared."""
    head, than, tail = text.partition(" than ")
    words = [word.lower() for word in _WORD.findall(head)]
    if not than:
        return None
    last = next((word for word in reversed(words) if word in _BIG | _SMALL), None)
    if last is None:
        return None
    return (head, tail) if last in _BIG else (tail, head)
