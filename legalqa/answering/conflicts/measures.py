"""Numbers of a provision in a form that can be compared: what is measured, and its range.

"Within 30 days" is a time of at most 30 days, "at least once a year" a period of at most 365, "6 characters or more" a
number of characters of at least 6. Two of them agree where one value can obey both.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain

from legalqa.answering.conflicts.subjects import Stems, stems_in
from legalqa.answering.verification.quantities import dates, quantities
from legalqa.answering.verification.words import listed, stem_of

NOTHING: Stems = frozenset()
SAME = 0.035  # ours: a month is 30 or 31 days, a quarter 90 or 92, and nobody means the difference
WEEK = 7 / 5  # calendar days for a working day
NEAR = 40  # characters around a number in which its bound, currency and period are looked for
_DAYS = {
    stem_of(word): days
    for word, days in {
        "second": 1 / 86_400, "minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "night": 1.0, "week": 7.0,
        "fortnight": 14.0, "month": 30.4, "quarter": 91.0, "year": 365.0, "decade": 3650.0,
    }.items()
}  # fmt: skip
_UNIT = r"hour|day|night|week|fortnight|month|quarter|year"
_ADVERBS = {
    "hourly": 1 / 24, "daily": 1.0, "nightly": 1.0, "weekly": 7.0, "fortnightly": 14.0, "monthly": 30.4,
    "quarterly": 91.0, "annually": 365.0, "yearly": 365.0, "annual": 365.0,
    "semiannually": 182.5, "semi-annually": 182.5, "semiannual": 182.5, "semi-annual": 182.5,
    "half-yearly": 182.5, "bi-annual": 182.5, "bi-annually": 182.5, "biannual": 182.5, "biannually": 182.5,
    "biennial": 730.0, "biennially": 730.0, "bi-weekly": 14.0, "biweekly": 14.0,
    "every other month": 60.8, "every other week": 14.0, "every other year": 730.0,
    "per annum": 365.0,
}  # fmt: skip
_TIMES = {"once": 1.0, "one time": 1.0, "twice": 2.0, "two times": 2.0, "three times": 3.0, "four times": 4.0}
_EVERY = re.compile(
    rf"\b(?:(?P<times>{'|'.join(_TIMES)})\s+)?(?:in\s+)?(?:per|a|an|each|every|any)\s+(?:calendar\s+|financial\s+)?"
    rf"(?P<unit>{_UNIT})\b(?!\s+(?:of|following|after|before|on\s+which)\b)",
    re.IGNORECASE,
)
_ADVERB = re.compile(rf"\b(?:{'|'.join(sorted(_ADVERBS, key=len, reverse=True))})\b", re.IGNORECASE)
# "Annual leave" and "the annual report" are things, not how often.
_THING = re.compile(
    r"\s+(?:\w+\s+)?(?:leave|turnover|report|salary|fee|revenue|income|rate|budget|percentage|worldwide|subscriptions?|"
    r"plans?|payment|premium|accounts|bonus|vacation|allowance|backups?)\b",
    re.IGNORECASE,
)
_EVERY_N = re.compile(
    r"\b(?:every|each|(?:expires?|expired|valid|changed?|rotated?|renewed)\s+(?:after|for))\s*$", re.IGNORECASE
)
_CURRENCY = re.compile(r"\b(eur|usd|gbp|chf|jpy|euros?|dollars?|pounds?)\s*$", re.IGNORECASE)
_CURRENCIES = {"eur": "euro", "usd": "dollar", "gbp": "pound", "chf": "franc", "jpy": "yen"}
_MONEY = frozenset(map(stem_of, listed("dollar euro pound yen franc cent")))
_REFERENCE = frozenset(
    listed("section article paragraph clause schedule part chapter rule regulation annex appendix recital item table")
)
_FREQUENT_BOUND = re.compile(r"\b(at\s+least|no\s+less\s+than|not\s+less\s+than|minimum(?:\s+of)?)\s*$", re.IGNORECASE)
_MINIMUM = re.compile(r"\bminim(?:um|al)\b|\bat\s+least\b|\bor\s+(?:more|longer|greater)\b", re.IGNORECASE)
_MAXIMUM = re.compile(r"\bmaxim(?:um|al)\b|\b(?:is|are)\s+limited\s+to\b|\bup\s+to\b|\bcapped\s+at\b", re.IGNORECASE)
_NO_SHORTER = re.compile(r"\b(?:no|not|never)\s+(?:shorter|smaller|lower|sooner)\s+than\s*$", re.IGNORECASE)
_SAME_DAY = re.compile(r"\b(?:the\s+)?same\s+(?:business\s+|working\s+)?day\b", re.IGNORECASE)
_NEXT_DAY = re.compile(r"\b(?:the\s+)?(?:next|following)\s+(?:(?P<working>business|working)\s+)?day\b", re.IGNORECASE)
_WORKING = re.compile(r"[\s-]*(?:\(\s*\d+\s*\)[\s-]*)?(?:business|working)\s+(?:days?)\b", re.IGNORECASE)
_DEADLINE = re.compile(
    r"\b(?:within|inside|(?:no|not|never|no\s+(?:case|event))\s+later\s+than|in\s+(?:less|no\s+more)\s+than|in\s+the\s+first|by|net)\s*(?:the\s+)?$",
    re.IGNORECASE,
)
_LASTS = re.compile(r"\b(?:for|during|period|lasts?|takes?)\s+(?:\w+\s+){0,4}$", re.IGNORECASE)
_AFTER_EVENT = re.compile(
    r"[^.;,]{0,30}?\b(?:after|following|before|prior|notice|of\s+(?:receipt|discover\w*|becoming|termination|the\s+date))",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"[\s-]*(?:\(\s*\d+\s*\)\s*)?"
    r"((?:(?!\b(?:and|or|of|in|at|for|to|per|by|after)\b)[^\W\d_]+[\s-]*){1,4})"
)
_UNIT_WORDS = re.compile(r"[\s-]*(?:\(\s*\d+\s*\)\s*)?(?:(?:calendar|business|working|consecutive)\s+)?(?:%|[^\W\d_]+)")
_OF_THINGS = re.compile(r"[\s-]*\w*[\s-]*(?:of\s+\w+\s*)?(?:of\s+\w+\s+\w+\s*)?")
_ENUMERATED = re.compile(r"(?:^|\s)\(?\s*$")


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of a sentence.

    Attributes:
        kind: "time", "period" (how often), "date", "percent", a currency, or "number" of something.
        low: The least value that obeys it.
        high: The greatest.
        bound: "most", "least" or "".
        thing: Stems of what is counted, of a number; of a time, of what it is "per".
        near: Stems of the clause around it.
        is_deadline: A time by which something is done, and not one for which it lasts.
        start, end: Offsets in the sentence.
    """

    kind: str
    low: float
    high: float
    bound: str
    thing: Stems
    near: Stems
    is_deadline: bool
    start: int
    end: int

    @property
    def value(self) -> float:
        return self.low if self.bound == "least" else self.high


def measures(text: str) -> tuple[Measure, ...]:
    """The measures of a sentence, in order."""
    own: list[Measure] = []
    for measure in chain(_dated(text), _often(text), _counted(text)):
        if not any(measure.start < other.end and other.start < measure.end for other in own):
            own.append(measure)
    return tuple(sorted(own, key=lambda measure: measure.start))


def differ(one: Measure, other: Measure) -> bool:
    """Whether no value obeys both, or both bound the same thing on the same side at another value."""
    if _equal(one.value, other.value, one.kind):
        return False
    if one.bound == other.bound:
        return True
    return one.low > other.high or other.low > one.high


def agree(one: Measure, other: Measure) -> bool:
    """Whether two measures are of one kind and have the same value, times within SAME, whatever they bound."""
    return one.kind == other.kind and _equal(one.value, other.value, one.kind)


def limits(ours: Sequence[Measure], theirs: Sequence[Measure]) -> tuple[Measure, Measure] | None:
    """The first two measures of one kind of which one goes up to a number, and the other from a number on."""
    pairs = ((one, other) for one in ours for other in theirs if one.kind == other.kind)
    return next(((one, other) for one, other in pairs if {one.bound, other.bound} == {"most", "least"}), None)


def _equal(one: float, other: float, kind: str) -> bool:
    if kind in ("time", "period"):
        return abs(one - other) <= SAME * max(one, other)
    return one == other


def _measure(
    text: str, kind: str, value: float, bound: str, span: tuple[int, int], *, thing: Stems = NOTHING,
    is_deadline: bool = False,
) -> Measure:  # fmt: skip
    low = 0.0 if bound == "most" else value
    high = float("inf") if bound == "least" else value
    start, end = span
    left = max(text.rfind(mark, 0, start) for mark in (";", ","))
    right = min((at for at in (text.find(mark, end) for mark in (";", ", ")) if at >= 0), default=len(text))
    near = stems_in(text[left + 1 : right])
    return Measure(kind, low, high, bound, thing, near, is_deadline, start, end)


def _dated(text: str) -> Iterator[Measure]:
    for (day, month, year), start, end in dates(text):
        try:
            at = date(year or 4, month, day or 1).toordinal()
        except ValueError:
            continue
        yield _measure(text, "date" if year else "yearly date", float(at), "", (start, end))


def _counted(text: str) -> Iterator[Measure]:
    for quantity in quantities(text):
        start, end = quantity.start, quantity.end
        before, after = text[max(0, start - NEAR) : start], text[end : end + NEAR]
        if quantity.unit in _REFERENCE or quantity.unit in ("ordinal", "section") or _is_label(text, start, after):
            continue
        bound = quantity.bound or ("least" if _NO_SHORTER.search(before) else "")
        bound = bound or _bound_near(text, start, end)
        kind, value, thing = _kind(text, quantity.unit, quantity.value, before, end)
        if not kind or (kind == "number" and not thing and not bound):
            continue
        if kind != "number" and (unit := _UNIT_WORDS.match(text, end)):
            end = unit.end()
        if kind == "time" and (every := _EVERY_N.search(before)):
            at_least = _FREQUENT_BOUND.search(before[: every.start()])
            yield _measure(text, "period", value, "most" if at_least else "", (start, end))
            continue
        is_by = _DEADLINE.search(before) or (_AFTER_EVENT.match(after) and not _LASTS.search(before))
        is_deadline = kind == "time" and bool(is_by)
        if is_deadline and not bound and _DEADLINE.search(before):
            bound = "most"
        yield _measure(text, kind, value, bound, (start, end), thing=thing, is_deadline=is_deadline)
    for same_day in _SAME_DAY.finditer(text):
        yield _measure(text, "time", 1.0, "most", same_day.span(), is_deadline=True)
    for next_day in _NEXT_DAY.finditer(text):
        days = 2.0 * (WEEK if next_day["working"] else 1.0)
        yield _measure(text, "time", days, "most", next_day.span(), is_deadline=True)


def _kind(text: str, unit: str, value: float, before: str, end: int) -> tuple[str, float, Stems]:
    after = text[end : end + NEAR]
    if currency := _CURRENCY.search(before):
        word = currency.group(1).lower()
        return stem_of(_CURRENCIES.get(word, word.removesuffix("s"))), value, NOTHING
    if unit in _MONEY:
        return unit, value, NOTHING
    if unit in ("percent", "percentag"):
        return "percent", value, NOTHING
    if unit in _DAYS:
        days = value * _DAYS[unit] * (WEEK if _WORKING.match(after) else 1.0)
        return "time", days, NOTHING
    noun = _NOUN.match(after)
    thing = stems_in(noun.group(1)) if noun else NOTHING
    if not thing and not re.match(r"\s*[.;,)]|\s*$", after):
        return "", value, thing
    return "number", value, thing


def _is_label(text: str, start: int, after: str) -> bool:
    """Whether a number is a label, a year or part of a longer mark: "1. Scope", "ISO 27001", "2.0", "in 2024"."""
    if re.match(r"\d{4}\b(?!\s*(?:%|[a-z]))", text[start:]) and re.match(r"(?:19|20)", text[start:]):
        return True
    if re.match(r"\s*[.)](?:\s|$)", after) and _ENUMERATED.search(text[:start]) and not text[:start].strip(" (*#"):
        return True
    return (
        text[start - 1 : start].isalpha() or text[start - 1 : start] in ("-", ".", "/", "_") or after[:1] in ("/", "_")
    )


def _bound_near(text: str, start: int, end: int) -> str:
    """The bound that a sentence sets without putting it at the number: "the minimum length is 8 characters"."""
    clause = text[max(text.rfind(mark, 0, start) for mark in (";", ".")) + 1 : end + NEAR]
    is_least, is_most = bool(_MINIMUM.search(clause)), bool(_MAXIMUM.search(clause))
    return "least" if is_least and not is_most else "most" if is_most and not is_least else ""


def _often(text: str) -> Iterator[Measure]:
    for match in _EVERY.finditer(text):
        before = text[: match.start()]
        number = next(
            (q for q in quantities(before[-NEAR:]) if _OF_THINGS.fullmatch(before[-NEAR:][q.end :])),
            None,
        )
        times = _TIMES.get(" ".join((match["times"] or "").lower().split()), 1.0)
        if number is not None and not match["times"]:
            if number.unit != "time":
                continue  # "25 days a year", "58 cents per mile": how much, not how often
            times = number.value or 1.0
        elif not match["times"] and not re.match(r"(?:each|every)", match.group().split("in ")[-1], re.IGNORECASE):
            continue  # "a month" alone
        yield _measure(
            text, "period", _DAYS[stem_of(match["unit"].lower())] / times,
            "most" if _FREQUENT_BOUND.search(before) or (number and number.bound == "least") else "", match.span(),
        )  # fmt: skip
    for match in _ADVERB.finditer(text):
        word = " ".join(match.group().lower().split())
        if word == "per annum" or _THING.match(text, match.end()):
            continue
        bound = "most" if _FREQUENT_BOUND.search(text[: match.start()]) else ""
        yield _measure(text, "period", _ADVERBS[word], bound, match.span())
