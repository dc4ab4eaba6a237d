"""Days as people read them and write them, the same everywhere."""

import re
from datetime import UTC, date, datetime, time, timedelta

_WRITTEN = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)", re.ASCII)


def day_words(day: date) -> str:
    """A day as pages name it, such as 1 June 2025."""
    return f"{day.day} {day:%B %Y}"


def day_begins(day: date) -> datetime:
    """The first moment of a day, in UTC."""
    return datetime.combine(day, time.min, UTC)


def day_ends(day: date) -> datetime:
    """The first moment after a day, in UTC; the last day of the calendar, after which is none, ends a moment early."""
    return datetime.combine(day, time.max, UTC) if day == date.max else day_begins(day + timedelta(days=1))


def day_fault(text: str, *, example: str = "2024-01-31") -> tuple[str, str]:
    """Why a text that should be a day, or a moment, is none, and what to do, both as parts of a sentence.

    >>> day_fault("2024-02-30")
    ('2024-02-30 does not exist', 'choose another day')
    """
    written = _WRITTEN.match(text.strip())
    if written is not None and not _exists(*map(int, written.groups())):
        return f"{written[0]} does not exist", "choose another day"
    return f"{text[:40]!r} is not a date", f"write it as {example}"


def day_sentence(text: str, *, example: str = "2024-01-31") -> str:
    """The same as one sentence."""
    return "{}; {}.".format(*day_fault(text, example=example))


def _exists(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
