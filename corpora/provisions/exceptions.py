"""Which sentences limit a rule, and which paragraph they name."""

import re
from collections.abc import Sequence
from functools import lru_cache

_EXCEPTS = re.compile(
    r"(?:notwithstanding\b(?=[^.;,]{0,80}\b(?:foregoing|above|preceding|this|these|any (?:other )?(?:provision|term)"
    r"|anything|(?:sub)?paragraphs?|points?"
    r"|(?:sub)?sections?|subdivisions?|articles?|clauses?|requirements?))"
    r"|by (?:way of )?derogation\b|in derogation\b|however\b|provided(?:,? however,?"
    r"|,? further,?)? that\b"
    r"|(?:the foregoing|this|these|those|such|the)\b(?: \w+){0,6}? (?:shall|do|does|will|is"
    r"|are)(?: also)? not (?:apply|cover|include|extend|applicable)\b"
    r"|(?:the foregoing|this (?:paragraph|section|subsection|subdivision|clause|article|provision))\b(?: \w+){0,3}? "
    r"(?:shall|do|does|will) not (?:prohibit|prevent|preclude|restrict|forbid)\b"
    r"|the (?:obligations?|requirements?|prohibitions?|restrictions?|duty|duties|rules?) [^.;]{1,120}? "
    r"(?:shall|do|does) not (?:apply|cover|extend)\b|(?:for|in) (?:all |any )?other cases\b"
    r"|nothing (?:in|contained in)\b(?! [^.;]{1,80} be (?:construed|deemed))|(?:points?"
    r"|paragraphs?|subparagraphs?|subdivisions?|subsections?|clauses?|sections?) (?:[^.;]"
    r"|\.(?=\d)){1,60}? "
    r"(?:shall|do|does|will) not (?:apply|cover|affect|prohibit|prevent|preclude|restrict|limit|forbid|require)\b"
    r"|nothing (?:in|contained in) (?:points?|(?:sub)?paragraphs?|(?:sub)?sections?|clauses?|articles?)\b"
    r"[^;]{1,60}? be (?:construed|deemed|read) (?:to|as) (?:prohibit|prevent|preclud|restrict|limit|forbid|requir)"
    r"|exceptions?\s?[.:–—-]"
    r"|the first subparagraph shall (?:not )?apply\b"
    # "Except as otherwise agreed, the licensee may not sublicense": not "…, the tenant shall pay the rent".
    r"|except (?:as|that|where|for|in|with|to the extent)\b[^.;]{0,200}?\b(?:may|shall|must|can|will|need) not\b)",
    re.IGNORECASE,
)
_PREJUDICE = re.compile(
    r"(?:this|the|points?|paragraphs?|subparagraphs?)\b[^.;]{0,60}? (?:is|are|shall be) without prejudice to\b",
    re.IGNORECASE,
)
_SAVES = re.compile(
    r"\W*(?:\w{1,4}[.)]\s+)?[^.;]{0,160}?"
    r"\b(?:(?:is|are|shall be) without prejudice to|(?:shall|do|does) not (?:affect|prejudice))\b",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    r"\W*(?:\w{1,4}[.)]\s+)?(?:this|these) (?:regulation|directive|act|law|local law|chapter|title|part|section|article"
    r"|subchapter|rules?|policy|code|handbook|agreement) "
    r"(?:lays? down|establish(?:es)?|sets? out|provides? for|contains?|deals? with|explains?|describes?)\b",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"whichever (?:thereof )?is (?:the )?(?:lower|less|lesser|higher|greater)"
    r"|\bwhichever thereof\b|\binstead of\b|\bexempt"
    r"|\bnot be required\b|\b(?:shall|does|do|will) not apply\b|\bby (?:way of )?derogation from\b|\bnotwithstanding\b"
    r"|\bneed not\b|\b(?:is|are|shall) not (?:be )?(?:counted|included|taken into account)\b"
    r"|\b(?:obligations?|requirements?|dut(?:y|ies))\b[^.;]{0,60} (?:is|are|shall be) limited to\b"
    r"|\b(?:shall|may) not exceed\b|\bwithout having\b|\bpoints? [^.;]{1,30} may be\b",
    re.IGNORECASE,
)
_MAY_LIMIT = re.compile(
    r"whichever|instead of|exempt|not be required|not (?:apply|cover|include|extend)"
    r"|not (?:prohibit|prevent|preclude|restrict|limit|forbid|require)"
    r"|derogation|notwithstanding|however|without prejudice"
    r"|(?:reduc|increas|extend|shorten|halv|doubl|replac|lower|rais|waiv)ed\b|\bhalf of the\b"
    r"|not (?:be )?(?:counted|included|taken)|(?:shall|may|must) not"
    r"|limited to|nothing in|provided|need not|not exceed|without having|may be",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"(?:except\b|unless\b|but\b|in the case of\b|in (?:counting|calculating|computing|determining)\b|in an? \w+,|for\b"
    r"|where\b|while\b|if\b)",
    re.IGNORECASE,
)
_ADJUSTS = re.compile(
    r"(?:for|where|if|in the case of)\b[^.;]{0,120}?\bthe (?P<what>\w+)\b[^.;]{0,60}? (?:shall be|is|are)"
    r" (?:reduced|increased|extended|shortened|halved|doubled|replaced|lowered|raised|waived)\b"
    r"|[^.;]{0,160}?\bpays? (?:only )?(?:one )?half of the (?P<half>\w+)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"(?:while|until|during|pending|as long as|where|if|in the case of)\b[^.;]{0,120}?\b(?:shall|may|must) not"
    r" (?P<act>\w{4,})",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:this|the foregoing) (?:paragraph|article|section|subsection|subdivision|clause|rule|policy)\b"
    r"|\b(?:the|these|those) (?:foregoing|obligations|requirements|restrictions|prohibitions)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"(?:this|the (?:requirements?|obligations?|provisions?|prohibitions?|rules?)"
    r" (?:(?:set out|laid down|provided for|referred to|contained) )?(?:of|in|under) this)"
    r" (?:article|section|subchapter|subsection|rule|policy|chapter)\b"
    r"[^.;]{0,80} (?:shall|do|does|will) not (?:apply|cover|extend)\b"
    r"|notwithstanding (?:anything|any (?:other )?provision)[^.;,]{0,40} this "
    r"(?:article|section|subchapter|rule|policy)\b",
    re.IGNORECASE,
)
_ANAPHOR = re.compile(
    r"(?:[^.;:,]{1,80}? (?:may|can|shall|must|will) also|such|these|those|it|they|that|their|its|otherwise|the latter"
    r"|the former|in (?:such|that) case"
    r"|(?:where|if|when|once) (?:it|they|he|she|such|these|those)"
    r"|for an? [\w -]{3,30} the (?:period|limit|amount|maximum|term) is"
    r"|(?:for|to|in|on|by|at|under|with|from|after|before) (?:that|those|these|such|the same)"
    r"|this(?! (?:regulation|agreement|act|article|section|policy|chapter|subchapter|directive|law|handbook|plan|code"
    r"|title|part|annex|schedule|addendum|contract|lease|document)\b))\b",
    re.IGNORECASE,
)
_THIS = re.compile(
    r"(?:this|these)\s+(?:also\s+|further\s+)?"
    r"(?:supersedes?|replaces?|amends?|extends?|includes?|excludes?|means?|applies|apply|does|do|is|are|shall|must|may|will|can)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:unless|if|where|when|provided that|conditions?|requirements?|criteria|insofar as)\b[^:.]{0,60}[:—–]$",
    re.IGNORECASE,
)
_ANY_OF = re.compile(r"\b(?:any|one|either|at least one) (?:or more )?of\b", re.IGNORECASE)
_ALL_OF = re.compile(r"\b(?:all|both|each) (?:of )?(?:the )?following\b|\bcumulative", re.IGNORECASE)
_FURTHER = (
    r"\(?(?:\d{1,4}[a-z]?(?:\.\d+)*|(?<=\()[a-z]{1,4}|[ivx]{1,4}\b|[b-z]\b|a\b(?! (?!and\b)[a-z]{3}))\)?"  # no "a host"
)
_NAMED = re.compile(
    r"\b(?P<word>paragraphs?|points?|subdivisions?|subsections?|sections?|clauses?|items?|subparagraphs?)\s+"
    r"(?P<list>\(?[\da-z]{1,4}(?:\.\d+)*\)?(?:(?:,\s?(?:and |or )?|\s(?:and|or"
    rf"|to)\s){_FURTHER})*)(?![\w-])",
    re.IGNORECASE,
)
_NUMBERED = r"(?:points?|(?:sub)?paragraphs?|(?:sub)?sections?|subdivisions?|clauses?|items?)"
_HOLDS_BY_ITSELF = re.compile(r"(?:notwithstanding|(?:by (?:way of )?|in )derogation (?:from|of))\b", re.IGNORECASE)
_HEAD = re.compile(
    rf"(?:(?:notwithstanding|(?:by (?:way of )?|in )derogation (?:from|of)|nothing (?:contained )?in)\b"
    rf"[^.;,]{{0,60}}?\b)?(?={_NUMBERED}\s)",
    re.IGNORECASE,
)
_REQUIREMENTS = re.compile(
    r"notwithstanding (?:the |any )?(?:requirements?|obligations?|dut(?:y|ies)|prohibitions?|restrictions?)\b",
    re.IGNORECASE,
)
_EXCEPTED_BY = re.compile(
    rf"\b(?:except\b|unless otherwise\b)[^.;,]{{0,80}}?\b(?={_NUMBERED}\s+\(?(?:\d|(?<=\()[a-z]))", re.IGNORECASE
)
_OF_HOME = re.compile(rf"\s+of {_NUMBERED}\s+(?P<home>\(?[\da-z]{{1,4}}\)?)(?![\w-])", re.IGNORECASE)
_WHOLE_SECTION = re.compile(r"sections?\s+\(?\d+\)?(?!\.?\d)", re.IGNORECASE)  # "Section 3" is no paragraph 3 beside it
_ATTACHES = re.compile(
    r"(?:(?:where|when|whenever|if) |in (?=(?:such|that|this|these|those) (?:cases?|events?|situations?)\b))"
    r"(?P<case>[^.;,]{1,120}),[^.;]{1,200}?\b(?:shall|must|may only)\b",
    re.IGNORECASE,
)
_SUCH = re.compile(r"(?:such|these|those|this|that|it|they)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]{4,}", re.IGNORECASE)
_ALLOWS = re.compile(r"\b(?:may(?! not\b)|need not)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"[^.;]{0,12}\s?of (?!this|the first|that)(?:Article|Regulation|Directive|the Treaty|§|section)", re.IGNORECASE
)


def excepts(text: str) -> bool:
    """Whether a sentence opens as an exception to what was said before it, or to what it names."""
    return _EXCEPTS.match(text) is not None or _PREJUDICE.match(text) is not None


@lru_cache(4096)  # each question looks at the same passages
def saves(text: str) -> bool:
    """Whether its first sentence says that other rules stay as they are: "is without prejudice to", "shall not affect".

    That is law, but hardly ever what somebody wants to know.
    """
    return _SAVES.match(text) is not None


def announces(text: str) -> bool:
    """Whether a text only says what a law or a part of it holds: "This Regulation lays down prohibitions of certain …".

    Other provisions say what it announces.
    """
    return _ANNOUNCES.match(text) is not None


@lru_cache(maxsize=8_192)  # each paragraph of an article is asked for by each other one
def may_limit(text: str) -> bool:
    """Whether any sentence of a text could limit another provision: cheaper than cutting it into sentences."""
    return _MAY_LIMIT.search(text) is not None


def limits(text: str) -> bool:
    """Whether a sentence sets another provision aside or caps it: "whichever is lower", "shall not apply"."""
    return excepts(text) or (_LEADS.match(text) is not None and _LIMITS.search(text) is not None)


def adjusts(text: str, rule: str) -> bool:
    """Whether a sentence changes for some what a rule says for all: "For small firms the fee shall be reduced by 40 %".

    Or forbids for a time what the rule orders or allows: "While an objection is pending, it shall not be released".

    Args:
        text: The sentence.
        rule: What the other paragraph says; it names what is changed.
    """
    if (denial := _DENIES.match(text)) is not None:
        return re.search(rf"\b(?:shall|may|must) (?:\w+ )?{denial['act']}\b", rule, re.IGNORECASE) is not None
    match = _ADJUSTS.match(text)
    if match is None:
        return False
    what: str = match["what"] or match["half"]
    return re.search(rf"\b{what}s?\b", rule, re.IGNORECASE) is not None


def names_whole(text: str) -> bool:
    """Whether it speaks of the whole paragraph or article that it is in."""
    return _WHOLE.search(text[:160]) is not None


def names_first(text: str) -> bool:
    """Whether it speaks of the first subparagraph of its own paragraph."""
    return "first subparagraph" in text[:120].lower()


def hold_together(stem: str, items: Sequence[str]) -> bool:
    """Whether the items of a list are conditions that hold only together, so that one alone would mislead."""
    if _ANY_OF.search(stem) or not _CONDITION.search(stem.rstrip()[-120:]):
        return False
    return _ALL_OF.search(stem) is not None or any(re.search(r"[;,]?\s*and$", item) for item in items)


def bare(label: str) -> str:
    """A label without its brackets and stop."""
    return label.strip("()[]. ")


def names_article(text: str) -> bool:
    """Whether it sets aside the whole article or section that it is in."""
    return _ARTICLE.match(text) is not None


def leans_back(text: str) -> bool:
    """Whether a sentence cannot be understood without the one before it ("Such notice shall …")."""
    return _ANAPHOR.match(text) is not None


def goes_back(text: str) -> bool:
    """Whether a paragraph begins by pointing to the one before it ("This supersedes …"), and not to itself."""
    return _THIS.match(text) is not None


def conditions(text: str, allowed: str) -> bool:
    """Whether a sentence says what must be done by those who do what the one before it allows.

    "An auditor may exclude a small category. Where such a category is excluded, the summary must say why."
    """
    match = _ATTACHES.match(text)
    if match is None or not _ALLOWS.search(allowed):
        return False
    words = {word.lower() for word in _WORD.findall(match["case"])}
    is_same = len(words) > 1 and words <= {word.lower() for word in _WORD.findall(allowed)}
    return is_same or _SUCH.match(match["case"]) is not None


def holds_by_itself(text: str) -> bool:
    """Whether it says what holds instead of what it sets aside: "Notwithstanding paragraph 2, an auditor may …"."""
    return _HOLDS_BY_ITSELF.match(text) is not None


def lifts_requirements(text: str) -> bool:
    """Whether it sets aside what is required or forbidden, and nothing that is allowed."""
    return _REQUIREMENTS.match(text) is not None


def sets_aside(text: str) -> frozenset[str]:
    """Numbers of the paragraphs and points that a sentence names at its head, where an exception names its rule."""
    head = _HEAD.match(text)
    named = _NAMED.match(text, head.end()) if head else None
    return numbers_named(named[0]) if named and not _ELSEWHERE.match(text, named.end()) else frozenset()


def excepted_by(text: str) -> frozenset[str]:
    """Numbers of the paragraphs in which a rule says that the exceptions to it are.

    >>> sorted(excepted_by("Except as provided in paragraph (3) of this subsection, the recipient shall return it."))
    ['3']
    """
    numbers: set[str] = set()
    for match in _EXCEPTED_BY.finditer(text):
        named = _NAMED.match(text, match.end())
        if named is None or text[named.end() : named.end() + 1] == "(" or _ELSEWHERE.match(text, named.end()):
            continue
        numbers |= frozenset() if _WHOLE_SECTION.match(named[0]) else numbers_named(named[0])
    return frozenset(numbers)


def homes_named(text: str) -> dict[str, set[str]]:
    """Of points that a sentence names with the paragraph they are in, the numbers of these paragraphs.

    >>> homes_named("paragraph (2) of subdivision (b) and paragraph (3) of subdivision (c)")
    {'2': {'b'}, '3': {'c'}}
    """
    homes: dict[str, set[str]] = {}
    for match in _NAMED.finditer(text):
        if home := _OF_HOME.match(text, match.end()):
            for number in numbers_named(match[0]):
                homes.setdefault(number, set()).add(bare(home["home"]))
    return homes


def numbers_named(text: str) -> frozenset[str]:
    """Numbers of the paragraphs and points that a sentence names in its own article, without brackets.

    >>> sorted(numbers_named("referred to in paragraphs 3, 4 and 5, whichever is lower"))
    ['3', '4', '5']
    """
    all_numbers: set[str] = set()
    for match in _NAMED.finditer(text):
        if _ELSEWHERE.match(text, match.end()):
            continue
        numbers = re.findall(r"[\da-z]+(?:\.\d+)*|\bto\b", match["list"].replace(" and ", ",").replace(" or ", ","))
        all_numbers |= {number for number in numbers if number != "to"}
        for low, high in re.findall(r"(\d+)\)?\s+to\s+\(?(\d+)", match["list"]):
            all_numbers |= {str(number) for number in range(int(low), min(int(high), int(low) + 30))}
    return frozenset(all_numbers)
