"""Deadlines, thresholds and amounts of a clause, with the words that join them to it."""

import re
from dataclasses import dataclass

from retrieval.kinds import Kind

_NUMBER = (
    r"(?:\d[\d ,.]*(?:\s?[x^]\s?10\^?\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen"
    r"|eighteen|twenty|thirty|forty|sixty|ninety|half)"
)
_UNIT = r"(?:minutes?|hours?|days?|weeks?|months?|quarters?|years?)"
_PERIOD = rf"{_NUMBER}(?:[- ]?\(\d+\))?[- ](?:(?:business|calendar|working|consecutive|full)[- ])?{_UNIT}"
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = (
    rf"(?:\d{{1,2}} {_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}},? \d{{4}}"
    r"|(?:…|\.\.\.)?\s?\[[^\]]{3,90}from the date[^\]]{3,80}\])"
)
_DEADLINE = re.compile(
    rf"\b(?P<word>within|(?:by )?(?:no|not) later than|by|before|until|(?:no|not) less than|at least|at the latest"
    rf"|for a period of(?: at least)?|for at least|every|(?:no|not) more than|not exceed(?:ing)?|after|from|as from)\s+"
    rf"(?P<value>(?:a period of )?(?:{_PERIOD}|{_DATE}))"
    rf"(?P<tail>\s+(?:after|before|prior to|of|from|following|preceding)\s+[^,;.]{{3,120}})?"
)
_SOON = re.compile(
    r"\b(?P<value>without (?:undue |unreasonable |any )?delay|immediately|promptly|forthwith|at least annually|annually"
    r"|at regular intervals)\b"
)
_BOUND = (
    r"(?:at least|(?:no|not|nor) (?:less|fewer) than|(?:no|not|nor) more than|more than|less than|fewer than"
    r"|greater than|of up to|up to|exceed(?:s|ing)?|a minimum of|a maximum of|at most)"
)
_MONEY = (
    r"(?:(?:[$€£¥]|\b(?:USD|EUR|GBP)\s)\s?\d(?:[\d  ,.]*\d)?(?:\s?(?:million|billion))?"
    r"|\b\d[\d  ,.]*\s?(?:million |billion )?(?:EUR|USD|GBP|dollars|euros?|pounds))"
)
_AMOUNT = re.compile(
    rf"(?P<word>(?:{_BOUND}\s+)?)(?P<value>{_MONEY}"
    rf"(?:\s+or,[^;.]{{5,220}}%[^;,.]{{0,120}})?)(?P<tail>\s+(?:for|per)\s+(?:a|an|each|the|every)\s+[^,;.]{{3,90}})?",
    re.I,
)
_THRESHOLD = re.compile(
    rf"\b(?P<word>{_BOUND})\s+(?P<value>\d[\d  ,.^x()-]*\s?(?:%|per ?cent)?|{_NUMBER}\s)\s?"
    rf"(?!(?:business |calendar |working )?{_UNIT})(?P<tail>(?:of )?[^,;.]{{2,90}})?"
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A period, number or sum: the word that joins it to its rule, and how it is said."""

    kind: Kind
    word: str
    value: str


def measures_of(text: str) -> list[Measure]:
    """The periods, dates, bounds and sums that a stretch of text sets."""
    measures = [_measure(Kind.DEADLINE, match) for match in _DEADLINE.finditer(text)]
    measures += [Measure(Kind.DEADLINE, "", match["value"]) for match in _SOON.finditer(text)]
    measures += [_measure(Kind.AMOUNT, match) for match in _AMOUNT.finditer(text)]
    spans = [match.span() for pattern in (_AMOUNT, _DEADLINE) for match in pattern.finditer(text)]
    for match in _THRESHOLD.finditer(text):
        if any(start <= match.start("value") < end for start, end in spans):
            continue
        if match["word"] == "more than" and match["value"].strip() in ("one", "a", "an"):
            continue  # "more than one body": several
        measures.append(_measure(Kind.THRESHOLD, match))
    return measures


def _measure(kind: Kind, match: re.Match[str]) -> Measure:
    value = _one_line(f"{match['value'].strip()} {(match['tail'] or '').strip()}").strip(" ,.;:")
    return Measure(kind, _one_line(match["word"]), value)


def _one_line(text: str) -> str:
    return " ".join(text.split())
