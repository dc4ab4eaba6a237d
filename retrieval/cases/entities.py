"""The entities of a text by rules: what CBR-RAG (section 4, table 1) writes into E, and the legal acts (figure 2).

The paper asks a model for "named entities and unique identifiers as a single text"; here patterns find them, of the
kinds that its table 1 shows. A phrase is named as the text writes it, blanks apart.
"""

import re
from collections.abc import Iterator
from typing import Final

KINDS: Final = {
    "act": "Legal act",
    "provision": "Provision",
    "case_name": "Case name",
    "action": "Action",
    "location": "Location",
    "outcome": "Outcome",
    "concept": "Legal concept",
}
MAX_OF_KIND = 12  # ours: entities of a kind; the first ones of a long support say what it is about
MAX_CHARS = 160
MIN_TERM = 2  # characters that are still initials

Entities = dict[str, tuple[str, ...]]

_CAPITAL = r"[A-Z][\w’'&-]*"
_JOIN = r"(?:of|and|the|for|on|in|to|&|against)"
_NAME = rf"{_CAPITAL}(?:\s+(?:\(?{_CAPITAL}\)?|{_JOIN}(?=(?:\s+{_JOIN})?\s+\(?[A-Z])))*"
_ACT_WORD = r"(?:Acts?|Regulations?|Rules|Rulebook|Code|Law|Directive|Ordinance|Statute|Constitution|Convention|Treaty)"
_YEAR = r"(?:,?\s+(?:of\s+)?(?:1[6-9]|20)\d{2})"
_ACT = re.compile(
    rf"(?:{_NAME}\s+)?(?<![\w-]){_ACT_WORD}{_YEAR}(?:\s+\([A-Z][A-Za-z]{{1,8}}\))?"
    rf"|(?:Regulation|Directive|Decision)\s+\((?:EU|EC|EEC)\)\s+(?:No\.?\s+)?\d+/\d+"
    rf"|Local\s+Law\s+(?:No\.?\s+)?\d+(?:\s+of\s+\d{{4}})?"
    rf"|(?:{_NAME}\s+){_ACT_WORD}(?![\w-])"
)
_PROVISION = re.compile(
    r"(?:§+\s*|\b(?:[Ss]ections?|[Aa]rticles?|[Rr]egulations?|[Rr]ules?|[Pp]aragraphs?|[Cc]hapter|[Pp]art|[Ss]chedule)\s+)"
    r"\d[\w.-]*(?:\(\w{1,4}\))*|\b[A-Z]{3,6}(?:\s+Rules?)?\s+\d+(?:\.\d+)+(?:\(\w{1,4}\))*"
)
_CASE_NAME = re.compile(
    rf"{_NAME}\s+(?:v\.?|vs\.?|versus)\s+(?:[Tt]he\s+)?{_NAME}(?:\s+[\[(]\d{{4}}[\])])?|\b(?:Re|In\s+re|Ex\s+parte)\s+{_NAME}"
)
_ACTION = re.compile(
    r"\b(?:must|shall|may|should|(?:is|are|was|were)\s+(?:required|obliged|permitted|entitled|prohibited)\s+(?:to|from))"
    r"\s+((?:not\s+)?[a-z]+(?:\s+[\w’'-]+){1,7})|\b(?:was|were)\s+([a-z]+ed(?:\s+[\w’'-]+){1,6})"
)
_PLACE = r"(?:State|City|County|Province|Republic|District|Territory|Emirate|Kingdom|Union|Commonwealth)"
_LOCATION = re.compile(
    rf"\b{_PLACE}\s+of\s+{_CAPITAL}(?:\s+{_CAPITAL})*"
    rf"|\b(?:{_CAPITAL}\s+){{1,3}}(?:Street|Road|Avenue|County|City|Province|Island|Islands|Territory)\b"
    rf"|(?<=\b[Ii]n )(?:the\s+)?(?:{_CAPITAL}\s+){{0,2}}"
    r"(?:Kingdom|States|Emirates|Union|Wales|Australia|Zealand|York)\b"
    r"|\b(?:near|at)\s+an?\s+[^.,;:()]{4,50}?\s(?:area|premises|site|place|street|station)\b"
)
_OUTCOME = re.compile(
    r"[^.;,:\n]{0,90}\b(?:dismissed|allowed|upheld|quashed|overturned|remitted|convicted|acquitted|granted|refused|"
    r"set\s+aside|held\s+that|were\s+found|was\s+found|is\s+liable|are\s+liable|void|a\s+fine|penalty)\b[^.;,:\n]{0,70}"
)
_OPENING = re.compile(r"^(?:(?:In|Under|Of|The|If|Where|For|And|By|Any|An?|All|Such|These|Those|Concerning|the)\s+)+")
_BARE = re.compile(rf"{_ACT_WORD}(?:\s+(?:and|or)\s+{_ACT_WORD})*")  # names no act
_QUOTED = re.compile(r"[“\"‘]([A-Za-z][^“”\"‘’\n]{2,60})[”\"’]")
_TERM = re.compile(rf"(?<![.?!:]\s)(?<=\s)({_CAPITAL}(?:\s+{_CAPITAL}){{0,4}})")


def entities_of(text: str) -> Entities:
    """The entities of a text by kind, in the order in which it names them, each once; kinds without any are left out.

    A term that is part of an act, a case's name or a place is not a legal concept as well.
    """
    entities: Entities = {}
    used_spans: list[tuple[int, int]] = []
    for kind, pattern in (("case_name", _CASE_NAME), ("act", _ACT), ("provision", _PROVISION), ("location", _LOCATION)):
        spans = [m.span() for m in pattern.finditer(text) if not _overlaps(m.span(), used_spans)]
        used_spans += spans
        phrases = (_OPENING.sub("", text[start:end].strip()) for start, end in spans)
        _keep(entities, kind, (phrase for phrase in phrases if not (kind == "act" and _BARE.fullmatch(phrase))))
    _keep(entities, "action", (m[1] or m[2] for m in _ACTION.finditer(text)))
    _keep(entities, "outcome", (m[0] for m in _OUTCOME.finditer(text)))
    _keep(entities, "concept", _concepts(text, used_spans))
    return {kind: entities[kind] for kind in KINDS if kind in entities}


def entities_line(entities: Entities) -> str:
    """The entities as one line, as table 3 of the paper asks a model to write them; this is what g(E) reads."""
    return " ".join(dict.fromkeys(phrase for kind in KINDS for phrase in entities.get(kind, ())))


def _concepts(text: str, used_spans: list[tuple[int, int]]) -> Iterator[str]:
    yield from (m[1] for m in _QUOTED.finditer(text))
    for match in _TERM.finditer(text):
        if not _overlaps(match.span(), used_spans) and len(match[1]) > MIN_TERM:
            yield match[1]


def _keep(entities: Entities, kind: str, phrases: Iterator[str]) -> None:
    clean = (" ".join(phrase.split())[:MAX_CHARS] for phrase in phrases)
    once = {phrase.casefold(): phrase for phrase in reversed([phrase for phrase in clean if phrase])}
    if once:
        entities[kind] = tuple(reversed(once.values()))[:MAX_OF_KIND]


def _overlaps(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)
