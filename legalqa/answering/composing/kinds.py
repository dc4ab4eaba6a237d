"""What kind of answer a question asks for, by its words; and whether a text has what such an answer must hold."""

import re
from enum import StrEnum
from functools import lru_cache

from corpora.provisions.features import facts_of
from corpora.tokens import tokens
from legalqa.answering.composing.doers import NAMED, names_another
from legalqa.answering.composing.exclusions import asks_who_is_excluded, excludes
from legalqa.answering.composing.parts import asking
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


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_TERM = r"[“\"‘']?(?P<term>[\w’'/ -]{2,60}?)[”\"’']?"
_CLASSED_AS = r"(?:considered|classified|regarded|deemed|treated)"
_DEFINITION = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^what (?:is|are) (?:meant by )?(?:an? |the )?{_TERM}(?: in (?:this|the) [\w ]+)?\s*\??$",
        rf"^how (?:does|do) (?:[\w’'-]+ ){{1,6}}?define (?:the (?:term|word) )?(?:an? |the )?{_TERM}\s*\??$",
        rf"^what (?:does|do) (?:[\w’'-]+ ){{1,6}}?mean by (?:the (?:term|word) )?(?:an? |the )?{_TERM}\s*\??$",
        rf"^(?:what|how) (?:does|do|is|are) (?:the (?:term|word|phrase|expression) )?{_TERM} (?:mean|means|defined)\b",
        rf"\b(?:definition|meaning) of (?:the (?:term|word) )?(?:an? )?{_TERM}\s*\??$",
        rf"^(?:define|explain what) (?:is |the term )?(?:an? )?{_TERM}(?: (?:is|means))?[.?]?$",
        rf"^who (?:is|are) (?:considered |deemed |regarded as )?(?:to be )?an? {_TERM}\s*\??$",
        rf"^(?:what|who) (?:counts|qualifies) as (?:an? )?{_TERM}\s*\??$",
        rf"^when (?:is|are) (?:an? |the )?[\w -]+? {_CLASSED_AS}(?: to be| as)? (?:an? )?{_TERM}\s*\??$",
        r"^when (?:is|are) (?:an? |the )?[\w -]{2,40}? (?P<term>\w+-\w+)\s*\??$",  # "When is an AI system high-risk?"
    )
)
_PROHIBITED = r"(?:prohibited|forbidden|banned|unlawful|not (?:allowed|permitted))"
_ORDERED = rf"(?:required|mandatory|{_PROHIBITED})"
# "What is the penalty?", "What is prohibited?" and "What is notice of breach?" ask for no meaning of a word.
_NO_TERM = _any(
    rf"^what (?:is|are) (?:{_ORDERED}|allowed|permitted)\b",
    r"^what (?:is|are) the .*\b(?:penalt|fine|fee|price|cost|salary|rate|deadline|period|term|date|consequence|purpose"
    r"|requirement|obligation"
    r"|dut|right|task|step|rule|limit|maximum|minimum|exception|condition|difference|process|procedure|polic|role"
    r"|responsibilit|notice|code|name|time)\w*\s*\??$",
    r" (?:of|for|to|when|in|on|under|if|my|our|your) ",
    r"\bdifferences? between\b",
)
_COMPARED = _any(
    r"\bdifferences? between (?:an? |the )?(?P<one>.{2,40}?) and (?:an? |the )?(?P<other>.{2,40}?)\s*\??$",
    r"^how (?:does|do|is|are) (?:an? |the )?(?P<first>.{2,40}?) (?:differ|different) from"
    r" (?:an? |the )?(?P<second>.{2,40}?)\s*\??$",
)
_TIMES = r"(?:days?|weeks?|months?|years?|hours?|minutes)"
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
_PATTERNS = (
    (
        Kind.COMPARISON,
        _any(r"\bdiffer(?:s|ence|ent)?\b.*\b(?:from|between)\b", r"\bcompared? (?:to|with)\b", r"\b(?:versus|vs)\b"),
    ),
    (
        Kind.OVERVIEW,
        _any(
            rf"^{_OVERVIEW}",
            r"^what (?:does|do) (?:[\w-]+ ){1,6}?"
            r"(?:act|law|rules?|regulations?|polic(?:y|ies)|contract|agreement|documents?|handbook|code|directive)"
            r" (?:cover|regulate)\b",
        ),
    ),
    (
        Kind.LIST,
        _any(
            r"^(?:and )?(?:to )?whom? (?:does|do) .{2,60} apply\b",
            r"^(?:and )?what are the (?:penalties|fines|sanctions|fees)\s*\??$",
            r"^(?:and )?who (?:is|are) (?:covered by|bound by|subject to) (?:the|this|our)\b",
        ),
    ),
    (Kind.WHO, _any(r"^(?:and |by |to |from )?(?:who|whom|whose)\b")),
    (
        Kind.AMOUNT,
        _any(
            r"\bhow (?:much(?! (?:time|notice))|high|large|big)\b",
            r"^(?!(?:and |by |from )?when\b|how (?:long|soon|often)\b).*"
            r"\b(?:amount|fines?|penalt(?:y|ies)|fees?|price|cost|salary|percentage|cap|rate|budget|royalt(?:y|ies))\b",
            rf"\bhow many\b(?!.*\b{_TIMES}\b)",
        ),
    ),
    (
        Kind.CONDITION,
        _any(
            r"\b(?:under|in) (?:what|which) (?:conditions?|circumstances|cases?|situations?)\b",
            r"^(?:and )?when (?:is|are|does|do) .*\b(?:required|presumed|considered|deemed|allowed|needed|necessary"
            r"|exempt|prohibited|permitted|applicable|liable|entitled)\b",
            r"^(?:and )?when (?:may|can|might|could)\b|\bwhat conditions?\b|\bwhat (?:if|happens if|happens when)\b",
        ),
    ),
    (
        Kind.DEADLINE,
        _any(
            r"\bhow (?:long|soon|often|quickly|late|early|recent|recently|frequently|far in advance)\b",
            rf"\bhow many (?:\w+ )?{_TIMES}\b",
            r"\bby when\b|\bdeadline\b|\bnotice period\b|\bwhat (?:date|period|time)\b|\bhow much (?:time|notice)\b",
            r"^(?:and )?when (?:did|does|do|will|is|are|was|were|must|shall|should)\b",
        ),
    ),
    (
        Kind.WHO,
        _any(
            r"\bresponsible for\b",
            r"\b(?:which|what) (?:body|authority|person|party|department|team|role|officer)\b",
        ),
    ),
    (
        Kind.LIST,
        _any(
            r"^(?:and )?(?:list|name|enumerate)\b|^which (?:\w+ ){0,3}\w+[^s\W]s\b",
            rf"^what (?:are|were) (?:the|all|my|our|your)\b|^what (?:is|are) {_ORDERED}\b",
            rf"\bwhat (?:\w+ ){{0,3}}{_NOUNS}\b",
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
        _any(
            r"^(?:and )?how (?:do|does|can|must|should|shall|may|to|is|are|will)\b",
            r"\bprocedure\b|\bprocess for\b|\bsteps\b",
            r"^what (?:do|does|must|should) .{1,40}? (?:need to|have to|do|get done)\b",
        ),
    ),
    (
        Kind.YES_NO,
        _any(
            r"^(?:and |but |so )?(?:is|are|was|were|may|can|could|must|shall|should|do|does|did|has|have|will|would)\b",
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
    Kind.AMOUNT: _any(
        r"\d|[$€£%]",
        r"\b(?:percent|per cent|half|twice|one|two|three|four|five|six|ten|hundred|thousand|million)\b",
        r"\b(?:free|no (?:fee|charge|cost|limit))\b",
    ),
    Kind.DEADLINE: _any(
        rf"\b(?:{_TIMES}|quarter(?:ly)?|annual(?:ly)?|yearly|weekly|daily|monthly|immediately|promptly)\b",
        r"\b(?:without (?:undue )?delay|within|until|before|after|upon|prior|once)\b",
        r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b",
        r"\b(?:19|20)\d\d\b",
    ),
}
# "shall also be considered to be high-risk", "is classified as a general-purpose AI model with systemic risk"
_CLASSED = re.compile(
    r"\b(?:shall|is|are|will) (?:also |always )?(?:be )?(?:considered|classified|regarded|deemed|treated)"
    r"(?: to be| as)? (?:an? |the )?(?P<class>[\w’'-]+(?: [\w’'-]+)?)",
    re.IGNORECASE,
)
_LANGUAGE_ASKED = re.compile(r"\b(?:what|which) languages?\b", re.IGNORECASE)
_A_LANGUAGE = re.compile(r"\blanguages?\b", re.IGNORECASE)
_TIMES_ASKED = re.compile(rf"\bhow many (?:\w+ )?{_TIMES}\b", re.IGNORECASE)
_A_TIME = re.compile(rf"\b{_TIMES}\b", re.IGNORECASE)
_HOW_OFTEN = re.compile(r"\bhow (?:often|frequently|recent(?:ly)?)\b", re.IGNORECASE)
_RECURS = _any(
    rf"\b(?:every|each|per|an?) (?:\w+ )?{_TIMES}\b",
    r"\b(?:annual|year|month|quarter|week|dai|biennial)ly\b",
    rf"\bmore than \w+ (?:business |calendar )?{_TIMES} (?:ha(?:s|ve) (?:passed|elapsed)|prior|before|old|ago)\b",
)
_PERMISSION_ASKED = _any(r"^what (?:is|are) (?:allowed|permitted)\b", r"^what may (?:[\w’'-]+ ){1,6}?(?<!not )do\b")
_PROHIBITION_ASKED = _any(rf"^what (?:is|are) {_PROHIBITED}\b", r"^what may (?:[\w’'-]+ ){1,6}?not do\b")
_RULE_ASKED = re.compile(
    r"^(?:and |but |so )?(?:(?:must|shall|should|may|can|could)\b|(?:do|does) .*?\b(?:have|has|need)s? to\b"
    r"|(?:which|what) (?:\w+ ){0,3}?(?:obligations|duties|requirements|responsibilities)\b"
    r"|what (?:must|shall|should|may|can) (?:[\w’'-]+ ){1,6}?do\b)",
    re.IGNORECASE,
)
_RULES = _any(
    r"\b(?:shall|must|may|can|cannot|should|will|need(?:s|ed)?|has to|have to|is to|are to)\b",
    r"\b(?:required?|requires|allowed|permitted|prohibited|forbidden|entitled|obliged|liable|free to|exempt)\b",
    r"\bdo(?:es)? not\b",
)
# A first violation and the ones after it: "second" is met by "each subsequent".
_TURNS = (
    re.compile(r"\b(?:first|initial)\b", re.IGNORECASE),
    re.compile(r"\b(?:second|third|fourth|subsequent|repeat(?:ed)?|further)\b", re.IGNORECASE),
)
_SAME = dict.fromkeys(tokens("duty responsibility"), *tokens("obligation"))
_ABOUT_ASKED = re.compile(
    r"\b(?:about|lays? down|purposes?|aims?|scope|objectives?|establish\w*|subject)\b", re.IGNORECASE
)
_OPENS_WITH_TERM = re.compile(r"^[^“”\"‘*]{0,80}[“\"‘*](?P<term>[^”\"’*]{2,80})[”\"’*](?=[^.;:]{0,60}?\bmeans?\b)")
POINTER_WORDS = 25  # ours
_POINTS = _any(
    r"\bas (?:defined|described) (?:by|in)\b",
    r"\bhas the (?:same )?meaning\b",
    r"^\W*(?:\w{1,4}[.)]\s*)?(?:[\w-]+ ){0,3}(?:obligations?|requirements?|duties|rules)\b[^.;]{0,80}?"
    r" (?:pursuant to|under|laid down in|set out in|referred to in) (?:articles?|sections?|§)",
)
_LABEL = re.compile(r"^(?:article|section|chapter|part|annex|clause|§+)\s*[\dIVXLC][\w.()-]*", re.IGNORECASE)
WHOLE_LISTS = frozenset({Kind.DEFINITION, Kind.LIST, Kind.OVERVIEW, Kind.CONDITION, Kind.PROCEDURE})
OF_ARTICLES = frozenset({Kind.LIST, Kind.OVERVIEW})  # kinds that a whole article may answer
OF_RULES = frozenset({Kind.DEFINITION, Kind.LIST, Kind.OVERVIEW, Kind.WHO})  # a rule answers them, not its exception


def term_asked(question: str) -> str:
    """The term whose meaning is asked for; "" where none is."""
    sentence = " ".join(question.split())
    for place, pattern in enumerate(_DEFINITION):
        match = pattern.search(sentence)
        if match and (place or not _NO_TERM.search(sentence)):
            return re.sub(r"^(?:an?|the) ", "", match["term"].strip(), flags=re.IGNORECASE)
    return ""


def terms_asked(question: str) -> tuple[str, ...]:
    """The term whose meaning is asked for, or the two that are compared; none where there is none."""
    if term := term_asked(question):
        return (term,)
    match = _COMPARED.search(question)
    return (match["one"] or match["first"], match["other"] or match["second"]) if match else ()


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
    if _RULE_ASKED.search(question) and not _RULES.search(text):
        return False
    for turn, other in (_TURNS, _TURNS[::-1]):
        if turn.search(question) and not turn.search(text) and not other.search(question) and other.search(text):
            return False
    if _PERMISSION_ASKED.search(question) and facts_of(text).prohibition and not facts_of(text).permission:
        return False
    if _LANGUAGE_ASKED.search(question) and not _A_LANGUAGE.search(text):
        return False
    if _TIMES_ASKED.search(question) and not any(_A_TIME.search(period) for period in facts_of(text).durations):
        return False
    if kind is Kind.WHO:
        return names_another(text, question=question)
    return kind not in _FITS or bool(_FITS[kind].search(_without_references(text)))


@lru_cache(4096)  # each question looks at the same passages
def _without_references(text: str) -> str:
    return _REFERENCE.sub(" ", text)


def says_how_often(text: str, *, question: str) -> bool:
    """Whether it is asked how often or how recently something must be done, and a text says so of what is named."""
    if not (_HOW_OFTEN.search(question) and _RECURS.search(text)):
        return False
    words = subject_of(question)
    return 2 * len(words & subject_of(text)) >= len(words) > 0


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


def defines(term: str, text: str) -> bool:
    """Whether a text says what the term means.

    It opens with the term, quoted or not, and "means" or the like; or it says what "shall be considered to be" such.
    """
    if (match := _CLASSED.search(text)) and _is_of(match["class"], term):
        return True
    word = r"\s+".join(re.escape(part) for part in term.split()) + "(?:e?s)?"
    quoted = rf"[“\"‘'*]\s*(?:an? )?{word}\s*[”\"’'*]"
    opening = rf"^\W*(?:\([^)]*\)\s*)?(?:an? |the )?{word}"
    verb = r"(?:means?|shall mean|refers? to|is defined|has the meaning|includes|is an?|is any|is the|are)\b"
    phrase = rf"{quoted}[^.;:]{{0,60}}?\b|{opening}(?:\s*\([^)]*\))?,?\s+"  # no "Deployers that are banks shall …"
    return bool(re.search(rf"(?:{phrase}){verb}", text, re.IGNORECASE))


def defines_another(term: str, text: str) -> bool:
    """Whether a text opens with the definition of another term: of "bias audit" for "bias", not for "audit".

    "breach of personal data" is the "personal data breach", "safety component of a product" a "safety component"; and
    a definition may hold that of another term, quoted within it.
    """
    match, asked = _OPENS_WITH_TERM.search(text), tokens(term)
    if match is None or not asked or defines(term, text):
        return False
    own = tokens(match["term"])
    is_same = own[-len(asked) :] == asked or set(own) == set(asked)
    is_narrower = re.match(rf"{re.escape(term)}\s+(?:of|for|in|to)\b", match["term"].strip(), re.IGNORECASE)
    is_within = re.search(rf"[“\"‘'(]{re.escape(term)}s?[”\"’')]", text, re.IGNORECASE)
    return not (is_same or is_narrower or is_within)


def points_elsewhere(text: str) -> bool:
    """Whether a short text only says where a meaning or a duty is told: "“Bias audit” means … as defined by § 5"."""
    return len(text.split()) <= POINTER_WORDS and _POINTS.search(text) is not None


def _is_of(name: str, term: str) -> bool:
    """Whether a class is the one of the term: "high-risk" of "high-risk AI system", not "system"."""
    first, *rest = term.lower().split()
    own, *following = name.lower().split()
    is_whole = not rest or not following or "-" in own or following[0].rstrip("s") == rest[0].rstrip("s")
    return own.rstrip("s") == first.rstrip("s") and is_whole
