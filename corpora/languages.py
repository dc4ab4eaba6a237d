"""Which language a text is in, by its most common words: enough to tell a question from documents in another one."""

import re

from corpora.stopwords import STOP_WORDS

LEAST = 2  # ours: common words that a text must have before anything is said of it
_WORD = re.compile(r"[^\W\d_]+")


def language_of(text: str) -> str | None:
    """The language with the most common words in the text, such as "german"; None where that is not clear."""
    words = [word.lower() for word in _WORD.findall(text)]
    counts = {language: sum(word in stops for word in words) for language, stops in STOP_WORDS.items()}
    first, second = sorted(counts.values(), reverse=True)[:2]
    return max(counts, key=lambda language: counts[language]) if first >= LEAST and first > second else None


def is_common(word: str) -> bool:
    """Whether a word is too common, in any language, to be what a text is about."""
    return any(word.lower() in stops for stops in STOP_WORDS.values())
