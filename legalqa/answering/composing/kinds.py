"""What kind of answer a question asks for, by its words; and whether a text has what such an answer must hold."""

import re
from enum import StrEnum
from functools import lru_cache

from corpora.provisions.features import facts_of
from corpora.tokens import tokens
from legalqa.answering.composing.doers import NAMED, names_another
from legalqa.answering.composing.exclusions import asks_who_is_excluded, excludes
from legalqa.answering.composing.parts import asking
from legalqa.answering.composing.terms import ORDERED, PROHIBITED, any_of, term_asked
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


_TIMES = r"(?:days?|weeks?|months?|years?|hours?|minutes)"
_YES_NO = r"(?:is|are|was|were|may|can|could|must|shall|should|do|does|did|has|have|will|would)"
_WORKED_OUT = r"(?:calculated?|computed?|worked out|determined?|divided?|measured?|assessed|set|fixed)"
_NOUNS = (
    r"(?:requirements|obligations|duties|rights|steps|categories|types|kinds|practices|documents|information"
    r"|exceptions|elements|criteria|factors|tasks|measures|grounds)"
)
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
            rf"\bhow many\b(?!.*\b{_TIMES}\b)",
            r"\bwhat sum\b",
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
            r"^(?:and )?when (?:may|can|might|could)\b|\bwhat conditions?\b|\bwhat (?:if|happens if|happens when)\b",
        ),
    ),
    (
        Kind.DEADLINE,
        any_of(
            r"\bhow (?:long|soon|often|fast|quickly|late|early|recent|recently|frequently|far (?:in advance|ahead))\b",
            rf"\bhow many (?:\w+ )?{_TIMES}\b",
            r"\b(?:by|until|since) when\b|\bat what intervals?\b|\bdeadline\b|\bnotice period\b",
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
            r"^what (?:must|should|shall) (?:[\w-]+ ){1,5}?"
            r"(?:check|verify|ensure|say|tell|disclose|publish|record|submit)\b",
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
# A number of an article is no amount: "Article 68", "paragraph 1", "(EU) 2016/679".
_REFERENCE = re.compile(
    r"\b(?:articles?|art\.|paragraphs?|points?|sections?|§+|annex|regulation|directive|clauses?|rule|chapter)"
    r"\s*(?:\((?:EU|EC)\)\s*)?(?:No\s*)?[\dIVX][\d.()/IVX-]*|^\W*\(?\d+[.)]",
    re.IGNORECASE | re.MULTILINE,
)
_FITS = {
    Kind.AMOUNT: any_of(
        r"\d|[$€£%]",
        r"\b(?:percent|per cent|half|twice|one|two|three|four|five|six|ten|hundred|thousand|million)\b",
        r"\b(?:free|no (?:fee|charge|cost|limit))\b",
    ),
    Kind.DEADLINE: any_of(
        rf"\b(?:{_TIMES}|quarter(?:ly)?|annual(?:ly)?|yearly|weekly|daily|monthly|immediately|promptly)\b",
        r"\b(?:without (?:undue )?delay|within|until|before|after|upon|prior|once|forthwith|whenever|as soon as)\b",
        r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b",
        r"\b(?:19|20)\d\d\b",
    ),
}
_LANGUAGE_ASKED = re.compile(r"\b(?:what|which) languages?\b", re.IGNORECASE)
_A_LANGUAGE = re.compile(
    r"\b(?:[Ll]anguages?|English|French|German|Arabic|Spanish|Italian|Chinese|Dutch|Portuguese|Polish|Norwegian)\b"
)
_CURRENCY_ASKED = re.compile(r"\b(?:what|which) currenc(?:y|ies)\b", re.IGNORECASE)
_A_CURRENCY = re.compile(r"[$€£¥]|\b(?:[Cc]urrenc(?:y|ies)|[Dd]ollars?|[Ee]uros?|[Pp]ounds|USD|EUR|GBP|JPY|CHF|AED)\b")
# "For which customers need the owners not be identified?" is met by a text that lets somebody off.
_RELIEF_ASKED = re.compile(
    r"\bneeds? (?:[\w’'-]+ ){0,6}?not\b|\b(?:not|n['’]t) (?:have to|need(?:ed)?|required|necessary|obliged|apply)\b"
    r"|^(?:and )?(?:what|which|when|who|to whom|for (?:what|which))\b.*\bexempt",
    re.IGNORECASE,
)
_RELIEF = re.compile(
    r"\b(?:need not|no (?:obligation|requirement|duty|need)|may (?:omit|refrain|dispense)|instead|unless"
    r"|(?:apply|applies|required|obliged) only|only (?:appl(?:y|ies)|required|if|where)"
    r"|waive[sd]?|except\w*|exempt\w*|exclud\w*|derogat\w*"
    r"|(?:is|are|be|do|does|shall|will|must) not (?:be )?"
    r"(?:required|apply|need|have|necessary|obliged|considered|counted|extend|include|cover))\b",
    re.IGNORECASE,
)
# A public fund and a private one, of the same noun: what is said of one is not said of the other.
_OPPOSITES = tuple(
    (re.compile(rf"\b{one} (?P<noun>\w{{3,}})", re.IGNORECASE), other, re.compile(rf"\b{one}\b", re.IGNORECASE))
    for pair in (
        ("public", "private"),
        ("written", "oral"),
        ("internal", "external"),
        ("domestic", "foreign"),
        ("voluntary", "involuntary"),
        ("temporary", "permanent"),
        ("natural", "legal"),
    )
    for one, other in (pair, pair[::-1])
)
_TIMES_ASKED = re.compile(rf"\bhow many (?:\w+ )?{_TIMES}\b", re.IGNORECASE)
_A_TIME = re.compile(rf"\b{_TIMES}\b", re.IGNORECASE)
_BECOMES_ASKED = re.compile(
    r"\bwhen (?:does|do|is|are) (.{1,80}?) (?:become|turn into|count as|qualify as|considered|deemed) (.{1,80})",
    re.IGNORECASE,
)
_TAKEN_FOR = re.compile(
    r"\b(?:be|is|are) (?:considered|deemed|regarded|treated|presumed)\b|\bbecomes?\b", re.IGNORECASE
)
_HOW_OFTEN = re.compile(r"\bhow (?:often|frequently|recent(?:ly)?)\b", re.IGNORECASE)
_RECURS = any_of(
    rf"\b(?:every|each|per|an?) (?:\w+ )?{_TIMES}\b",
    r"\b(?:annual|year|month|quarter|week|dai|biennial)ly\b",
    rf"\bmore than \w+ (?:business |calendar )?{_TIMES} (?:ha(?:s|ve) (?:passed|elapsed)|prior|before|old|ago)\b",
)
_PERMISSION_ASKED = any_of(r"^what (?:is|are) (?:allowed|permitted)\b", r"^what may (?:[\w’'-]+ ){1,6}?(?<!not )do\b")
_PROHIBITION_ASKED = any_of(rf"^what (?:is|are) {PROHIBITED}\b", r"^what may (?:[\w’'-]+ ){1,6}?not do\b")
_RULE_ASKED = re.compile(
    r"^(?:and |but |so )?(?:(?:must|shall|should|may|can|could)\b|(?:do|does) .*?\b(?:have|has|need)s? to\b"
    r"|(?:which|what) (?:\w+ ){0,3}?(?:obligations|duties|requirements|responsibilities)\b"
    r"|what (?:must|shall|should|may|can) (?:[\w’'-]+ ){1,6}?do\b)",
    re.IGNORECASE,
)
_RULES = any_of(
    r"\b(?:shall|must|may|can|cannot|should|will|need(?:s|ed)?|has to|have to|is to|are to)\b",
    r"\b(?:required?|requires|allowed|permitted|prohibited|forbidden|entitled|obliged|liable|free to|exempt)\b",
    r"\bdo(?:es)? not\b",
)
_TOLD = (
    (_RULE_ASKED, _RULES),
    (_LANGUAGE_ASKED, _A_LANGUAGE),
    (_CURRENCY_ASKED, _A_CURRENCY),
    (_RELIEF_ASKED, _RELIEF),
)
# "When does the contract end?" is met by a time, or by a case: "if either party gives notice".
_TIME_OR_CASE = re.compile(r"^(?:and )?when (?:does|do|is|are)\b", re.IGNORECASE)
_CASE = any_of(r"\b(?:if|whenever|unless|provided that|in the event|in case)\b", r"(?:^|[,:;.)]\s*)(?:where|when)\b")
# A first violation and the ones after it: "second" is met by "each subsequent".
_TURNS = (
    re.compile(r"\b(?:first|initial)\b", re.IGNORECASE),
    re.compile(r"\b(?:second|third|fourth|subsequent|repeat(?:ed)?|further)\b", re.IGNORECASE),
)
_SAME = dict.fromkeys(tokens("duty responsibility"), *tokens("obligation"))
_HOLDS = r"(?:contain|includ|cover|compris|specif|stat|consist|set)\w*"
_CONTENTS_ASKED = re.compile(
    rf"^(?:and )?what (?:must|should|shall|does|do) (?P<what>(?:(?!of\b|for\b|in\b|on\b|used\b)[\w’'-]+ ){{1,6}})"
    rf"(?:[\w’'-]+ ){{0,8}}?{_HOLDS}\b",
    re.IGNORECASE,
)
_HOLDING = re.compile(rf"\b{_HOLDS}\b", re.IGNORECASE)
_ABOUT_ASKED = re.compile(
    r"\b(?:about|lays? down|purposes?|aims?|scope|objectives?|establish\w*|subject)\b", re.IGNORECASE
)
POINTER_WORDS = 25  # ours
_POINTS = any_of(
    r"\bas (?:defined|described) (?:by|in)\b",
    r"\bhas the (?:same )?meaning\b",
    r"^\W*(?:\w{1,4}[.)]\s*)?(?:[\w-]+ ){0,3}(?:obligations?|requirements?|duties|rules)\b[^.;]{0,80}?"
    r" (?:pursuant to|under|laid down in|set out in|referred to in) (?:articles?|sections?|§)",
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


def fits(kind: Kind, text: str, *, question: str) -> bool:
    """Whether a text has what an answer of the kind cannot do without: a number, a time, a language, somebody whom the
    question does not name; True of kinds without one.

    A definition does not say what must or may be done, a prohibition not what is allowed, a text on the second time
    does not fit a question for the first, and one that excludes nobody does not say who may not do something.
    """
    if asks_who_is_excluded(question):
        return excludes(text, question=question)
    if any(asked.search(question) and not told.search(text) for asked, told in _TOLD):
        return False
    for turn, other in (_TURNS, _TURNS[::-1]):
        if turn.search(question) and not turn.search(text) and not other.search(question) and other.search(text):
            return False
    if _PERMISSION_ASKED.search(question) and facts_of(text).prohibition and not facts_of(text).permission:
        return False
    if is_of_the_opposite(text, question=question):
        return False
    if _TIMES_ASKED.search(question) and not any(_A_TIME.search(period) for period in facts_of(text).durations):
        return False
    if kind is Kind.DEADLINE and _TIME_OR_CASE.search(question) and _CASE.search(text):
        return True
    if kind is Kind.WHO:
        return names_another(text, question=question)
    return kind not in _FITS or bool(_FITS[kind].search(_without_references(text)))


@lru_cache(4096)  # each question looks at the same passages
def _without_references(text: str) -> str:
    return _REFERENCE.sub(" ", text)


def is_of_the_opposite(text: str, *, question: str) -> bool:
    """Whether a text is of a public fund alone where a private one is asked about, or the other way round.

    >>> is_of_the_opposite("A Public Fund may be promoted.", question="May we promote a private fund?")
    True
    """
    return any(
        re.search(rf"\b{other} {re.escape(match['noun'].rstrip('s'))}", text, re.IGNORECASE)
        for asked, other, own in _OPPOSITES
        if (match := asked.search(question)) and not own.search(text)
    )


def says_how_often(text: str, *, question: str) -> bool:
    """Whether it is asked how often or how recently something must be done, and a text says so of what is named."""
    if not (_HOW_OFTEN.search(question) and _RECURS.search(text)):
        return False
    words = subject_of(question)
    return 2 * len(words & subject_of(text)) >= len(words) > 0


def says_who_becomes(text: str, *, question: str) -> bool:
    """Whether it is asked when somebody becomes something, and a text says who is considered that, naming both.

    "Any distributor shall be considered to be a provider where …" says when a distributor becomes a provider.
    """
    match = _BECOMES_ASKED.search(question)
    if match is None or not _TAKEN_FOR.search(text):
        return False
    own = subject_of(text)
    return all(words and words <= own for words in map(subject_of, match.groups()))


def says_contents_of_another(text: str, *, question: str) -> bool:
    """Whether it is asked what something must contain, and a text says so of other things alone.

    "The system shall include: (a) a monitoring plan" does not say what the plan must contain.
    """
    match = _CONTENTS_ASKED.search(question)
    words = tokens(match["what"]) if match else []
    if not words:
        return False
    before = [one[: verb.start()] for one in re.split("[.;:]", text) if (verb := _HOLDING.search(one))]
    return bool(before) and not any(words[-1] in tokens(one) for one in before)


def prohibits_as_asked(text: str, *, question: str) -> bool:
    """Whether it is asked what is prohibited, in whatever words, and a text prohibits something ("unlawful")."""
    return _PROHIBITION_ASKED.search(question) is not None and facts_of(text).prohibition


def asks_what_it_is_about(question: str) -> bool:
    """Whether a question is for what a law or a part of it is about, or for."""
    return _ABOUT_ASKED.search(question) is not None


def overview_subject(question: str) -> str:
    """What an overview is asked of, in the question's words: "passwords"; "" where none is, or of "it" alone."""
    match = _OVERVIEW_OF.search(question)
    subject = match["subject"].partition("?")[0].strip(" .!") if match else ""
    return subject if subject_of(subject) else ""


def clause_subject(question: str) -> str:
    """What a clause is about of which it is asked whether there is one, in the question's words; "" where none is.

    >>> clause_subject("Does this Agreement contain an arbitration clause?"), clause_subject("Is there a fee?")
    ('arbitration', '')
    """
    match = _CLAUSE_OF.search(question)
    return match["subject"] if match and subject_of(match["subject"]) else ""


def is_about(text: str, *, question: str) -> bool:
    """Whether an overview is asked for, and a text says the words of its subject."""
    subject = subject_of(overview_subject(question))
    return bool(subject) and len(subject & subject_of(text)) >= NAMED * len(subject)


def is_headed(heading: str, *, question: str) -> bool:
    """Whether a heading says nothing but what the question says, "Tasks of the Board"; one of a word, all of it."""
    own, subject = subject_of_heading(heading), subject_of(question)
    return own == subject if len(own) == 1 else bool(own) and own <= subject


def subject_of(text: str) -> set[str]:
    """The index terms of a question or heading that name its subject; duties and obligations are the same."""
    return {_SAME.get(word, word) for word in tokens(text)} - SCAFFOLDING


def subject_of_heading(heading: str) -> set[str]:
    """The same of a heading without its number: of "Article 99 Penalties", "penalty"."""
    return {word for word in subject_of(_LABEL.sub("", heading)) if not word.isdigit()}


def points_elsewhere(text: str) -> bool:
    """Whether a short text only says where a meaning or a duty is told: "“Bias audit” means … as defined by § 5"."""
    return len(text.split()) <= POINTER_WORDS and _POINTS.search(text) is not None
