"""Whether a text has what the answer must have: a number, a time, somebody who acts, something that happened."""

import re
from functools import lru_cache

from corpora.provisions.features import facts_of
from corpora.tokens import tokens
from legalqa.answering.composing.doers import names_another
from legalqa.answering.composing.exclusions import asks_who_is_excluded, excludes
from legalqa.answering.composing.kinds import TIMES, Kind, subject_of
from legalqa.answering.composing.terms import any_of

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
        rf"\b(?:{TIMES}|quarter(?:ly)?|annual(?:ly)?|yearly|weekly|daily|monthly|immediately|promptly)\b",
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
# "Public" and "private" before the same noun: a rule for a public fund is not a rule for a private one.
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
_TIMES_ASKED = re.compile(rf"\bhow many (?:\w+ )?{TIMES}\b", re.IGNORECASE)
_A_TIME = re.compile(rf"\b{TIMES}\b", re.IGNORECASE)
_BECOMES_ASKED = re.compile(
    r"\bwhen (?:does|do|is|are) (.{1,80}?) (?:become|turn into|count as|qualify as|considered|deemed) (.{1,80})",
    re.IGNORECASE,
)
_TAKEN_FOR = re.compile(
    r"\b(?:be|is|are) (?:considered|deemed|regarded|treated|presumed)\b|\bbecomes?\b", re.IGNORECASE
)
_HOW_OFTEN = re.compile(r"\bhow (?:often|frequently|recent(?:ly)?)\b", re.IGNORECASE)
_RECURS = any_of(
    rf"\b(?:every|each|per|an?) (?:\w+ )?{TIMES}\b",
    r"\b(?:annual|year|month|quarter|week|dai|biennial)ly\b",
    rf"\bmore than \w+ (?:business |calendar )?{TIMES} (?:ha(?:s|ve) (?:passed|elapsed)|prior|before|old|ago)\b",
)
_PERMISSION_ASKED = any_of(r"^what (?:is|are) (?:allowed|permitted)\b", r"^what may (?:[\w’'-]+ ){1,6}?(?<!not )do\b")
_RULE_ASKED = re.compile(
    r"^(?:and |but |so )?(?:(?:must|shall|should|may|can|could)\b|(?:do|does) .*?\b(?:have|has|need)s? to\b"
    r"|(?:which|what) (?:\w+ ){0,3}?(?:obligations|duties|requirements|responsibilities)\b"
    r"|what (?:must|shall|should|may|can) (?:[\w’'-]+ ){1,6}?do\b)",
    re.IGNORECASE,
)
_RULES = any_of(
    r"\b(?:shall|must|may|can|cannot|should|will|need(?:s|ed)?|has to|have to|is to|are to)\b",
    r"\b(?:required?|requires|allowed|permitted|prohibited|forbidden|entitled|obliged|liable|free to|exempt)\b",
    r"\bdo(?:es)? not\b|n['’]t\b",
)
# "Which companies have signed the code?" asks for what happened, not for who may sign.
_EVENT_ASKED = re.compile(
    r"^(?:and )?(?:who|what|which|how many)\b(?: (?!that\b|who\b|which\b)[\w’'-]+){0,4}?"
    r"(?<!\bto) (?:has|have) (?:already |ever |now )?(?!to\b|been (?:set|required|laid)\b)"
    r"\w+(?:ed|en|id|ne|ught|old|ent|ound)\b",
    re.IGNORECASE,
)
_EVENT = any_of(
    r"\b(?:has|have|had) (?:\w+ )?\w+(?:ed|en|id|ne|ught|old|ent|ound)\b|\b(?:was|were|did)\b|/s/",
    r"\b(?:is|are) (?:\w+ ){0,2}?\w+(?:ed|en) (?:from|to|by|on|as of)\b|\b(?:19|20)\d\d\b",
)
_TOLD = (
    (_EVENT_ASKED, _EVENT),
    (_RULE_ASKED, _RULES),
    (_LANGUAGE_ASKED, _A_LANGUAGE),
    (_CURRENCY_ASKED, _A_CURRENCY),
    (_RELIEF_ASKED, _RELIEF),
)
# "When does the contract end?" is met by a time, or by a case: "if either party gives notice".
_TIME_OR_CASE = re.compile(r"^(?:and )?when (?:does|do|is|are)\b", re.IGNORECASE)
_CASE = any_of(r"\b(?:if|whenever|unless|provided that|in the event|in case)\b", r"(?:^|[,:;.)]\s*)(?:where|when)\b")
# "Is a lift's software high-risk?"; "… a high-risk system?".
_CLASS_ASKED = re.compile(
    r"^(?:and |but |so )?(?:is|are) (?:[^?]{2,160}? )?(?P<as>\w+-(?:risk|impact|critical))(?: AI)?"
    r"(?: (?:systems?|products?|devices?|services?|data|goods))?\W*$",
    re.IGNORECASE,
)
# "Since when does the act apply?" is not met by the day on which it enters into force, nor the other way round.
_BEGINNINGS = (
    (
        re.compile(r"\bwhen\b.*\bappl(?:y|ies|icable)\b", re.IGNORECASE),
        re.compile(r"\bappl(?:y|ies|icable) (?:\w+ ){0,4}?(?:from|as of|as from)\b", re.IGNORECASE),
    ),
    (
        re.compile(r"\bwhen\b.*\b(?:(?:in|into) force|take effect|become effective)\b", re.IGNORECASE),
        re.compile(r"\b(?:into force|takes? effect|(?:is|becomes?) effective)\b", re.IGNORECASE),
    ),
)
# A first violation and the ones after it: "second" is met by "each subsequent".
_TURNS = (
    re.compile(r"\b(?:first|initial)\b", re.IGNORECASE),
    re.compile(r"\b(?:second|third|fourth|subsequent|repeat(?:ed)?|further)\b", re.IGNORECASE),
)
_HOLDS = r"(?:contain|includ|cover|compris|specif|stat|consist|set)\w*"
_CONTENTS_ASKED = re.compile(
    rf"^(?:and )?what (?:must|should|shall|does|do) (?P<what>(?:(?!of\b|for\b|in\b|on\b|used\b)[\w’'-]+ ){{1,6}})"
    rf"(?:[\w’'-]+ ){{0,8}}?{_HOLDS}\b",
    re.IGNORECASE,
)
_HOLDING = re.compile(rf"\b{_HOLDS}\b", re.IGNORECASE)
POINTER_WORDS = 25  # ours
_POINTS = any_of(
    r"\bas (?:defined|described) (?:by|in)\b",
    r"\bhas the (?:same )?meaning\b",
    r"^\W*(?:\w{1,4}[.)]\s*)?(?:[\w-]+ ){0,3}(?:obligations?|requirements?|duties|rules)\b[^.;]{0,80}?"
    r" (?:pursuant to|under|laid down in|set out in|referred to in) (?:articles?|sections?|§)",
)


def fits(kind: Kind, text: str, *, question: str) -> bool:
    """Whether a text has what an answer of the kind must have: a number, a time, a language, somebody whom the
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
    if is_of_the_opposite(text, question=question) or uses_the_class_alone(text, question=question):
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
    """Whether a text is only about a public fund and the question about a private one, or the other way round.

    >>> is_of_the_opposite("A Public Fund may be promoted.", question="May we promote a private fund?")
    True
    """
    return any(
        re.search(rf"\b{other} {re.escape(match['noun'].rstrip('s'))}", text, re.IGNORECASE)
        for asked, other, own in _OPPOSITES
        if (match := asked.search(question)) and not own.search(text)
    )


def uses_the_class_alone(text: str, *, question: str) -> bool:
    """Whether the question asks if something belongs to a class, and a text says what applies to the class.

    >>> asked = "Is the software of a lift high-risk?"
    >>> uses_the_class_alone("High-risk systems shall be designed with care.", question=asked)
    True
    >>> uses_the_class_alone("High-risk systems are the systems listed below: (a) lifts.", question=asked)
    False
    """
    match = _CLASS_ASKED.search(question)
    if match is None:
        return False
    name = re.escape(match["as"])
    becomes = r"\b(?:is|are|be|as|become|considered|deemed|classified|regarded)(?: (?:as|to be|an?|not|also|always))*"
    is_named = rf"\b{name}\b[^.;:]{{0,80}}?\b(?:means?|includes?|(?:is|are) (?:the|those|any|all|listed|not)\b)"
    is_used = re.search(rf"\b{name}\b", text, re.IGNORECASE) is not None
    return is_used and not re.search(rf"{becomes} {name}\b|{is_named}", text, re.IGNORECASE)


def says_how_often(text: str, *, question: str) -> bool:
    """Whether the question asks how often or how recently something must be done, and a text says that of it."""
    if not (_HOW_OFTEN.search(question) and _RECURS.search(text)):
        return False
    words = subject_of(question)
    return 2 * len(words & subject_of(text)) >= len(words) > 0


def says_from_when(text: str, *, question: str) -> bool:
    """Whether the question asks from when something applies, or is in force, and a text says just that of it.

    >>> says_from_when("It shall apply from 25 May 2018.", question="Since when does it apply?")
    True
    >>> says_from_when("It shall apply from 25 May 2018.", question="When did it enter into force?")
    False
    """
    return any(asked.search(question) and said.search(text) for asked, said in _BEGINNINGS)


def says_who_becomes(text: str, *, question: str) -> bool:
    """Whether the question asks when somebody becomes something, and a text says who counts as that, naming both.

    "Any distributor shall be considered to be a provider where …" says when a distributor becomes a provider.
    """
    match = _BECOMES_ASKED.search(question)
    if match is None or not _TAKEN_FOR.search(text):
        return False
    own = subject_of(text)
    return all(words and words <= own for words in map(subject_of, match.groups()))


def says_contents_of_another(text: str, *, question: str) -> bool:
    """Whether the question asks what something must contain, and a text says that only of other things.

    "The system shall include: (a) a monitoring plan" does not say what the plan must contain.
    """
    match = _CONTENTS_ASKED.search(question)
    words = tokens(match["what"]) if match else []
    if not words:
        return False
    before = [one[: verb.start()] for one in re.split("[.;:]", text) if (verb := _HOLDING.search(one))]
    return bool(before) and not any(words[-1] in tokens(one) for one in before)


def points_elsewhere(text: str) -> bool:
    """Whether a short text only says where a meaning or a duty is found: "“Bias audit” means … as defined by § 5"."""
    return len(text.split()) <= POINTER_WORDS and _POINTS.search(text) is not None
