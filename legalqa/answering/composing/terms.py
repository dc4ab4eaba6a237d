"""Which term's meaning a question asks for, and whether a text says what a term means."""

import re
from collections.abc import Iterable

from corpora.tokens import tokens
from legalqa.answering.scaffolding import SCAFFOLDING
from retrieval.rewriters.terms import terms_together


def any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_WORD = r"(?:term|word|phrase|expression)"
_TO_ALL = r"(?! for\b(?! (?:the )?purposes?\b))"
_TERM = r"[“\"‘']?(?P<term>[\w’'/ -]{2,60}?)[”\"’']?"
_CLASSED_AS = r"(?:considered|classified|regarded|deemed|treated)"
# "When is notice deemed given?" asks of no class.
_DONE = r"(?:to have been )?(?:given|received|served|delivered|made|accepted|effective|approved|refused|due)\b"
_DEFINITION = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^what (?:is|are) (?:meant by )?(?:an? |the )?{_TERM}(?: in (?:this|the) [\w ]+)?\s*\??$",
        rf"^how (?:does|do) (?:[\w’'-]+ ){{1,6}}?define (?:the (?:term|word) )?(?:an? |the )?{_TERM}\s*\??$",
        rf"^what (?:does|do) (?:[\w’'-]+ ){{1,6}}?mean by (?:the (?:term|word) )?(?:an? |the )?{_TERM}\s*\??$",
        # Not "What does the ban mean for employers?", which asks for its effect.
        rf"^(?:what|how) (?:does|do|is|are) (?:the {_WORD} )?{_TERM} (?:mean|means|defined)\b{_TO_ALL}",
        rf"\b(?:definition|meaning) of (?:the (?:term|word) )?(?:an? )?{_TERM}\s*\??$",
        rf"^(?:define|explain what) (?:is |the term )?(?:an? )?{_TERM}(?: (?:is|means))?[.?]?$",
        rf"^who (?:is|are) (?:considered |deemed |regarded as )?(?:to be )?an? {_TERM}\s*\??$",
        rf"^(?:what|who) (?:counts as|qualifies as|is {_CLASSED_AS}(?: to be| as)?) (?:an? )?{_TERM}\s*\??$",
        rf"^when (?:is|are) (?:an? |the )?[\w -]+? {_CLASSED_AS}(?: to be| as)? (?!{_DONE})(?:an? )?{_TERM}\s*\??$",
        r"^when (?:is|are) (?:an? |the )?[\w -]{2,40}? (?P<term>\w+-\w+)\s*\??$",  # "When is an AI system high-risk?"
    )
)
PROHIBITED = r"(?:prohibited|forbidden|banned|unlawful|not (?:allowed|permitted))"
ORDERED = rf"(?:required|mandatory|{PROHIBITED})"
# What a contract or a handbook sets, behind an article: "What is the rent?" asks how much it is. The Commission and the
# public interest are none of it.
AMOUNTS = (
    r"(?:(?:[\w-]+ ){0,3}?(?:rent|surcharge|allowance|royalt(?:y|ies)|bonus(?:es)?|discount|premium|wage"
    r"|remuneration)s?"
    r"|(?:(?:security|late|service) )?(?:deposit|charge)s?|(?:(?:late|default) )?interest|(?-i:commissions?))"
)
# "What is the penalty?", "What is prohibited?" and "What is notice of breach?" ask for no meaning of a word.
_NO_TERM = any_of(
    rf"^what (?:is|are) (?:{ORDERED}|allowed|permitted)\b",
    rf"^what (?:is|are) (?:not|excluded|exempt|{_CLASSED_AS})\b",
    r"^what (?:is|are) the .*\b(?:penalt|fine|fee|price|cost|salary|rate|deadline|period|term|date|consequence|purpose"
    r"|requirement|obligation"
    r"|dut|right|task|step|rule|limit|maximum|minimum|exception|condition|difference|process|procedure|polic|role"
    r"|responsibilit|notice|code|name|time|hour|governing law)\w*\s*\??$",
    rf"^what (?:is|are) the {AMOUNTS}\s*\??$",
    r" (?:of|for|to|when|in|on|under|if|my|our|your) ",
    r"\bdifferences? between\b",
    r"\b(?:versus|vs|as opposed to)\b",
)
# "shall also be considered to be high-risk", "is classified as a general-purpose AI model with systemic risk"
_CLASSED = re.compile(
    r"\b(?:shall|is|are|will) (?:also |always )?(?:be )?(?:considered|classified|regarded|deemed|treated)"
    r"(?: to be| as)? (?:an? |the )?(?P<class>[\w’'-]+(?: [\w’'-]+)?)",
    re.IGNORECASE,
)
_CLASS_ASKED = re.compile(rf"\b(?:counts?|qualif(?:y|ies)|{_CLASSED_AS}) as\b|\bbecomes?\b", re.IGNORECASE)
_OPENS_WITH_TERM = re.compile(r"^[^“”\"‘*]{0,80}[“\"‘*](?P<term>[^”\"’*]{2,80})[”\"’*](?=[^.;:]{0,60}?\bmeans?\b)")


def term_asked(question: str) -> str:
    """The term whose meaning is asked for; "" where none is."""
    sentence = " ".join(question.split())
    for place, pattern in enumerate(_DEFINITION):
        match = pattern.search(sentence)
        if match and (place or not _NO_TERM.search(sentence)):
            return re.sub(r"^(?:an?|the) ", "", match["term"].strip(), flags=re.IGNORECASE)
    return ""


def terms_asked(question: str) -> tuple[str, ...]:
    """The term whose meaning is asked for, or the two that are compared; empty if there is none."""
    if term := term_asked(question):
        return (term,)
    return terms_together(question)


def terms_compared(question: str, texts: Iterable[str]) -> tuple[str, ...]:
    """The two terms that a question compares, as texts define them; empty where they do not define both.

    >>> recall, withdrawal = "‘recall of a tool’ means its return.", "‘withdrawal of a tool’ means an end of its sale."
    >>> terms_compared("How do recall and withdrawing differ?", [recall, withdrawal])
    ('recall of a tool', 'withdrawal of a tool')
    """
    names = terms_together(question)
    defined = [match["term"].strip() for text in texts if (match := _OPENS_WITH_TERM.search(text))] if names else []
    terms = []
    for name in names:
        words = [word for word in tokens(name) if word not in SCAFFOLDING]
        terms += sorted((term for term in defined if words and tokens(term)[: len(words)] == words), key=len)[:1]
    return tuple(terms) if len(set(terms)) == len(names) else ()


def asks_of_class(question: str) -> bool:
    """Whether a question asks what counts or is regarded as something, which a definition may answer."""
    return _CLASS_ASKED.search(question) is not None


def defines(term: str, text: str) -> bool:
    """Whether a text says what the term means.

    It opens with the term, quoted or not, and "means" or the like; or it says what "shall be considered to be" such.
    """
    if (match := _CLASSED.search(text)) and _is_of(match["class"], term):
        return True
    word = r"\s+".join(map(re.escape, _singular(term).split())) + "(?:e?s)?"
    word = re.sub(r"y(?=\(\?:e\?s\)\?$)", "(?:y|ie)", word)
    quoted = rf"[“\"‘'*]\s*(?:an? )?{word}\s*[”\"’'*]"
    opening = rf"^\W*(?:\([^)]*\)\s*)?(?:an? |the )?{word}"
    verb = r"(?:means?|shall mean|refers? to|is defined|has the meaning|includes|is an?|is any|is the|are)\b"
    phrase = rf"{quoted}[^.;:]{{0,60}}?\b|{opening}(?:\s*\([^)]*\))?,?\s+"  # no "Deployers that are banks shall …"
    return bool(re.search(rf"(?:{phrase}){verb}", text, re.IGNORECASE)) or _defines_of_something(term, text)


def _defines_of_something(term: str, text: str) -> bool:
    """Whether a text opens with the definition of a term of something: of "recall of a system" for "recall"."""
    match = _OPENS_WITH_TERM.search(text)
    head, of, _ = match["term"].partition(" of ") if match else ("", "", "")
    return bool(of) and tokens(head) == tokens(term)


def _singular(term: str) -> str:
    """A term as its definition has it: "harmonised standard" of "harmonised standards"."""
    return re.sub(r"(?<=\w\w[^s\W])s$", "", re.sub(r"(?<=\w\w)ies$", "y", term))


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


def _is_of(name: str, term: str) -> bool:
    """Whether a class is that of the term: "high-risk" of "high-risk AI system", not "system"."""
    first, *rest = term.lower().split()
    own, *following = name.lower().split()
    is_whole = not rest or not following or "-" in own or following[0].rstrip("s") == rest[0].rstrip("s")
    return own.rstrip("s") == first.rstrip("s") and is_whole
