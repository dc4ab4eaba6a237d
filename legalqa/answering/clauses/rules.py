"""Clauses that are read by rule: the title, the date, the parties and the governing law; plain data, no Django.

A contract states these in set forms, most of them on its first page, where the reader often misses them. The rules are
data: for each clause the forms in which contracts say it, tried in their order.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

FRONT_CHARS = 4000  # ours: the title page and the preamble; a long table of contents ends it sooner

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan\.?|Feb\.?|Mar\.?|Apr\.?|Jun\.?|Jul\.?|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)"
)
_DAY = r"\d{1,2}\s?(?:st|nd|rd|th)?"
_DATE = (
    rf"(?:(?i:{_DAY}\s+day\s+of\s+{_MONTH},?\s+(?:of\s+)?\d{{4}}|{_MONTH}\s+{_DAY},?\s+\d{{4}}"
    rf"|{_DAY}\s+{_MONTH},?\s+\d{{4}})|\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{4}}|\d{{4}}-\d{{2}}-\d{{2}})"
)
_KIND = (
    r"(?:agreement|contract|lease|licen[cs]e|deed|amendment|addendum|memorandum|guarant(?:y|ee)|indenture|undertaking"
    r"|note|terms\s+and\s+conditions|terms\s+of\s+(?:use|service)|statement\s+of\s+work|letter\s+of\s+intent)"
)
_CAPS_KIND = _KIND.upper().replace("\\S", "\\s")
_SMALL = r"(?:(?:of|and|for|to|the|in|on|with|or|by|&|/|-|–)[ \t]+)"
_WORD = r"(?:[A-Z(][\w’'&/.()-]*,?[ \t]+)"
_CAPS = r"(?:[A-Z][A-Z’'&/-]*,?[ \t]+)"
_NAMED = rf"(?:{_WORD}{_SMALL}{{0,2}}){{0,9}}(?i:{_KIND})\b"
# "EXHIBIT 10.27 EXECUTION VERSION" comes before the title of a contract that was filed.
_FILED = (
    r"(?:(?i:(?:exhibit|annex|schedule|appendix|attachment)\s+[\w.()]{1,12}\s*[-–:]?\s+"
    r"|(?:execution|conformed|final)\s+(?:version|copy)\s+))"
)
_FURTHER = (
    r"(?:[ \t]+(?:and|of|for|to|AND|OF|FOR|TO|-|–)[ \t]+(?:the[ \t]+|THE[ \t]+)?[A-Z][\w’'&/-]*"
    r"(?:[ \t]+[A-Z][\w’'&/-]*){0,5})"
)
_OWN = (
    r"(?i:agreement|contract|deed|lease|licen[cs]e|nda|undertaking|guarant(?:y|ee)|amendment|letter|terms|note|hereof)"
)
_PLACE = (
    r"(?:the\s+)?(?:(?i:state|province|commonwealth|republic|kingdom)\s+of\s+(?:the\s+)?)?"
    r"[A-Z][\w’'-]*(?:,?\s+(?:of\s+(?:the\s+)?|and\s+|the\s+)?"
    r"(?!(?:WITHOUT|APPLICABLE|EXCLUDING|EXCLUSIVE|REGARDLESS|AND|AS|IN|INCLUDING|EXCEPT)\b)[A-Z][\w’'-]*){0,6}"
)
_GOVERNED = r"\b(?i:governed|construed|interpreted|enforced)\b"
_LAWS_OF = (
    r"\b(?i:laws?|legislation)\b(?:\s*\([^)]{0,90}\)|,[^,.;]{0,70},)?\s+(?i:of|in\s+force\s+in|applicable\s+in)\s+"
)
_FORM = r"(?:,?\s+(?i:Inc|LLC|L\.L\.C|L\.?P|Ltd|Corp|S\.A|GmbH|N\.V|B\.V|PLC|Limited|Company|Co)\b\.?)"
_PARTY = rf"(?!\d{{1,3}}\b|(?i:the\s+part(?:y|ies)|them|us|you)\b)[A-Z\d\[_][^,;:(“\"\n]{{0,90}}?{_FORM}?"
_PARTY_ENDS = (
    r"(?=\s*[,;:(“\"]|\s*\n|\.?\s*$|\s+(?i:dated|effective|whose|located|incorporated|organi[sz]ed|having|agrees?|who"
    r"|collectively|hereinafter|is|are|of\s+\d|with\s+(?:its|an?|offices?|registered)|an?\s+\w+)\b"
    rf"|\s+{_MONTH}\s)"
)
_BETWEEN = r"\b(?i:(?:by\s+and\s+)?(?:between|among(?:st)?))\b\s*:?\s*(?:\([1aAi]\)\s*|1\.?\d?\.?\s+)?"
_AND = r"(?i:[-–]?\s*and\s*[-–:]?)\s*(?:\([2bBi]{1,2}\)\s*)?"


@dataclass(frozen=True, slots=True)
class Rule:
    """How contracts say a clause.

    Attributes:
        forms: Patterns, the surest first. The groups `answer` and `more` are the answer's own words.
        front: Whether it is said on the first page alone.
        not_after: A pattern that, shortly before a match, shows that another document is meant.
    """

    forms: tuple[re.Pattern[str], ...]
    front: bool = True
    not_after: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a rule found its clause: the paragraph of the answer, and the words there."""

    place: int
    start: int
    end: int


def _forms(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.DOTALL | re.MULTILINE) for pattern in patterns)


_ANOTHER = re.compile(
    r"\b(?:that\s+certain|pursuant\s+to|reference\s+is\s+made|amends?|original|prior|previous|existing|act|under\s+the)\b"
    r"[^.]*$",
    re.IGNORECASE,
)

RULES: Mapping[str, Rule] = {
    "document-name": Rule(
        _forms(
            # A line of its own; capitals run into "among …" or "This …"; "this Supply Agreement (the “Agreement”)".
            rf"^[ \t]*{_FILED}{{0,2}}(?P<answer>{_NAMED}{_FURTHER}?)(?:\s*\([^)\n]{{1,40}}\))?[ \t]*$",
            rf"^[ \t]*{_FILED}{{0,2}}(?P<answer>{_CAPS}{{0,9}}{_CAPS_KIND}"
            r"(?:\s+(?:AND|OF|FOR)\s+(?!AMONG|BETWEEN)[A-Z]+){0,4})"
            r"(?=\s+(?i:by\s+and|between|among|dated|this|made|effective|\(|the\b|[A-Z]\w+\s+\d))",
            rf"\b(?i:this)\s+(?P<answer>(?:{_WORD}{_SMALL}?){{1,9}}(?i:{_KIND}))\s*(?:[(,“\"]|(?i:is|dated|made|entered)\b)",
        )
    ),
    "agreement-date": Rule(
        _forms(
            r"\b(?i:dated|made|entered\s+into|(?:executed|signed)\s+(?:on|as\s+of|this)|(?<!effective\s)date\s*:)"
            rf"(?:(?![.;]\s)[^\n]){{0,60}}?(?P<answer>{_DATE})",
            rf"\b(?i:agreement|contract|deed|lease)\b[^.;\n]{{0,60}}\b(?i:this)\s+(?P<answer>{_DATE})",
            rf"^[ \t]*(?P<answer>{_DATE})[ \t]*\.?[ \t]*$",
            rf"\b[A-Z]{{4,}}\.?\s+(?P<answer>{_DATE})[ \t]*$",  # at the end of a title page
        ),
        not_after=_ANOTHER,
    ),
    "effective-date": Rule(
        _forms(
            rf"(?P<answer>{_DATE})[\s,]{{0,3}}\([^)\n]{{0,30}}\b(?i:effective\s+date)\b",
            rf"\b(?i:effective\s+date)[”\"’']?\s*(?:\)\s*)?(?i:means|is|shall\s+be|of\s+this\s+agreement\s+is|:)\s*"
            rf"(?P<answer>{_DATE})",
            rf"\b(?i:effective(?:\s+for\s+all\s+purposes)?)\s+(?i:(?:as\s+of|as\s+from|from|on)\s+)?(?i:the\s+)?"
            rf"(?P<answer>{_DATE})",
        ),
        not_after=_ANOTHER,
    ),
    "parties": Rule(
        _forms(
            # "between X, … (“A”) and Y"; names without brackets; "(1) … (2) …"; one a line; "The parties are: …".
            rf"{_BETWEEN}(?P<answer>{_PARTY}){_PARTY_ENDS}(?:.{{0,600}}?\)[,;\s]*){_AND}(?P<more>{_PARTY}){_PARTY_ENDS}",
            rf"{_BETWEEN}(?P<answer>{_PARTY})(?:{_PARTY_ENDS}.{{0,300}}?)?\s+{_AND}(?P<more>{_PARTY}){_PARTY_ENDS}",
            rf"{_BETWEEN}(?P<answer>{_PARTY}){_PARTY_ENDS}.{{0,600}}?\([2b]\)\s*(?P<more>{_PARTY}){_PARTY_ENDS}",
            rf"{_BETWEEN}\n\s*(?P<answer>{_PARTY}){_PARTY_ENDS}",
            rf"\b(?i:the\s+parties\s+(?:to\s+this\s+\w+\s+)?are)\s*:?\s*(?:\(?[1a][.)]\d?\.?\s*)?(?P<answer>{_PARTY})"
            rf"{_PARTY_ENDS}",
            rf"^[ \t]*(?i:parties)\s*:\s*(?P<answer>{_PARTY}){_PARTY_ENDS}",
        )
    ),
    "governing-law": Rule(
        _forms(
            # "governed by English law"; "by the laws of X"; "by the laws thereof"; the contract named last.
            rf"\b{_OWN}\b[^.;]{{0,250}}?{_GOVERNED}(?:(?!\blaws?\b)[^.;]){{0,80}}?\b(?:by|with|under|to)\s+(?:the\s+)?"
            rf"(?P<answer>(?!(?:The|Laws?)\b)(?:[A-Z][\w’'-]+\s+){{1,3}}[Ll]aws?\b)",
            rf"\b{_OWN}\b[^.;]{{0,250}}?{_GOVERNED}[^.;]{{0,160}}?{_LAWS_OF}(?P<answer>{_PLACE})",
            rf"\b{_OWN}\b[^.;]{{0,250}}?\b(?i:governed\s+by|construed\s+in\s+accordance\s+with)\s+[^.;]{{0,60}}?"
            r"\b(?i:laws?)\b",
            rf"{_GOVERNED}[^.;]{{0,120}}?{_LAWS_OF}(?P<answer>{_PLACE})[^.;]{{0,160}}?\b{_OWN}\b",
        ),
        front=False,
    ),
}


def rule_find(key: str, texts: Sequence[str]) -> Hit | None:
    """Where the contract states this clause in a form of its rule; None without a rule or a match."""
    rule = RULES.get(key)
    if rule is None:
        return None
    return _front_find(rule, texts) if rule.front else _paragraph_find(rule, texts)


def answer_words(key: str, quote: str) -> str:
    """The answer's own words in a quote of such a clause, such as its date; "" where no form of the rule fits."""
    rule = RULES.get(key)
    match = next((found for form in rule.forms if (found := form.search(quote))), None) if rule else None
    if match is None:
        return ""
    words = [match.groupdict().get(group) or "" for group in ("answer", "more")]
    return " and ".join(" ".join(one.split()).strip(" ,") for one in words if one)


def _front_find(rule: Rule, texts: Sequence[str]) -> Hit | None:
    """The first page is read as one text, because a date or the parties are often on lines of their own."""
    front, begins = "", []
    for text in texts:
        if len(front) >= FRONT_CHARS:
            break
        begins.append(len(front))
        front += f"{text[:FRONT_CHARS].rstrip()}\n"
    match = next((found for form in rule.forms if (found := _first(form, front, rule.not_after))), None)
    if match is None:
        return None
    place = max(at for at, begin in enumerate(begins) if begin <= match.start("answer"))
    length = len(texts[place].rstrip())
    start, end = max(match.start() - begins[place], 0), min(match.end() - begins[place], length)
    return Hit(place, start, max(end, match.end("answer") - begins[place]))


def _paragraph_find(rule: Rule, texts: Sequence[str]) -> Hit | None:
    for form in rule.forms:
        for place, text in enumerate(texts):
            if match := _first(form, text, rule.not_after):
                return Hit(place, match.start(), match.end())
    return None


def _first(form: re.Pattern[str], text: str, not_after: re.Pattern[str] | None) -> re.Match[str] | None:
    return next(
        (
            match
            for match in form.finditer(text)
            if not_after is None or not not_after.search(text[max(0, match.start() - 80) : match.start()])
        ),
        None,
    )
