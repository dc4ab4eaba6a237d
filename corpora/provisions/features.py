"""The contents of a piece of a provision: amounts, periods, dates, duties, permissions, penalties, references."""

import re
from dataclasses import dataclass
from functools import lru_cache

_AMOUNT = re.compile(
    r"(?:[$€£¥]|\b(?:USD|EUR|GBP|CHF)\b)\s?\d[\d ,.]{0,24}\d?(?:\s?(?:million|billion|thousand|m|bn|k)\b)?"
    r"|(?<![\d.,])\d[\d  ,.]{0,24}(?:\s?(?:million|billion|thousand))?\s?(?:EUR|USD|GBP|CHF|dollars?|euros?|pounds?)\b"
    r"|\b\d+(?:[.,]\d+)?\s?(?:%|per ?cent\b|percent\b)",
    re.IGNORECASE,
)
_NUMBER = (
    r"(?:\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty"
    r"|forty-?five|forty|sixty|ninety)"
)
_DURATION = re.compile(
    rf"\b{_NUMBER}(?:[- ]?\(\d{{1,4}}\))?[- ](?:(?:business|calendar|working|consecutive|full)[- ])?"
    r"(?:minutes?|hours?|days?|weeks?|months?|quarters?|years?)\b"
    r"|\b(?:without (?:undue |unreasonable )?delay|immediately|promptly|forthwith|annually"
    r"|quarterly|monthly|weekly|daily)\b",
    re.IGNORECASE,
)
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH},? \d{{4}}\b|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{4}\b"
)
_DUTY = re.compile(
    r"\b(?:shall|must|(?:is|are) (?:required|obliged|obligated|responsible)\b|(?:has|have"
    r"|needs?) to|agrees? to|undertakes? to)\b",
    re.IGNORECASE,
)
_PERMISSION = re.compile(
    r"\bmay\b(?! not\b)(?! \d)|\b(?:is|are) (?:permitted|allowed|entitled|authori[sz]ed) to\b"
    r"|\bha(?:s|ve) the right to\b",
    re.IGNORECASE,
)
_PROHIBITION = re.compile(
    r"\b(?:shall|must|may|will|can)(?: not\b(?! (?:apply|be (?:required|construed|deemed"
    r"|limited)))|not\b)|\bshall be (?:prohibited|unlawful)\b"
    r"|\b(?:is|are) (?:prohibited|forbidden|unlawful|not (?:permitted|allowed))\b"
    r"|\bno (?:person|party|employer|employee|user)s? (?:shall|may|must)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:shall|must|may|will) not\b", re.IGNORECASE)
_PENALTY = re.compile(
    r"\b(?:(?:civil|criminal|administrative|monetary) )?(?:penalt(?:y|ies)|fines?|fined"
    r"|liquidated damages|late fees?|imprisonment)\b"
    r"|\bdisciplinary action\b|\btermination of employment\b",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:\b(?:Articles?|Sections?|Annex|Schedules?|Exhibits?|Chapters?|paragraphs?|points?"
    r"|clauses?|subdivisions?|subsections?)\s"
    r"|§§?\s?)\(?[\dIVXA-Za-z](?![a-z]{2})[\w.\-–]*\)?(?:\(\w{1,4}\))*(?<![.,])"
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a stretch of text contains, as printed.

    Attributes:
        amounts: Sums of money and percentages.
        durations: Periods and how soon or how often ("10 business days", "without undue delay").
        dates: Calendar dates.
        duty: Somebody must do something.
        permission: Somebody may do something.
        prohibition: Somebody must not do something.
        is_penalty: It speaks of a fine or another sanction.
        references: Articles, sections, paragraphs it refers to.
    """

    amounts: tuple[str, ...]
    durations: tuple[str, ...]
    dates: tuple[str, ...]
    duty: bool
    permission: bool
    prohibition: bool
    is_penalty: bool
    references: tuple[str, ...]


@lru_cache(4096)  # each question looks at the same passages
def facts_of(text: str) -> Facts:
    """Look at a piece of a provision.

    >>> facts_of("Such notice shall be made no less than 10 business days before such use.").durations
    ('10 business days',)
    """
    return Facts(
        amounts=_all(_AMOUNT, text),
        durations=_all(_DURATION, text),
        dates=_all(_DATE, text),
        duty=_DUTY.search(_NEGATED.sub("", text)) is not None,
        permission=_PERMISSION.search(text) is not None,
        prohibition=_PROHIBITION.search(text) is not None,
        is_penalty=_PENALTY.search(text) is not None,
        references=_all(_REFERENCE, text),
    )


def _all(pattern: re.Pattern[str], text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match[0].strip(" ,.") for match in pattern.finditer(text)))
