"""Numbers with what they count and how they bound, dates, ordinals, frequencies: each must be in the source."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from legalqa.answering.verification.words import listed, stem_of

_ONES = listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = {
    word: 10 * n for n, word in enumerate(listed("twenty thirty forty fifty sixty seventy eighty ninety"), start=2)
}
SMALL_NUMBERS = {word: n for n, word in enumerate(_ONES)} | _TENS
_LARGE = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_ORDINALS = listed(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
)
_NUMBER_WORD = "|".join(sorted((*SMALL_NUMBERS, *_LARGE), key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?P<digits>\d{{1,3}}(?:[\u00a0\u202f ]\d{{3}})+(?!\d)|\d+(?:[.,]\d+)*)"
    rf"(?P<ordinal>st|nd|rd|th)?\b(?:\s(?P<scale>hundred|thousand|million|billion)\b)?"
    rf"|\b(?P<words>(?:{_NUMBER_WORD})(?:(?:\s+and)?[\s-]+(?:{_NUMBER_WORD}))*)\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(rf"\b(?:{'|'.join(_ORDINALS)})\b", re.IGNORECASE)
_SIGNS = {"$": "dollar", "£": "pound", "€": "euro", "¥": "yen"}
_UNITS = frozenset(
    stem_of(word)
    for word in listed(
        "second minute hour day week month quarter year decade percent percentage dollar cent pound euro yen person "
        "people employee tenant page copy mile kilometre kilometer metre meter foot inch kilogram tonne degree time"
    )
)
_SAME_UNIT = {"eur": "euro", "usd": "dollar", "gbp": "pound", "jpy": "yen", "%": "percent"}
_CODE_BEFORE = re.compile(r"\b(EUR|USD|GBP|JPY)\s*$")
_UNIT = re.compile(r"[\s-]*(?:\(\s*\d+(?:[.,]\d+)*\s*\)[\s-]*)?(?:(?:calendar|business|working|banking|whole|full|"
r"consecutive|"
                   r"successive|further|additional|clear|us)[\s-]+)?"
                   r"(per\s*cent\b|%|[^\W\d_]+)", re.IGNORECASE)  # fmt: skip
_LABEL = re.compile(
    r"\b(section|article|paragraph|clause|schedule|part|chapter|rule|regulation|annex|appendix|recital|item|"
    r"table)s?\s*$",
    re.IGNORECASE,
)
_MOST = (
    r"at\s+most|(?:no|not|nor)\s+more\s+than|not\s+(?:to\s+)?exceed(?:ing|s)?|up\s+to|(?:a\s+)?maximum(?:\s+of)?|"
    r"(?:no|not|nor)\s+(?:later|longer|greater)\s+than|within|less\s+than|fewer\s+than|under|below"
)
_LEAST = (
    r"at\s+least|(?:no|not|nor)\s+(?:less|fewer|earlier)\s+than|(?:a\s+)?minimum(?:\s+of)?|more\s+than|over|above|"
    r"exceed(?:s|ing)?|in\s+excess\s+of|longer\s+than|greater\s+than"
)
_BOUND = re.compile(
    rf"(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))(?:\s+(?:of|the|a|an|about))?\s*(?:[$£€¥]|EUR|USD|GBP|JPY)?\s*$",
    re.IGNORECASE,
)
_BOUNDED = re.compile(
    rf"\b(?:{_MOST}|{_LEAST})(?=\s+(?:of\s+|the\s+|a\s+|an\s+|about\s+)?(?:[$£€¥]?\d|(?:{_NUMBER_WORD})\b))",
    re.IGNORECASE,
)
_BOUND_AFTER = re.compile(
    r"[^.;,]{0,24}?\bor\s+(?:(?P<least>more|longer|greater|later)|(?P<most>less|fewer|earlier))\b"
)
_BEFORE_EVENT = re.compile(r"[\s-]*(?:\w+\s+){1,3}(?:before|prior\s+to|preceding)\b", re.IGNORECASE)
_MONTHS = listed("january february march april may june july august september october november december")
_MONTH = "|".join(
    (*(m.title() for m in _MONTHS), "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sept?", "Oct", "Nov", "Dec")
)
_DATE = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{_MONTH})\.?(?:,?\s+(?P<y1>\d{{4}}))?"
    rf"|(?P<m2>{_MONTH})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<y2>\d{{4}}))?"
    rf"|(?P<m3>{_MONTH})\.?,?\s+(?P<y3>\d{{4}})"
    r"|(?P<y4>\d{4})-(?P<m4>\d{2})-(?P<d4>\d{2}))\b"
)
_FREQUENCIES = {
    "a day": r"\bdaily\b|\b(?:each|every|per|a)\s+day\b",
    "a week": r"\bweekly\b|\b(?:each|every|per|a)\s+week\b",
    "a month": r"\bmonthly\b|\b(?:each|every|per|a)\s+(?:calendar\s+)?month\b",
    "a quarter": r"\bquarterly\b|\b(?:each|every|per|a)\s+quarter\b",
    "a year": r"\b(?:annual|annually|yearly)\b|\b(?:each|every|per|a)\s+(?:calendar\s+)?year\b|\bper\s+annum\b",
    # "Once the contract is signed" counts nothing.
    "once": r"\bonce\b(?!\s+(?:the|it|he|she|they|this|that|these|its|his|her|their|an?\s+(?!(?:day|week|month|"
    r"quarter|year)\b)))"
    r"|\bone\s+time\b|\ba\s+single\s+time\b",
    "twice": r"\btwice\b|\btwo\s+times\b|\bdouble\b",
    "half": r"\bhalf\b|\b50\s*(?:%|per\s?cent)",
}
_WEEKDAY = re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text: its value, what it counts ("" unless known), "most", "least" or "" for its bound, where."""

    value: float
    unit: str
    bound: str
    words: str
    start: int
    end: int


def quantity_faults(claim: str, evidence: str) -> tuple[list[str], list[str]]:
    """What a claim's numbers, dates and frequencies say that the evidence does not.

    Args:
        claim: One sentence, contractions opened.
        evidence: The cited words, likewise.

    Returns:
        (sentences that speak against the claim, sentences that say what it leaves open).

    Source: Policy Copilot, numeric check ("30 days" must appear in the source). Differs: units, bounds, dates, words.
    """
    against = [
        *_dates_missing(claim, evidence),
        *_frequencies_missing(claim, evidence),
        *_ordinals_missing(claim, evidence),
    ]
    open_points: list[str] = []
    theirs = list(quantities(evidence))
    for quantity in quantities(claim):
        same = [q for q in theirs if q.value == quantity.value]
        if not same:
            against.append(f"The evidence does not contain the number {quantity.words}.")
            continue
        if quantity.unit:
            same = [q for q in same if q.unit == quantity.unit]
            if not same:
                against.append(f"In the evidence, {quantity.words} counts something else.")
                continue
        bounds = {q.bound for q in same}
        if quantity.bound in bounds:
            continue
        if quantity.bound and bounds - {""}:
            against.append(f"The claim turns the limit {quantity.words} the other way round.")
        else:
            open_points.append(f"Claim and evidence set the limit {quantity.words} differently.")
    return against, open_points


def quantities(text: str) -> Iterator[Quantity]:
    """The numbers of a text in order, dates included, with unit and bound."""
    for match in _NUMBER.finditer(text):
        before, after = text[max(0, match.start() - 40) : match.start()], text[match.end() : match.end() + 40]
        if match["words"] and match["words"].lower() == "one" and before.lower().endswith(("no ", "any ", "every ")):
            continue  # "no one"
        unit = "ordinal" if match["ordinal"] else _unit(before, after)
        words = " ".join(match.group().split())
        yield Quantity(_value(match), unit, _bound(before, after), words, match.start(), match.end())


def bounds_removed(text: str) -> str:
    """The text with blanks, as many letters, for the words that bound its numbers."""
    return _BOUNDED.sub(lambda match: " " * len(match.group()), text)


def _value(match: "re.Match[str]") -> float:
    if match["digits"]:
        plain = re.sub(r"\s", "", match["digits"])
        plain = (
            plain.replace(",", "") if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain) else plain.replace(",", ".")
        )
        value = float(plain) if plain.count(".") < 2 else float(plain.replace(".", ""))
        return value * _LARGE.get((match["scale"] or "").lower(), 1)
    total = part = 0
    for word in re.findall(r"[a-z]+", match["words"].lower()):
        if word in SMALL_NUMBERS:
            part += SMALL_NUMBERS[word]
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word in _LARGE:
            total, part = total + max(part, 1) * _LARGE[word], 0
    return float(total + part)


def _unit(before: str, after: str) -> str:
    sign = before.rstrip()[-1:]
    if sign in _SIGNS and sign:
        return _SIGNS[sign]
    if code := _CODE_BEFORE.search(before):
        return _SAME_UNIT[code.group(1).lower()]
    if before.rstrip().endswith("§"):
        return "section"
    if label := _LABEL.search(before):
        return label.group(1).lower()
    match = _UNIT.match(after)
    if match is None:
        return ""
    word = "".join(match.group(1).lower().split())
    stem = stem_of(_SAME_UNIT.get(word, word))
    return stem if stem in _UNITS else ""


def _bound(before: str, after: str) -> str:
    for match in (_BOUND.search(before), _BOUND_AFTER.match(after)):
        if match:
            is_most = bool(match["most"])
            # "not later than nine months before the end" leaves at least nine months.
            if re.search(r"later|earlier", match.group(), re.IGNORECASE) and _BEFORE_EVENT.match(after):
                is_most = not is_most
            return "most" if is_most else "least"
    return ""


def dates(text: str) -> Iterator[tuple[tuple[int, int, int], int, int]]:
    """(day, month, year) of each date, 0 for what it leaves out, and where it begins and ends."""
    for match in _DATE.finditer(text):
        part = match.groupdict()
        day, month, year = (next((part[key + n] for n in "1234" if part.get(key + n)), "") for key in "dmy")
        number = (
            int(month)
            if month.isdigit()
            else 1 + next(n for n, m in enumerate(_MONTHS) if m.startswith(month[:3].lower()))
        )
        yield (int(day or 0), number, int(year or 0)), *match.span()


def _dates_missing(claim: str, evidence: str) -> Iterator[str]:
    theirs = [date for date, _, _ in dates(evidence)]
    for date, _, _ in dates(claim):
        if not any(all(a in (0, b) for a, b in zip(date, other, strict=True)) for other in theirs):
            day, month, year = date
            words = " ".join(filter(None, [str(day or ""), _MONTHS[month - 1].title(), str(year or "")]))
            yield f"The evidence does not contain the date {words}."
    yield from _missing(_WEEKDAY.findall, claim, evidence, "day")


def _frequencies_missing(claim: str, evidence: str) -> Iterator[str]:
    for words, pattern in _FREQUENCIES.items():
        if re.search(pattern, claim, re.IGNORECASE) and not re.search(pattern, evidence, re.IGNORECASE):
            yield f"The evidence does not say “{words}”."


def _ordinals_missing(claim: str, evidence: str) -> Iterator[str]:
    def found(text: str) -> list[str]:
        in_words = (str(1 + _ORDINALS.index(word.lower())) for word in _ORDINAL.findall(text))
        in_digits = (q.words.rstrip("stndrh") for q in quantities(text) if q.unit == "ordinal")
        return list(chain(in_words, in_digits))

    return _missing(found, claim, evidence, "ordinal")


def _missing(find: Callable[[str], Iterable[str]], claim: str, evidence: str, what: str) -> Iterator[str]:
    for word in sorted(set(find(claim)) - set(find(evidence))):
        yield f"The evidence does not contain the {what} {word}."
