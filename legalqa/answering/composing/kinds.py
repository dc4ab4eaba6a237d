"""What kind of answer a question asks for, by its words; and whether a text has what such an answer must hold."""

import re
from enum import StrEnum


class Kind(StrEnum):
    DEFINITION = "definition"
    AMOUNT = "amount"
    DEADLINE = "deadline"
    WHO = "who"
    LIST = "list"
    YES_NO = "yes_no"
    CONDITION = "condition"
    PROCEDURE = "procedure"
    COMPARISON = "comparison"
    OVERVIEW = "overview"
    OPEN = "open"


_TERM = r"[“\"‘']?(?P<term>[\w’'/ -]{2,60}?)[”\"’']?"
_DEFINITION = (
    re.compile(rf"^what (?:is|are) (?:meant by )?(?:an? |the )?{_TERM}(?: in (?:this|the) [\w ]+)?\s*\??$", re.IGNORECASE),
    re.compile(rf"^(?:what|how) (?:does|do|is|are) (?:the (?:term|word|phrase|expression) )?{_TERM} (?:mean|means|defined)\b", re.IGNORECASE),
    re.compile(rf"\b(?:definition|meaning) of (?:the (?:term|word) )?(?:an? )?{_TERM}\s*\??$", re.IGNORECASE),
    re.compile(rf"^(?:define|explain what) (?:is |the term )?(?:an? )?{_TERM}(?: (?:is|means))?[.?]?$", re.IGNORECASE),
    re.compile(rf"^(?:what|who) (?:counts|qualifies) as (?:an? )?{_TERM}\s*\??$", re.IGNORECASE),
)
# "What are the penalties?" asks for no meaning of a word.
_NO_TERM = re.compile(
    r"\b(?:penalt|fine|fee|price|cost|salary|rate|deadline|period|term|date|consequence|purpose|requirement|obligation"
    r"|dut|right|task|step|rule|limit|maximum|minimum|exception|condition|difference|process|procedure|polic|role"
    r"|responsibilit|notice|of|for|to|when|in|under|if|my|our|your)\w*\b",
    re.IGNORECASE,
)
_KINDS = (
    (Kind.COMPARISON, r"\b(?:differ(?:s|ence|ent)?\b.*\b(?:from|between)|compared? (?:to|with)|versus|vs\.?)\b"),
    (Kind.OVERVIEW, r"^(?:tell me (?:about|everything)|summari[sz]e|give (?:me )?an overview|describe|outline|explain)\b|^what (?:does|do) .{3,60} (?:say|cover|regulate)\b"),
    (Kind.AMOUNT, r"\bhow (?:much|high|large|big)\b|\b(?:amount|fine|fines|penalt(?:y|ies)|fee|fees|price|cost|salary|percentage|cap|rate|budget|royalt(?:y|ies))\b.*\?|\bhow many\b(?!.*\b(?:days?|weeks?|months?|years?|hours?|minutes)\b)"),
    (Kind.DEADLINE, r"\bhow (?:long|soon|often|quickly|late|early|recent|frequently|far in advance)\b|\bhow many (?:\w+ )?(?:days?|weeks?|months?|years?|hours?|minutes)\b|\bby when\b|\bdeadline\b|\bnotice period\b|\bwhat (?:date|period|time)\b|^(?:and )?when (?:did|does|do|will|is|are|was|were|must|shall|should)\b|\bhow much (?:time|notice)\b"),
    (Kind.CONDITION, r"\b(?:under (?:what|which)|in (?:what|which)) (?:conditions?|circumstances|cases?|situations?)\b|^(?:and )?when (?:may|can|might|could)\b|\bwhat conditions?\b|\bwhat (?:if|happens if|happens when)\b"),
    (Kind.WHO, r"^(?:and |by |to |from )?(?:who|whom|whose)\b|\b(?:which|what) (?:body|authority|person|party|department|team|role|officer)\b|\bresponsible for\b"),
    (Kind.LIST, r"^(?:and )?(?:which|list|name|enumerate)\b|^what (?:are|were) (?:the|all|my|our|your)\b|\bwhat (?:\w+ ){0,3}(?:requirements|obligations|duties|rights|steps|categories|types|kinds|practices|documents|information|exceptions|elements|criteria|factors|tasks|measures|grounds)\b|^what (?:must|should|shall|does|do) .* (?:contain|include|cover|consist of|comprise|state|list)\b"),
    (Kind.PROCEDURE, r"^(?:and )?how (?:do|does|can|must|should|shall|may|to|is|are|will)\b|\bprocedure\b|\bprocess for\b|\bsteps\b"),
    (Kind.YES_NO, r"^(?:and |but |so )?(?:is|are|was|were|may|can|could|must|shall|should|do|does|did|has|have|will|would|am)\b"),
)  # fmt: skip
_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _KINDS)
_FITS = {
    Kind.AMOUNT: re.compile(r"\d|\b(?:percent|per cent|half|twice|one|two|three|four|five|six|ten|hundred|thousand|million|free|no (?:fee|charge|cost))\b|[$€£%]", re.IGNORECASE),
    Kind.DEADLINE: re.compile(
        r"\b(?:days?|weeks?|months?|years?|hours?|minutes|quarter(?:ly)?|annual(?:ly)?|yearly|weekly|daily|monthly|immediately|promptly|"
        r"without (?:undue )?delay|within|until|before|after|upon|prior|January|February|March|April|June|July|August|September|"
        r"October|November|December|(?:19|20)\d\d)\b", re.IGNORECASE),
}  # fmt: skip
WHOLE_LISTS = frozenset({Kind.LIST, Kind.OVERVIEW, Kind.CONDITION, Kind.PROCEDURE})


def term_asked(question: str) -> str:
    """The term whose meaning is asked for; "" where none is."""
    asked = " ".join(question.split())
    for place, pattern in enumerate(_DEFINITION):
        match = pattern.search(asked)
        if match and (place or not _NO_TERM.search(match["term"])):
            return match["term"].strip()
    return ""


def kind_of(question: str) -> Kind:
    """The kind of answer, by the question's words (ours)."""
    asked = " ".join(question.split())
    if term_asked(asked):
        return Kind.DEFINITION
    return next((kind for kind, pattern in _PATTERNS if pattern.search(asked)), Kind.OPEN)


def fits(kind: Kind, text: str) -> bool:
    """Whether a text has what an answer of the kind cannot do without: a number, a time; True of kinds without one."""
    return kind not in _FITS or bool(_FITS[kind].search(text))


def defines(term: str, text: str) -> bool:
    """Whether a text says what the term means: it opens with the term, quoted or not, and "means" or the like."""
    word = r"\s+".join(re.escape(part) for part in term.split()) + "(?:e?s)?"
    return bool(
        re.search(
            rf"(?:[“\"‘'*]\s*(?:an? )?{word}\s*[”\"’'*]|^\W*(?:\([^)]*\)\s*)?(?:an? |the )?{word})[^.;:]{{0,60}}?"
            r"\b(?:means?|shall mean|refers? to|is defined|has the meaning|includes|is an?|is any|is the|are)\b",
            text, re.IGNORECASE,
        )
    )  # fmt: skip
