"""A part of a question that leans on the first, put as a question of its own: "and to whom?"."""

import re

from legalqa.answering.composing.parts import AUXILIARY, reads_alone
from legalqa.answering.composing.terms import term_asked

_PREPOSITIONS = "by|for|to|from|since|until|after|within|at|in|on|under|with"
_BY_HOW_MUCH = r"(?:days|weeks|months|years|hours)(?:\s+(?:before|after|earlier|later|in\s+advance))?"
_SHORT_ALONE = re.compile(
    rf"^(?:(?:and|or)\s+)?(?P<asks>(?:(?:{_PREPOSITIONS})\s+)?"
    rf"(?:how(?:\s+\w+)?(?:\s+{_BY_HOW_MUCH})?|when|whom|where|why))[?.\s]*$",
    re.IGNORECASE,
)
# "And how long the provider?", of "How long must the deployer keep the logs".
_OTHER_DOER = re.compile(
    r"^(?:and\s+)?(?P<asks>how\s+\w+|when|where)\s+(?P<doer>(?:the|an?|our|my)\s+[\w-]+(?:\s+[\w-]+)?)[?.\s]*$",
    re.IGNORECASE,
)
_DOER = re.compile(rf"\b(?P<verb>{AUXILIARY})\s+(?P<doer>(?:the|an?|our|my)\s+[\w-]+|\w+s)(?=\s)", re.IGNORECASE)
_IT = re.compile(rf"\b(?P<verb>{AUXILIARY})\s+(?:it|he|she|they)\b", re.IGNORECASE)
_THING = re.compile(r"\b(?:it|them|they)\b", re.IGNORECASE)  # of "What counts as a serious incident", the incident
# What a question asks for before its clause: "By when | must it be reported?"; not "Who | must report it?".
_OPENING = re.compile(
    rf"^(?:(?:(?:{_PREPOSITIONS})\s+(?:wh\w+|how\s+\w+)(?:\s+\w+)??"
    r"|when|where|why|how(?:\s+(?:long|soon|often|fast|quickly|late|far))?)\s+)?"
    rf"(?={AUXILIARY}\b)",
    re.IGNORECASE,
)


def is_short(part: str) -> bool:
    """Whether a part only asks by whom, where or how long what the first asks for is done."""
    return _SHORT_ALONE.match(part) is not None


def names_another_doer(part: str) -> bool:
    """Whether a part asks of another what the first asks of somebody: "and how long the provider?"."""
    return _OTHER_DOER.match(part) is not None


def completed(part: str, first: str) -> str:
    """A part of a question that leans on the first, with what it lacks.

    >>> completed("to whom?", "By when must an incident be reported")
    'To whom must an incident be reported?'
    >>> completed("how long the provider?", "When must the deployer delete its logs")
    'How long must the provider delete its logs?'
    >>> completed("whom must it tell of this?", "What must the importer do?")
    'whom must the importer tell of this?'
    >>> completed("to whom do we report it?", "What is a serious incident?")
    'to whom do we report a serious incident?'
    >>> completed("whom must they inform of this?", "What must providers do?")
    'whom must providers inform of this?'
    >>> completed("who pays?", "How long is the term?")
    'who pays? How long is the term'
    """
    opening, rest = _OPENING.match(first), first.rstrip("?. ")
    if opening and (short := _SHORT_ALONE.match(part)):
        clause = rest[opening.end() :]
        return f"{short['asks'].capitalize()} {clause[:1].lower()}{clause[1:]}?"
    doer = _DOER.search(first)
    if doer and (other := _OTHER_DOER.match(part)):
        return f"{other['asks'].capitalize()} {doer['verb'].lower()} {other['doer']}{rest[doer.end() :]}?"
    if (term := term_asked(first)) and _THING.search(part):
        return _THING.sub(f"a {term}" if not term.endswith("s") else term, part, count=1)
    if doer and _IT.search(part):
        part = _IT.sub(rf"\g<verb> {doer['doer']}", part, count=1)
        if reads_alone(part):
            return part
    return f"{part} {rest}"
