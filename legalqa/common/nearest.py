"""The names that somebody may have meant by one that does not exist."""

from collections.abc import Iterable

from rapidfuzz import fuzz

NEAR = 8  # ours: names that a refusal lists where there are many


def nearest(word: str, names: Iterable[str]) -> str:
    """The names that are most like a word, the most alike first, as a list in a sentence."""
    return ", ".join(sorted(names, key=lambda name: (-fuzz.ratio(word.lower(), name), name))[:NEAR])
