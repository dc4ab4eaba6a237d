"""Days as people read them, the same on every page."""

from datetime import date


def day_words(day: date) -> str:
    """A day as pages name it, such as 1 June 2025."""
    return f"{day.day} {day:%B %Y}"
