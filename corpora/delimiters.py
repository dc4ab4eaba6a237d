"""Delimiters of a corpus: patterns in a safe engine, and which of the usual ones its text uses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import re2

MAX_PATTERN_CHARS = 200
_MAX_PROGRAM_BYTES = 4 * 1024 * 1024  # ours: bytes of a compiled pattern
_EXAMPLE_CHARS = 60


class DelimiterError(ValueError):
    """A pattern that cannot delimit anything; the message is one sentence for people."""


@dataclass(frozen=True)
class Delimiter:
    """A regular expression in RE2's syntax; ^ and $ match the starts and ends of lines."""

    pattern: str

    @cached_property
    def _compiled(self) -> Any:
        options = re2.Options()
        options.log_errors = False
        options.max_mem = _MAX_PROGRAM_BYTES
        return re2.compile(f"(?m:{self.pattern})", options)

    def check(self) -> None:
        """Compile the pattern.

        Raises:
            DelimiterError: it is empty, too long, malformed, or matches empty text.
        """
        if not self.pattern or len(self.pattern) > MAX_PATTERN_CHARS:
            raise DelimiterError(f"The pattern has {len(self.pattern)} characters; write 1 to {MAX_PATTERN_CHARS}.")
        try:
            compiled = self._compiled
        except re2.error as error:
            raise DelimiterError(
                f"The pattern cannot be read ({_words(error)}). Close all brackets; look-ahead and look-behind are "
                f"not supported."
            ) from None
        if compiled.search("") is not None or any(start == end for start, end in self.spans("x\nx")):
            raise DelimiterError(
                "The pattern matches empty text, so it would split everywhere. Include a letter, number or sign that "
                "must occur."
            )

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Matches in order, none overlapping; time is linear in the text."""
        for match in self._compiled.finditer(text):
            yield match.span()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A delimiter that the texts use: in plain words, how often, and the first line it begins."""

    name: str
    pattern: str
    count: int
    n_documents: int
    example: str


# Usual ways of numbering provisions (ours), from the coarsest; the line's own words follow.
KNOWN_DELIMITERS: tuple[tuple[str, str], ...] = (
    (
        "Parts, titles and chapters",
        r"^[ \t]*(?:PART|Part|TITLE|Title|CHAPTER|Chapter|Subchapter) +(?:[0-9]+|[IVXLC]+)\b",
    ),
    ("Articles", r"^[ \t]*(?:ARTICLE|Article|Art\.) +(?:[0-9]+[a-z]?|[IVXLC]+)\b"),
    ("Sections", r"^[ \t]*(?:(?:SECTION|Section|Sec\.) +[0-9]+|§+ ?[0-9]+)"),
    (
        "Clauses and schedules",
        r"^[ \t]*(?:CLAUSE|Clause|SCHEDULE|Schedule|ANNEX|Annex|EXHIBIT|Exhibit) +(?:[0-9]+|[A-Z])\b",
    ),
    ("Numbers such as 4.2 or 4.2.1", r"^[ \t]*[0-9]{1,3}(?:\.[0-9]{1,3})+\.? +[^ \n]"),
    ("Numbers such as 4. or 4)", r"^[ \t]*[0-9]{1,3}[.)] +[^ \n]"),
    ("Numbers in brackets such as (4)", r"^[ \t]*\([0-9]{1,3}\) *[^ \n]"),
    ("Letters such as (a) or a.", r"^[ \t]*(?:\([a-z]{1,2}\)|[a-z][.)]) +[^ \n]"),
    ("Roman numerals such as (iv)", r"^[ \t]*\([ivxl]+\) +[^ \n]"),
    ("A line that begins with a space", r"\n "),
    ("A blank line", r"\n[ \t]*\n"),
)
MIN_COUNT = 3  # ours: occurrences; two may be chance


def delimiter_suggest(texts: Sequence[str]) -> tuple[Suggestion, ...]:
    """Which of the known delimiters the texts use at least MIN_COUNT times, the most frequent numbering first.

    Blank lines and indentation come last, because they separate everything.

    Source: ours.
    """
    suggestions = []
    for name, pattern in KNOWN_DELIMITERS:
        delimiter = Delimiter(pattern)
        counts = [sum(1 for _ in delimiter.spans(text)) for text in texts]
        if sum(counts) < MIN_COUNT:
            continue
        text = next(text for text, count in zip(texts, counts, strict=True) if count)
        n_documents = sum(count > 0 for count in counts)
        suggestions.append(Suggestion(name, pattern, sum(counts), n_documents, _example(delimiter, text)))
    return tuple(sorted(suggestions, key=lambda one: (one.pattern.startswith(r"\n"), -one.count)))


def _example(delimiter: Delimiter, text: str) -> str:
    """The first matched line, shortened."""
    start, _ = next(delimiter.spans(text))
    line = " ".join(text[start : start + 4 * _EXAMPLE_CHARS].strip().split("\n", 1)[0].split())
    return line if len(line) <= _EXAMPLE_CHARS else line[:_EXAMPLE_CHARS].rsplit(" ", 1)[0] + " …"


def _words(error: Exception) -> str:
    """RE2's own words, which it gives as bytes."""
    raw = error.args[0] if error.args else ""
    return (raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)).strip()
