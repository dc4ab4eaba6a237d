"""One form for the names of things: without articles, in the singular, in small letters."""

import re
from collections.abc import Iterator
from hashlib import sha256

from retrieval.graph.rules.nouns import is_actor, listed

MAX_GRAM = 6  # most words of a name that is looked up in a text
MAX_NAME_WORDS = 12
MAX_KEY = 280
_WORD = re.compile(r"[^\W_]+(?:['’./-][^\W_]+)*")
_ARTICLES = listed("the a an any each every all no such this these those both either another its their his her")
_RELATIVE = re.compile(
    r",|\s+(?:that|which|who|whose|whom|referred to|listed in|laid down|set out|established|located|concerned"
    r"|pursuant to|within the meaning|identified|designated by|covered by|subject to|in accordance|as defined"
    r"|for which|to whom)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_AND = re.compile(r"\s+(?:and|or|and/or)\s+", re.IGNORECASE)
_SINGULAR = ((re.compile(r"ies$"), "y"), (re.compile(r"(ss|sh|ch|x|z)es$"), r"\1"), (re.compile(r"(?<![suia])s$"), ""))
_KEPT = frozenset(["sms", "gps", "ais", "news", "series", "always", "business", "whereas", "bias", "gas", "plus"])


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return [word.lower().replace("’", "'").removesuffix("'s") for word in _WORD.findall(text)]


def singular(word: str) -> str:
    """A word in the singular: "agencies" as "agency"; short words and those that only look like plurals stay."""
    if len(word) < 4 or word in _KEPT:
        return word
    for pattern, ending in _SINGULAR:
        changed, n = pattern.subn(ending, word)
        if n:
            return changed
    return word


def plain(text: str) -> str:
    """A name as said, in small letters and without the article in front."""
    words = words_of(text)
    while words and words[0] in _ARTICLES:
        words.pop(0)
    return " ".join(words)


def normal(text: str) -> str:
    """The normal form of a name: `plain`, each word in the singular.

    >>> normal("The providers of high-risk AI systems")
    'provider of high-risk ai system'
    """
    return " ".join(singular(word) for word in plain(text).split())


def grams(text: str) -> Iterator[tuple[int, int, str]]:
    """(first word, number of words, normal form) of every stretch of at most MAX_GRAM words, longest first."""
    words = [singular(word) for word in words_of(text)]
    for size in range(min(MAX_GRAM, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            if words[start] not in _ARTICLES:
                yield start, size, " ".join(words[start : start + size])


def names_of(subject: str) -> list[str]:
    """The names in a subject: without its relative clause, those who share a duty each for themselves."""
    base = _RELATIVE.sub("", subject).strip() if not subject.startswith(",") else subject
    parts = [part.strip() for part in _AND.split(base) if part.strip()]
    if len(parts) > 1 and all(is_actor(part) and len(part.split()) <= 4 for part in parts):
        return parts
    return [base] if 0 < len(plain(base).split()) <= MAX_NAME_WORDS else []


def key_of(kind: str, name: str) -> str:
    """The key of an entity: a letter for what it is and its normal form; a long one ends in a hash."""
    key = f"{kind}:{name}"
    return key if len(key) <= MAX_KEY else f"{key[: MAX_KEY - 17]}#{sha256(key.encode()).hexdigest()[:16]}"
