"""The day from which a document is in effect, if its own words say so."""

import re
from calendar import month_name
from collections.abc import Iterator
from datetime import date, timedelta

from corpora.describing.types import Guess

TOP_CHARS = 2500  # ours: below it, dates are those of other documents
_MONTHS = tuple(name.lower() for name in month_name[1:])
_MONTH = "(?P<month>" + "|".join(f"{name}|{name[:3]}\\.?" for name in _MONTHS) + ")"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d{2})"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_MONTH}\s+{_DAY},?\s+{_YEAR}",
        rf"{_DAY}\s+(?:day\s+of\s+)?{_MONTH},?\s+{_YEAR}",
        r"(?P<year>(?:19|20)\d{2})-(?P<number>\d{2})-(?P<day>\d{2})(?!\d)",
    )
)
_IT = r"(?:this\s+(?:local\s+law|law|act|rule|regulation|policy|agreement|directive)\s+)?"
_REST = r"(?=(?P<rest>.{0,40}))"  # not taken, so that a second date beside the first is seen
# Sentences about the document itself; a date in any other sentence may be that of another law.
_ANYWHERE = re.compile(
    r"\bthis\s+(?:local\s+law|law|act|rule|regulation|directive|policy)\s+"
    r"(?:(?:takes|shall\s+take)\s+effect\s+(?:on\s+)?|(?:enters|shall\s+enter)\s+into\s+force\s+on\s+)"
    rf"{_REST}",
    re.IGNORECASE,
)
_AT_THE_TOP = re.compile(
    rf"(?:\beffective\s+date\b\W{{0,8}}(?:is\s+|of\s+this\s+\w+\s+is\s+)?"
    rf"|\bentered\s+into\s+and\s+effective\s+(?:as\s+of\s+)?(?:the\s+)?"
    rf"|\b{_IT}(?:is\s+)?made\s+and\s+entered\s+into\s+(?:effective\s+)?as\s+of\s+(?:the\s+)?"
    rf"|\bdated\s+as\s+of\s+(?:the\s+)?"
    rf"|\beffective\s+as\s+of\s+(?:the\s+)?){_REST}",
    re.IGNORECASE,
)
# "Effective 1 January 2024." as a line or a sentence of its own; what goes on in small letters is of something else.
_ALONE = re.compile(rf"(?:^|(?<=[\s(]))Effective\s+(?:(?:on|from|as\s+from)\s+)?{_REST}")
_AFTER = re.compile(r"\s*(?:$|[.;)|]|[A-Z\d])")
_TWENTIETH = re.compile(
    r"this\s+(?:regulation|directive)\s+shall\s+enter\s+into\s+force\s+on\s+the\s+twentieth\s+day\s+following\s+that\s+"
    r"of\s+its\s+publication",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(r"official\s+journal.{0,200}?(\d{1,2})[./](\d{1,2})[./]((?:19|20)\d{2})", re.IGNORECASE)


def effective_date_guess(text: str) -> Guess | None:
    """The day that the document names as the one on which it takes effect; None where it names none, or two.

    Args:
        text: All of it, blanks evened out.
    """
    guesses = list(_named(text))
    if not guesses and (match := _TWENTIETH.search(text)) and (printed := _PUBLISHED.search(text[:2000])):
        published = _date(int(printed[3]), int(printed[2]), int(printed[1]))
        if published is not None:
            day = published + timedelta(days=20)
            return Guess(day.isoformat(), f"Published on {published}; text says “{match[0][:80]}”")
    return guesses[0] if len({guess.value for guess in guesses}) == 1 else None


def _named(text: str) -> Iterator[Guess]:
    top = text[:TOP_CHARS]
    for match in (*_ANYWHERE.finditer(text), *_AT_THE_TOP.finditer(top), *_ALONE.finditer(top)):
        day = _first_date(match["rest"])
        if day is not None and (match.re is not _ALONE or _AFTER.match(match["rest"], day[1])):
            yield Guess(day[0].isoformat(), f"Text says “{match[0]}{match['rest'][: day[1]]}”")


def _first_date(text: str) -> tuple[date, int] | None:
    """The date with which a text begins, and where it ends."""
    for form in _FORMS:
        match = form.match(text)
        if match:
            parts = match.groupdict()
            month = int(parts["number"]) if "number" in parts else _month(parts["month"])
            day = _date(int(parts["year"]), month, int(parts["day"]))
            return None if day is None else (day, match.end())
    return None


def _month(name: str) -> int:
    return next(n for n, month in enumerate(_MONTHS, start=1) if month.startswith(name.lower().rstrip(".")))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
