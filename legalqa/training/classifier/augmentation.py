"""Changing questions so that a classifier does not learn their length and manner (HyPA-RAG 7.1, A.9).

Every change keeps how many pieces of evidence the question needs. The rules below work without a language model; where
one is set up, its wording of the vague, verbose and concise form takes the rule's place (`prompts/`).
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from legalqa.common.config import Config
from retrieval.complexity.types import LabelledText

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
    return _tidy(text)


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
    wanted = chance.sample(places, min(len(places), max(1, len(places) // 6)))
    for start, end in sorted(wanted, reverse=True):
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
    return _tidy(text)


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


class Shares(Config):
    """Which share of the questions is changed in which way; `verbose` of the lowest class, `concise` of the highest.

    Defaults: section 7.1. Ten per cent get "random noise words or punctuation", half of them either.
    """

    vague: float = 0.10
    noise_words: float = 0.05
    punctuation: float = 0.05
    noise_both: float = 0.10
    reorder: float = 0.05
    misspell: float = 0.05
    verbose: float = 0.25
    concise: float = 0.25


@dataclass(frozen=True, slots=True)
class Augmented:
    """The changed questions, and the share of all questions that they come to."""

    rows: tuple[LabelledText, ...]
    shares: Mapping[str, float]
    total: float


def changes_plan(rows: Sequence[LabelledText], *, shares: Shares, seed: int) -> list[tuple[int, str]]:
    """Which row is changed how: (place, change), each row at most once.

    Raises:
        ValueError: the shares of one class come to more than all of its questions.
    """
    chance = random.Random(seed)  # noqa: S311 - draws, guards nothing
    highest = max((row.label for row in rows), default=0)
    planned: list[tuple[int, str]] = []
    free = set(range(len(rows)))
    for name in ("verbose", "concise", *[n for n in CHANGES if n not in ("verbose", "concise")]):
        share = float(getattr(shares, name.replace("-", "_")))
        wanted = {"verbose": 0, "concise": highest}.get(name)
        pool = [at for at in range(len(rows)) if wanted is None or rows[at].label == wanted]
        n, open_ = round(share * len(pool)), sorted(free.intersection(pool))
        if share < 0 or n > len(open_):
            raise ValueError(f"The share {share} of {name} is more than what is left. Make the shares smaller.")
        for at in chance.sample(open_, n):
            planned.append((at, name))
            free.discard(at)
    return sorted(planned)


def augment(rows: Sequence[LabelledText], *, shares: Shares, seed: int) -> Augmented:
    """Change a share of the questions by rules.

    Args:
        rows: Questions with labels, unchanged ones.
        shares: How many of what.
        seed: Of every draw.

    Returns:
        The changed questions, in the order of the originals; one that changes nothing, or ends in words
        that stand there already, is left out. Each keeps its
        original and stands in its group.
    """
    chance = random.Random(f"{seed} changes")  # noqa: S311 - draws, guards nothing
    found, seen = [], {row.text.casefold() for row in rows}
    for place, change in changes_plan(rows, shares=shares, seed=seed):
        row = rows[place]
        text = CHANGES[change](row.text, chance)
        if text and text.casefold() not in seen:
            seen.add(text.casefold())
            found.append(changed(row, text=text, change=change))
    return augmented_of(found, n_rows=len(rows))


def changed(row: LabelledText, *, text: str, change: str) -> LabelledText:
    """A row with another wording; it stands on its original's side of every split."""
    return LabelledText(text, row.label, row.group, change, row.text)


def augmented_of(found: Sequence[LabelledText], *, n_rows: int) -> Augmented:
    """Changed questions with the shares that they come to of `n_rows`."""
    counts = {name: sum(row.change == name for row in found) for name in CHANGES}
    total = max(1, n_rows)
    shares = {name: round(count / total, 4) for name, count in counts.items() if count}
    return Augmented(tuple(found), shares, round(len(found) / total, 4))


def _tidy(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\s+([?.,;:])", r"\1", text)
    return text[:1].upper() + text[1:]
