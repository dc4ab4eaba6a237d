"""Cuts text into the terms that sparse search counts: stemmed words, legal references, numbers, amounts."""

import hashlib
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt
import Stemmer

from corpora.stopwords import STOP_WORDS

TermIds = npt.NDArray[np.int64]
TermCounts = npt.NDArray[np.uint16]

MAX_TERM_COUNT = np.iinfo(np.uint16).max
CACHE_ENTRIES = 200_000  # ours: about 40 MB of distinct words before the cache starts again

_ISO_CODES = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "nl": "dutch",
    "pt": "portuguese", "da": "danish", "sv": "swedish", "no": "norwegian", "fi": "finnish", "ru": "russian",
    "hu": "hungarian", "ro": "romanian", "tr": "turkish", "ar": "arabic", "el": "greek", "ca": "catalan",
}  # fmt: skip
_ELIDING = frozenset({"french", "italian", "catalan"})

# Words that name the unit a number counts, by the sign for all of their spellings.
_UNIT_WORDS = {
    "§": ("§§", "§", "sections", "section", "sects.", "sect.", "secs.", "sec.", "sec", "ss.", "s.", "s"),
    "art": ("articles", "article", "arts.", "art.", "art"),
    "rule": ("rules", "rule"),
    "reg": ("regulations", "regulation", "regs.", "reg."),
    "para": ("paragraphs", "paragraph", "paras.", "para.", "para", "¶¶", "¶"),
    "clause": ("clauses", "clause"),
    "chapter": ("chapters", "chapter", "chap.", "ch."),
    "schedule": ("schedules", "schedule", "sched."),
    "recital": ("recitals", "recital"),
}
_UNIT_SIGN = {word: sign for sign, words in _UNIT_WORDS.items() for word in words}
_UNIT_STEMS = {"§": "section", "art": "article", "reg": "regulation", "para": "paragraph"}

_PARTS = r"(?:\s?\((?:\d{1,3}|[a-z]|[ivx]{2,5}|aa|bb|cc|dd|ee|ff|gg|hh)\))"
_NUMBER = r"\d+[a-z]{0,2}(?:[.:-]\d+[a-z]{0,2})*"
_UNITS = "|".join(re.escape(word) for word in sorted(_UNIT_SIGN, key=len, reverse=True))
_REFERENCE = re.compile(rf"({_UNITS})\s*({_NUMBER})\b({_PARTS}*)")
_BARE_REFERENCE = re.compile(rf"({_NUMBER})\b({_PARTS}+)")
_GROUPED = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)"
_PLAIN = r"\d+(?:[.:/-]\d+)*"
_MONEY = re.compile(rf"([$£€¥])\s?({_GROUPED}|\d+(?:\.\d+)?)")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)(?:\s?%|\s(?:percent|per\scent)\b)")
_GROUPED_NUMBER = re.compile(_GROUPED)
_PLAIN_NUMBER = re.compile(rf"{_PLAIN}(?!-?[^\W_])")
_DOTTED = re.compile(r"(?:[^\W\d_]\.){2,}(?:[^\W\d_](?![^\W_]))?")
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_TOKEN = re.compile(
    rf"(?:(?<![^\W_])(?:{_UNITS})\s*{_NUMBER}\b{_PARTS}*)|(?:{_MONEY.pattern})|(?:{_PERCENT.pattern})"
    rf"|(?:{_NUMBER}\b{_PARTS}+)|(?:{_GROUPED})|(?:{_PLAIN_NUMBER.pattern})|(?:{_DOTTED.pattern})|(?:{_WORD.pattern})"
)

# One apostrophe, one hyphen; footnote marks and invisible characters do not stick to words.
_SIGNS = str.maketrans(
    dict.fromkeys("‘’ʼ＇`´", "'")
    | dict.fromkeys("‐‑‒–−", "-")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\ufeff", "")
    | dict.fromkeys("¹²³⁰⁴⁵⁶⁷⁸⁹", " ")
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one text: distinct ids in rising order, how often each occurs, and all occurrences."""

    ids: TermIds
    counts: TermCounts
    length: int

    def ids_bytes(self) -> bytes:
        """Return the ids as stored: little-endian int64."""
        return self.ids.astype("<i8").tobytes()

    def counts_bytes(self) -> bytes:
        """Return the counts as stored: little-endian uint16."""
        return self.counts.astype("<u2").tobytes()


@dataclass(slots=True)
class _Analyzer:
    """Turns one matched string of a language into its terms, and remembers it."""

    language: str
    stemmer: Stemmer.Stemmer
    known: dict[str, tuple[str, ...]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def terms(self, matched: str) -> tuple[str, ...]:
        terms = self.known.get(matched)
        if terms is None:
            if len(self.known) >= CACHE_ENTRIES:
                self.known.clear()
            terms = self.known[matched] = tuple(dict.fromkeys(self._analyzed(matched)))
        return terms

    def _analyzed(self, matched: str) -> Iterable[str]:
        if match := _REFERENCE.fullmatch(matched):
            return self._reference(_UNIT_SIGN[match[1]], match[2], match[3])
        if match := _MONEY.fullmatch(matched):
            amount = re.sub(r"\.0+$", "", match[2].replace(",", ""))
            return (match[1] + amount, amount)
        if match := _PERCENT.fullmatch(matched):
            return (match[1] + "%", match[1])
        if match := _BARE_REFERENCE.fullmatch(matched):
            return (match[1] + re.sub(r"\s", "", match[2]), match[1])
        if _GROUPED_NUMBER.fullmatch(matched):
            return (matched.replace(",", ""),)
        if _PLAIN_NUMBER.fullmatch(matched):
            return (matched, *(part for part in re.split(r"[/:-]", matched) if len(part) == 4))
        if _DOTTED.fullmatch(matched):
            return (matched.replace(".", ""),)
        return self._words(matched)

    def _reference(self, sign: str, number: str, parts: str) -> Iterable[str]:
        """Return "§12(3)(a)", "§12(3)", "§12", "12(3)(a)", "12" and the word for "s. 12(3)(a)"."""
        steps = re.findall(r"\([^)]*\)", parts)
        for count in range(len(steps), -1, -1):
            yield sign + number + "".join(steps[:count])
        if steps:
            yield number + "".join(steps)
        yield number
        yield self._stem(_UNIT_STEMS.get(sign, sign))

    def _words(self, matched: str) -> Iterable[str]:
        whole = matched.split("-")
        pieces = [piece for word in whole for piece in self._without_apostrophe(word)]
        if len(whole) > 1:
            yield self._stem("".join(pieces))
        stops = STOP_WORDS.get(self.language, frozenset())
        for piece in pieces:
            if piece not in stops:
                yield self._stem(piece)

    def _without_apostrophe(self, word: str) -> Iterable[str]:
        """Drop a possessive, split an elision ("l'article"), close up the rest ("o'brien")."""
        if self.language in _ELIDING:
            return word.split("'")
        return [word.removesuffix("'s").replace("'", "")]

    def _stem(self, word: str) -> str:
        with self.lock:  # a stemmer keeps its own buffers and is not safe to share between threads
            return str(self.stemmer.stemWord(word))


def tokens(text: str, *, language: str = "english") -> list[str]:
    """Return the terms of a text in order, several for one place where spellings differ.

    Words are lower-cased and stemmed, stop words left out. "§ 20-871" gives "§20-871" and
    "20-871"; "s. 12(3)" and "section 12(3)" both give "§12(3)", "§12", "12(3)" and "12"; "1,500"
    gives "1500"; "2 percent" gives "2%" and "2"; "cross-border" gives the joined word and its
    parts; a possessive is its owner. Questions and passages go through the same function.

    Args:
        text: Any text.
        language: A Snowball language or its ISO code ("english", "de"). Languages without a stop
            list keep every word.

    Raises:
        ValueError: no stemmer for that language.
    """
    analyzer = _analyzer(_language_name(language))
    return [term for match in _TOKEN.finditer(_normalized(text)) for term in analyzer.terms(match[0])]


def term_ids(terms: Sequence[str]) -> TermIds:
    """Return the stable id of each term: its 8-byte BLAKE2b digest read as a little-endian int64.

    No vocabulary table is needed; by the birthday bound, two of 10 million terms share an id with
    a chance of 3 in a million.
    """
    return np.fromiter((_term_id(term) for term in terms), np.int64, len(terms))


def terms_and_counts(text: str, language: str = "english") -> Terms:
    """Return the distinct term ids of a text with their counts, and its length in terms.

    Counts above 65,535 are clipped to it; the length is not.
    """
    terms = tokens(text, language=language)
    tally = Counter(terms)
    ids = term_ids(tuple(tally))
    counts = np.minimum(np.fromiter(tally.values(), np.int64, len(tally)), MAX_TERM_COUNT)
    order = np.argsort(ids)
    return Terms(ids=ids[order], counts=counts[order].astype(np.uint16), length=len(terms))


def term_ids_unpack(packed: bytes) -> TermIds:
    """Return the ids that `Terms.ids_bytes` stored."""
    return np.frombuffer(packed, "<i8").astype(np.int64)


def term_counts_unpack(packed: bytes) -> TermCounts:
    """Return the counts that `Terms.counts_bytes` stored."""
    return np.frombuffer(packed, "<u2").astype(np.uint16)


@lru_cache(CACHE_ENTRIES)
def _term_id(term: str) -> int:
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


@cache
def _analyzer(language: str) -> _Analyzer:
    return _Analyzer(language=language, stemmer=Stemmer.Stemmer(language))


@cache
def _language_name(language: str) -> str:
    name = _ISO_CODES.get(language.lower(), language.lower())
    if name not in Stemmer.algorithms():
        choices = ", ".join(sorted(Stemmer.algorithms()))
        raise ValueError(f"There is no stemmer for the language {language!r}; choose one of: {choices}.")
    return name


def _normalized(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_SIGNS))
    return text.lower()
