"""The short forms that a corpus introduces, with their long forms."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]

MAX_TERM_CHARS = 80
_OPEN, _CLOSE = "[\"“‘']", "[\"”’']"
_SHORT = r"[A-Z][A-Za-z]{0,2}[A-Z]{1,6}s?"
_BRACKETED = re.compile(rf"\(\s*(?:the\s+|each,?\s+an?\s+|an?\s+)?{_OPEN}?({_SHORT}){_CLOSE}?\s*\)")
_EITHER = re.compile(rf"[\"“]([^\"“”]{{4,{MAX_TERM_CHARS}}})[\"”],?\s+or\s+(?:the\s+)?[\"“]({_SHORT})[\"”]")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SMALL = frozenset(["of", "and", "the", "for", "in", "on", "to", "a", "an", "or", "with", "by"])

# A prefilter for PostgreSQL: chunks in which one of the patterns above may match.
MAY_HOLD = '["“][^"“”]+["”],?\\s+or|\\([^()]{0,12}[A-Z][A-Za-z]{0,2}[A-Z]{1,6}s?["”’\']?\\s*\\)'


class GlossaryRow(NamedTuple):
    """A chunk's id and text."""

    chunk_id: int
    text: str


FetchRows = Callable[[Ids], Sequence[GlossaryRow]]
Entry = tuple[str, str]


@dataclass(frozen=True)
class Glossary:
    """Short forms by the chunk that says them; chunks that say none are not kept.

    Attributes:
        seen: Ids of all chunks read.
        aliases: By chunk: (short form, long form).
    """

    seen: Ids
    aliases: dict[int, tuple[Entry, ...]]

    @classmethod
    def build(cls, rows: Sequence[GlossaryRow]) -> Self:
        aliases = {row.chunk_id: names for row in rows if (names := aliases_of(row.text))}
        return cls(np.array(sorted(row.chunk_id for row in rows), np.int64), aliases)

    @property
    def nbytes(self) -> int:
        return self.seen.nbytes + 200 * len(self.aliases)  # about that a row

    def refreshed(self, current_ids: Ids, fetch: FetchRows) -> Self:
        """The glossary of the chunks that exist now; only those not read yet are fetched."""
        current = np.unique(np.asarray(current_ids, np.int64))
        missing = np.setdiff1d(current, self.seen, assume_unique=True)
        gone = np.setdiff1d(self.seen, current, assume_unique=True)
        if not len(missing) and not len(gone):
            return self
        new, out = self.build(fetch(missing) if len(missing) else ()), set(gone.tolist())
        aliases = {key: value for key, value in self.aliases.items() if key not in out}
        return type(self)(current, aliases | new.aliases)

    def within(self, chunk_ids: Ids) -> Self:
        """The glossary of these chunks alone."""
        ids = set(chunk_ids.tolist())
        return replace(self, aliases={key: names for key, names in self.aliases.items() if key in ids})

    def expansions(self, text: str) -> list[tuple[str, str]]:
        """(as said in the text, as the corpus also says it) for every short or long form that the text holds."""
        forms: dict[str, str] = {}
        for short, long in dict.fromkeys(entry for entries in self.aliases.values() for entry in entries):
            if match := _said(short, text, any_case=False):
                forms.setdefault(match, long)
            elif match := _said(long, text, any_case=True):
                forms.setdefault(match, short)
        return list(forms.items())


def aliases_of(text: str) -> tuple[Entry, ...]:
    """(short form, long form) as a text introduces them: 'long form (“SF”)' and '“long form” or “SF”'."""
    quoted = [(m[2], " ".join(m[1].split())) for m in _EITHER.finditer(text)]
    spelt = ((m[1], _spelt_out(m[1], text[max(0, m.start() - 160) : m.start()])) for m in _BRACKETED.finditer(text))
    return tuple(dict.fromkeys([*quoted, *(entry for entry in spelt if entry[1])]))


def _spelt_out(short: str, before: str) -> str:
    """The words before a bracket whose initials spell the short form; "" where they do not."""
    initials = [letter.lower() for letter in short.removesuffix("s") if letter.isupper()]
    parts = [(m.start(), m.end(), m[0]) for m in _WORD.finditer(before.replace("\n", " "))]
    at = len(parts) - 1
    for place, letter in enumerate(reversed(initials)):
        while at >= 0 and place and parts[at][2].lower() in _SMALL and not parts[at][2].lower().startswith(letter):
            at -= 1
        if at < 0 or parts[at][2][:1].lower() != letter:
            return ""
        at -= 1
    start = parts[at + 1][0]
    return " ".join(before[start : parts[-1][1]].split()).strip("\"“”'‘’ ")


def _said(term: str, text: str, *, any_case: bool) -> str:
    """The term as the text says it, with or without a plural s; "" where it does not."""
    words = r"\s+".join(re.escape(word) for word in term.removesuffix("s").split())
    match = re.search(rf"(?<![\w-]){words}s?(?![\w-])", text, re.IGNORECASE if any_case else 0)
    return match[0] if match else ""
