"""A part of a question that depends on the first ("and to whom?"), made a question of its own."""

import re

from legalqa.answering.composing.parts import AUXILIARY, reads_alone
from legalqa.answering.composing.terms import term_asked
from legalqa.answering.verbs import can_be_verb
from retrieval.graph.rules.nouns import DETERMINERS

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
_DOER = re.compile(rf"\b(?P<verb>{AUXILIARY})\s+(?P<doer>(?:the|an?|our|my)(?:\s+[\w’'-]+)+|\w+s(?=\s))", re.IGNORECASE)
_IS = re.compile(r"(?:is|are|was|were)\b", re.IGNORECASE)
# What follows the thing or person that the question is about: "is the report | due", "is the fee | of a licence".
_AFTER_THING = re.compile(
    rf"(?:{_PREPOSITIONS}|of|as|if|when|where|before|between|during|without|not|also|always|then|due|kept|paid|sent|told"
    r"|given|made|held|be|have|responsible|done|taken|written|borne|bound|set|put|liable|subject|allowed|free|\w{2,}ed)$",
    re.IGNORECASE,
)
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
    """Whether a part only asks by whom, where or how long the thing of the first part is done."""
    return _SHORT_ALONE.match(part) is not None


def names_another_doer(part: str) -> bool:
    """Whether a part puts the question of the first part about somebody else: "and how long the provider?"."""
    return _OTHER_DOER.match(part) is not None


def completed(part: str, first: str) -> str:
    """A part of a question that depends on the first, completed with what it lacks.

    >>> completed("to whom?", "By when must an incident be reported")
    'To whom must an incident be reported?'
    >>> completed("how long the provider?", "When must the deployer delete its logs")
    'How long must the provider delete its logs?'
    >>> completed("whom must it tell of the recall?", "What must the importer do?")
    'whom must the importer tell of the recall?'
    >>> completed("to whom do we report it?", "What is a serious incident?")
    'to whom do we report a serious incident?'
    >>> completed("whom must they inform of the recall?", "What must providers do?")
    'whom must providers inform of the recall?'
    >>> completed("who pays?", "How long is the term?")
    'who pays? How long is the term'
    """
    opening, rest = _OPENING.match(first), first.rstrip("?. ")
    if opening and (short := _SHORT_ALONE.match(part)):
        clause = rest[opening.end() :]
        return f"{short['asks'].capitalize()} {clause[:1].lower()}{clause[1:]}?"
    doer = _DOER.search(rest)
    name = _name_of(doer) if doer else ""
    if doer and name and (other := _OTHER_DOER.match(part)):
        clause = rest[doer.start("doer") + len(name) :]
        return f"{other['asks'].capitalize()} {doer['verb'].lower()} {other['doer']}{clause}?"
    if (term := term_asked(first)) and _THING.search(part):
        return _THING.sub(f"a {term}" if not term.endswith("s") else term, part, count=1)
    if doer and name and (it := _IT.search(part)) and not _is_of_another(it, doer, name):
        part = _IT.sub(rf"\g<verb> {name}", part, count=1)
        if reads_alone(part):
            return part
    return f"{part} {rest}"


def _is_of_another(it: re.Match[str], doer: re.Match[str], name: str) -> bool:
    """Whether "it" may be a thing that is named behind the one who acts: "May the employer end the contract"."""
    behind = doer.string[doer.start("doer") + len(name) :].lower().split()
    return it[0].lower().endswith(" it") and not _IS.match(doer["verb"]) and not DETERMINERS.isdisjoint(behind)


def _name_of(doer: re.Match[str]) -> str:
    """Whom or what a question asks about, after its first auxiliary: all words of "the security deposit".

    "" where it is not clear which word is the verb: "Must the bank transfer cover …".
    """
    words, is_thing = doer["doer"].split(), _IS.match(doer["verb"]) is not None
    for n, word in enumerate(words[2:], 2):
        low = word.lower()
        if _AFTER_THING.match(low):
            return " ".join(words[:n])
        if not is_thing and not low.endswith("s") and can_be_verb(low):
            after = words[n + 1].lower() if n + 1 < len(words) else ""
            if after == "be":  # "Must the rent be paid": the rent is no verb
                continue
            is_clear = not after or after in DETERMINERS or after.endswith("s") or _AFTER_THING.match(after)
            return " ".join(words[:n]) if is_clear else ""
    return doer["doer"] if is_thing else " ".join(words[:2])
