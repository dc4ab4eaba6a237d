"""The words of a text for comparing wordings: lower case, stemmed, contractions opened."""

import re
from dataclasses import dataclass
from functools import lru_cache

from corpora.stopwords import STOP_WORDS
from corpora.tokens import tokens

_APOSTROPHES = re.compile("[‘’ʼ＇`´]")
_CONTRACTION = re.compile(r"\b(?:ca(?=n't)|wo(?=n't)|sha(?=n't))|n't\b|\bcannot\b", re.IGNORECASE)
_OPENED = {"ca": "can", "wo": "will", "sha": "shall", "n't": " not", "cannot": "can not"}
_WORD = re.compile(r"[^\W\d_]+")
_LETTER = re.compile(r"[A-Z](?![\w'’-])(?!\.\w)")
# After "A" at the head of a sentence: "A shall", "A sold the", not "A licensed carrier".
_ACTS = re.compile(
    r"\s+(?:shall|must|may|can|will|should|is|was|has|had|did|does|and|or)\b|,|"
    r"\s+(?:\w+(?:ed|s)|sold|bought|paid|gave|lent|took|left|held|brought|kept)\s+(?:[A-Z]\b|the\b|an?\b|its\b|all\b|to\b|\d)"
)


def listed(words: str) -> tuple[str, ...]:
    """Words written in a row, for the lists of these modules."""
    return tuple(words.split())


_NUMBERS_IN_ORDER = listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
)
NUMBER_WORDS = {word: str(n) for n, word in enumerate(_NUMBERS_IN_ORDER)} | {
    "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90", "hundred": "100",
}  # fmt: skip
LIST_LABEL = re.compile(
    r"^\s*(?:\(?(?:[a-z]|[ivx]+|\d+(?:\.\d+)*)[.)]|\d+(?:\.\d+)+)\s+", re.IGNORECASE
)  # "(a) ", "2.1 "
MODALS = {"must": "must", "shall": "must", "should": "should", "ought": "should"} | dict.fromkeys(
    listed("may can might could"), "may"
)
EMPTY = STOP_WORDS["english"] | frozenset(
    listed(
        "may must shall should ought might not no never also only any all each every both either other upon under "
        "per via its whether however therefore thus within before after without during until"
    )
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text: as written, in lower case, its stem, and where it begins."""

    written: str
    lower: str
    stem: str
    at: int

    @property
    def is_content(self) -> bool:
        """Whether it carries meaning: no stop word, no modal verb, more than two letters."""
        return self.is_letter or (len(self.lower) > 2 and self.lower not in EMPTY)

    @property
    def is_letter(self) -> bool:
        """Whether it is a single letter that names somebody: "A sold it to C"."""
        return self.stem.startswith("@")


def opened(text: str) -> str:
    """The text with one kind of apostrophe, and contractions written out: "can't" is "can not"."""
    return _CONTRACTION.sub(lambda match: _OPENED[match.group().lower()], _APOSTROPHES.sub("'", text))


def words_of(text: str) -> tuple[Word, ...]:
    """The words of an opened text in order."""
    return tuple(
        Word(
            match.group(),
            match.group().lower(),
            f"@{match.group()}" if is_letter_name(text, match.start()) else stem_of(match.group().lower()),
            match.start(),
        )
        for match in _WORD.finditer(text)
    )


def is_letter_name(text: str, at: int) -> bool:
    """Whether a single capital letter there is a name, as contracts give them, and not an article or an initial."""
    if _LETTER.match(text, at) is None or text[max(0, at - 1) : at] in (".", "'", "’", "-"):
        return False
    if text[at] == "I":
        return False
    head = text[:at].rstrip()
    is_within = bool(head) and head[-1] not in '.!?:;“"('
    return is_within or text[at] != "A" or _ACTS.match(text, at + 1) is not None


def stems_of(text: str) -> frozenset[str]:
    """The stems of the words that say something by themselves."""
    return frozenset(word.stem for word in words_of(opened(text)) if word.is_content)


@lru_cache(maxsize=50_000)
def stem_of(word: str) -> str:
    """The stem of one word in lower case; a stop word is its own."""
    return next(iter(tokens(word)), word)
