"""Whole numbers as people and programs write them."""

MAX_DIGITS = 18  # what a column of the database holds


def whole_number(text: str, *, digits: int = MAX_DIGITS) -> int | None:
    """The number that ASCII digits write, at most so many of them; None for any other text.

    `isdigit` alone takes "²", which `int` refuses, and `int` refuses more than 4,300 digits.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
