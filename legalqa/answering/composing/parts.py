"""Words that decide: what a question asks, part by part, and whether two sentences say the same."""

import re

from legalqa.answering.verification.quantities import SMALL_NUMBERS

SAME_WORDS = 0.8
MIN_PART_WORDS = 4
_LABEL = re.compile(r"^\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]\s+", re.IGNORECASE)
_ALNUM = re.compile(r"[^\W_]+")
_DENIALS = frozenset(("not", "no", "never", "nor", "neither", "without", "unless", "except", "cannot"))
_NUMBERS = {word: str(number) for word, number in SMALL_NUMBERS.items()}

_PART_BREAK = re.compile(
    r"[?;:]\s+|,\s+(?=and\b)|,?\s+and\s+(?=(?:what|which|who|whom|when|where|why|how|may|must|can|does|do|is|are)\b)"
    r"|,\s+(?=(?:what|which|who|when|where|why|how)\b)",
    re.IGNORECASE,
)


def question_parts(text: str) -> tuple[str, ...]:
    """The question, and where it asks several things, each of them: they may be answered in different places.

    Split at question marks, semicolons, colons, and before ", and" or a question word that opens a further clause; a
    part of fewer than MIN_PART_WORDS words asks nothing on its own (ours).
    """
    parts = [" ".join(part.split()).removeprefix("and ") for part in _PART_BREAK.split(text)]
    asked = tuple(part for part in parts if len(part.split()) >= MIN_PART_WORDS)
    return (text, *asked) if len(asked) > 1 else (text,)


def is_same(first: str, second: str) -> bool:
    """Whether two sentences say the same: Jaccard of words at least SAME_WORDS, with the same numbers and denials.

    "Ten" and "10" are one number; the label of a list item is no word of it.
    """
    a, b = frozenset(_plain(first)), frozenset(_plain(second))
    return len(a & b) >= SAME_WORDS * len(a | b) and not any(map(_decides, a ^ b))


def _decides(word: str) -> bool:
    """Whether a word that only one of two sentences has makes them say different things."""
    return word in _DENIALS or any(sign.isdigit() for sign in word)


def _plain(text: str) -> list[str]:
    return [_NUMBERS.get(word, word) for word in _ALNUM.findall(_LABEL.sub("", text).lower())]
