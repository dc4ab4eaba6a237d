"""What kind of answer a question asks for, by its words."""

import re
from enum import StrEnum

from corpora.tokens import tokens
from legalqa.answering.composing.doers import NAMED
from legalqa.answering.composing.parts import asking
from legalqa.answering.composing.terms import AMOUNTS, ORDERED, any_of, term_asked
from legalqa.answering.scaffolding import SCAFFOLDING


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


TIMES = r"(?:days?|weeks?|months?|years?|hours?|minutes)"
_YES_NO = r"(?:is|are|was|were|may|can|could|must|shall|should|do|does|did|has|have|will|would)"
_WORKED_OUT = r"(?:calculated?|computed?|worked out|determined?|divided?|measured?|assessed|set|fixed)"
_NOUNS = (
    r"(?:requirements|obligations|duties|rights|steps|categories|types|kinds|practices|documents|information"
    r"|exceptions|elements|criteria|factors|tasks|measures|grounds)"
)
_TOLD = r"(?:check|verify|ensure|say|tell|disclose|publish|record|submit)"
# "What does the label have to say about sugar?" asks for a list.
_OVERVIEW = (
    r"(?:tell me (?:everything )?about|summari[sz]e|(?:give (?:me )?)?an overview (?:of|on)|describe|outline|explain"
    r"|what (?:does|do) (?:(?!(?:have|has|needs?) to\b)[\w'-]+ ){1,8}?say (?:about|on|regarding|of))\b"
)
_OVERVIEW_OF = re.compile(rf"^{_OVERVIEW}(?P<subject>.+)", re.IGNORECASE)
_CLAUSE_OF = re.compile(
    r"^(?:and |but )?(?:(?:is|are) there|(?:does|do) [\w'’-]+(?: [\w'’-]+){0,6}? (?:contain|include|have|provide))"
    r" (?:any |an? |the )?(?P<subject>[\w'’ -]+?) (?:clause|provision)s?\b",
    re.IGNORECASE,
)
_PATTERNS = (
    (
        Kind.COMPARISON,
        any_of(r"\bdiffer(?:s|ence|ent)?\b.*\b(?:from|between)\b", r"\bcompared? (?:to|with)\b", r"\b(?:versus|vs)\b"),
    ),
    (
        Kind.OVERVIEW,
        any_of(
            rf"^{_OVERVIEW}",
            r"^what (?:does|do) (?:[\w-]+ ){1,6}?"
            r"(?:act|law|rules?|regulations?|polic(?:y|ies)|contract|agreement|documents?|handbook|code|directive)"
            r" (?:cover|regulate)\b",
        ),
    ),
    (
        Kind.LIST,
        any_of(
            r"^(?:and )?(?:to )?whom? (?:does|do) .{2,60} apply\b",
            r"^(?:and )?what are the (?:penalties|fines|sanctions|fees)\s*\??$",
            r"^(?:and )?who (?:is|are) (?:covered by|bound by|subject to) (?:the|this|our)\b",
        ),
    ),
    (Kind.WHO, any_of(r"^(?:and |by |to |from )?(?:who|whom|whose)\b")),
    (
        Kind.AMOUNT,
        any_of(
            r"\bhow (?:much(?! (?:time|notice))|high|large|big)\b",
            r"^(?!(?:and |by |from )?when\b|how (?:long|soon|often)\b"
            rf"|(?:and |but |so )?{_YES_NO}\b|how (?:is|are|will|do|does) .*\b{_WORKED_OUT}\b).*"
            r"\b(?:amount|fines?|penalt(?:y|ies)|fees?|price|cost|salary|percentage|cap|rate|budget|royalt(?:y|ies))\b",
            rf"\bhow many\b(?!.*\b{TIMES}\b)",
            r"\bwhat sum\b",
            rf"^(?:and )?what (?:is|are) (?:the|our|my|your) {AMOUNTS}(?: (?:for|on|per|in|under) .*)?\s*\??$",
        ),
    ),
    (
        Kind.CONDITION,
        any_of(
            r"\b(?:under|in) (?:what|which) (?:conditions?|circumstances|cases?|situations?)\b",
            r"^(?:and )?when (?:is|are|does|do) .*\b(?:required|presumed|considered|deemed|allowed|needed|necessary"
            r"|exempt|prohibited|permitted|applicable|liable|entitled)\b",
            r"^(?:and )?when (?:does|do) .*\b(?:become|cease to be|lose|count|qualify|(?:have|need)(?! to)|fall|lapse"
            r"|not apply)\b",
            r"^(?:and )?when (?:is|are) .*\b(?:in|at|under|subject to|out of|free (?:of|from)) (?:\w+ ?){1,3}\?*$",
            r"^(?:and )?when (?:may|can|might|could|need)\b|\bwhat conditions?\b",
            r"\bwhat (?:if|happens if|happens when)\b",
        ),
    ),
    (
        Kind.DEADLINE,
        any_of(
            r"\bhow (?:long|soon|often|fast|quickly|late|early|recent|recently|frequently|far (?:in advance|ahead))\b",
            rf"\bhow many (?:\w+ )?{TIMES}\b",
            r"\b(?:by|until|since|from) when\b|\bat what intervals?\b|\bdeadline\b|\bnotice period\b",
            r"\bwhat (?:date|period|time)\b|\bhow much (?:time|notice)\b",
            r"^(?:and )?when (?:did|does|do|will|is|are|was|were|must|shall|should)\b",
        ),
    ),
    (
        Kind.WHO,
        any_of(
            r"\bresponsible for\b",
            r"\b(?:which|what) (?:body|authority|person|party|department|team|role|officer)\b",
        ),
    ),
    (
        Kind.LIST,
        any_of(
            r"^(?:and )?(?:list|name|enumerate)\b",
            r"^which (?:\w+ ){0,3}\w+[^s\W]s\b(?! (?:the|an?|this|it|my|our|your)\b)",  # not "which law governs the"
            rf"^what (?:are|were) (?:the|all|my|our|your)\b|^what (?:is|are) (?:{ORDERED}|not|excluded|exempt)\b",
            rf"\bwhat (?:\w+ ){{0,3}}{_NOUNS}\b",
            r"^what (?:\w+ ){0,2}\w+[^s\W]s (?:do|does|did|must|should|shall|may|can|has|have|needs?|are)\b",
            r"^(?:to|in|for|under|by|with) (?:which|what) (?:\w+ ){0,2}\w+[^s\W]s\b",
            r"^what (?:does|do) .{2,60} (?:have|needs?) to say\b",
            r"^what (?:must|should|shall|does|do|has|have) .*"
            r" (?:contain|include|cover|consist of|comprise|state|list|show|set out|specify)\b",
            r"^what (?:must|should|shall|(?:has|have|needs?) to) (?:(?!be\b)\w+ ){0,4}be (?!done\b)\w+",
            rf"^what (?:must|should|shall) (?:(?:[\w-]+ ){{1,5}}?{_TOLD}\b|.* {_TOLD}\W*$)",
        ),
    ),
    (
        Kind.PROCEDURE,
        any_of(
            r"^(?:and )?how (?:do|does|can|must|should|shall|may|to|is|are|will)\b",
            r"\bprocedure\b|\bprocess for\b|\bsteps\b",
            r"^what (?:do|does|must|should) .{1,40}? (?:need to|have to|do|get done)\b",
            r"^what (?:has|have) .{1,40}? to do\b",
        ),
    ),
    (
        Kind.YES_NO,
        any_of(
            rf"^(?:and |but |so )?{_YES_NO}\b",
        ),
    ),
)
_SAME = dict.fromkeys(tokens("duty responsibility"), *tokens("obligation"))
_ABOUT_ASKED = re.compile(
    r"\b(?:about|lays? down|purposes?|aims?|scope|objectives?|establish\w*|subject)\b", re.IGNORECASE
)
_LABEL = re.compile(r"^(?:article|section|chapter|part|annex|clause|§+)\s*[\dIVXLC][\w.()-]*", re.IGNORECASE)
WHOLE_LISTS = frozenset({Kind.DEFINITION, Kind.LIST, Kind.OVERVIEW, Kind.CONDITION, Kind.PROCEDURE})
OF_ARTICLES = frozenset({Kind.LIST, Kind.OVERVIEW})  # kinds that a whole article may answer
OF_RULES = frozenset({Kind.DEFINITION, Kind.LIST, Kind.OVERVIEW, Kind.WHO})  # a rule answers them, not its exception


def kind_of(question: str) -> Kind:
    """The kind of answer, by the question's words (ours)."""
    sentence = asking(" ".join(question.split()))
    if term_asked(sentence):
        return Kind.DEFINITION
    return next((kind for kind, pattern in _PATTERNS if pattern.search(sentence)), Kind.OPEN)


def asks_what_it_is_about(question: str) -> bool:
    """Whether a question asks what a law or a part of it is about, or what it is for."""
    return _ABOUT_ASKED.search(question) is not None


def overview_subject(question: str) -> str:
    """The subject of an overview, in the question's words: "passwords"; "" if none is asked for, or only of "it"."""
    match = _OVERVIEW_OF.search(question)
    subject = match["subject"].partition("?")[0].strip(" .!") if match else ""
    return subject if subject_of(subject) else ""


def clause_subject(question: str) -> str:
    """The subject of a clause, if the question asks whether there is such a clause, in its words; otherwise "".

    >>> clause_subject("Does this Agreement contain an arbitration clause?"), clause_subject("Is there a fee?")
    ('arbitration', '')
    """
    match = _CLAUSE_OF.search(question)
    return match["subject"] if match and subject_of(match["subject"]) else ""


def is_about(text: str, *, question: str) -> bool:
    """Whether the question asks for an overview, and a text has the words of its subject."""
    subject = subject_of(overview_subject(question))
    return bool(subject) and len(subject & subject_of(text)) >= NAMED * len(subject)


def is_headed(heading: str, *, question: str) -> bool:
    """Whether a heading says nothing but what the question says, "Tasks of the Board"; one of a word, all of it."""
    own, subject = subject_of_heading(heading), subject_of(question)
    return own == subject if len(own) == 1 else bool(own) and own <= subject


def subject_of(text: str) -> set[str]:
    """The index terms of a question or heading that name its subject; "duties" and "obligations" are one word."""
    return {_SAME.get(word, word) for word in tokens(text)} - SCAFFOLDING


def subject_of_heading(heading: str) -> set[str]:
    """The same of a heading without its number: of "Article 99 Penalties", "penalty"."""
    return {word for word in subject_of(_LABEL.sub("", heading)) if not word.isdigit()}
