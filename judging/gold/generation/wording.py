"""A question in other words that ask for the same: vaguer, longer, shorter, misspelt, reordered (HyPA-RAG A.9)."""

import random
import re
from collections.abc import Callable, Mapping

from retrieval.questions.wording import tidied

# Words that say nothing of what is asked.
NOISE = ("basically", "actually", "please", "kindly", "just", "also", "perhaps", "generally", "well", "so", "really")
MARKS = (",", ";", "...", "-", "!", "??", ":")
_OPENINGS = (
    "I would be grateful if you could explain to me in some detail: ",
    "For the purposes of a matter that I am working on at present, I should like to understand the following: ",
    "Could you please help me, as thoroughly as you are able to, with the question that now follows: ",
)
_ENDINGS = (
    " Please set this out as fully as the documents allow.",
    " I should like to be certain of this before I advise anybody.",
    "",
)
_VAGUE = (
    (r"\b(?:specific|particular|exact|precise|detailed)\s+", ""),
    (r"\b\d[\d.,]*(?:\([a-z0-9]+\))*\b", "some number"),
    (r"\b(?:Rule|Section|Article|Part|Chapter|Paragraph|Clause)\s+[\w.()]+", "the relevant provision"),
    (r"\b(?:requirements|obligations|conditions|criteria|duties)\b", "things"),
    (r"\b(?:requirement|obligation|condition|criterion|duty)\b", "thing"),
    (r"\b(?:procedures|processes|measures|mechanisms|arrangements)\b", "ways"),
)
_FILLERS = (
    r"^(?:could|can|would) you (?:please )?(?:clarify|explain|elaborate on|specify|describe|tell (?:me|us))\s+",
    r"^(?:could|can|would) you (?:please )?provide (?:details|guidance|information) on\s+",
    r"\b(?:please|kindly|specifically|in detail|exactly|particular(?:ly)?)\b\s*",
    r"\b(?:in accordance with|in line with|with regard to|with respect to|in relation to)\b",
    r"\b(?:in order) (?=to\b)",
)
_CLAUSE = re.compile(r"(?<=[,;:])\s+|\s+(?=(?:when|where|if|for|under|in the case of|in terms of)\s)")
_WORD = re.compile(r"[A-Za-z]{4,}")

Change = Callable[[str, random.Random], str]


def vague(text: str, _chance: random.Random) -> str:
    """Take out numbers, provisions and exact nouns."""
    for pattern, instead in _VAGUE:
        text = re.sub(pattern, instead, text)
    return tidied(text)


def noise_words(text: str, chance: random.Random) -> str:
    """Put empty words between the words, about one in eight."""
    words = text.split()
    for _ in range(max(1, len(words) // 8)):
        words.insert(chance.randrange(len(words) + 1), chance.choice(NOISE))
    return " ".join(words)


def punctuation(text: str, chance: random.Random) -> str:
    """Hang marks on words, about one in eight."""
    words = text.split()
    for _ in range(max(1, len(words) // 8)):
        at = chance.randrange(len(words))
        words[at] += chance.choice(MARKS)
    return " ".join(words)


def noise_both(text: str, chance: random.Random) -> str:
    """Empty words and marks."""
    return punctuation(noise_words(text, chance), chance)


def reorder(text: str, chance: random.Random) -> str:
    """Put the question's phrases in another order."""
    mark = text[-1] if text[-1:] in "?." else ""
    parts = [part.strip(" ,;") for part in _CLAUSE.split(text.rstrip("?. ")) if part.strip(" ,;")]
    if len(parts) < 2:
        words = text.rstrip("?. ").split()
        half = len(words) // 2
        parts = [" ".join(words[:half]), " ".join(words[half:])]
    before = list(parts)
    while parts == before and len(set(parts)) > 1:
        chance.shuffle(parts)
    return ", ".join(part for part in parts if part) + mark


def misspell(text: str, chance: random.Random) -> str:
    """Swap, drop or double a letter in about one word of six."""
    places = [match.span() for match in _WORD.finditer(text)]
    picks = chance.sample(places, min(len(places), max(1, len(places) // 6)))
    for start, end in sorted(picks, reverse=True):
        at = chance.randrange(start + 1, end - 1)
        first, second = text[at], text[at + 1]
        text = text[:at] + chance.choice((second + first, second, first * 2 + second)) + text[at + 2 :]
    return text


def verbose(text: str, chance: random.Random) -> str:
    """Wrap the question in courtesies that ask for nothing."""
    inner = text[:1].lower() + text[1:] if not text[:2].isupper() else text
    return chance.choice(_OPENINGS) + inner + chance.choice(_ENDINGS)


def concise(text: str, _chance: random.Random) -> str:
    """Leave courtesies and long prepositions out."""
    for pattern in _FILLERS:
        text = re.sub(pattern, "on " if "accordance" in pattern else "", text, flags=re.IGNORECASE)
    text = re.sub(r"\b(?:the|a|an)\s+", "", text, flags=re.IGNORECASE)
    return tidied(text)


CHANGES: Mapping[str, Change] = {
    "vague": vague,
    "noise-words": noise_words,
    "punctuation": punctuation,
    "noise-both": noise_both,
    "reorder": reorder,
    "misspell": misspell,
    "verbose": verbose,
    "concise": concise,
}
