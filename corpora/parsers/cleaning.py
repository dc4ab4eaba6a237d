"""Clean text with an exact map back to the raw characters, so that boxes and offsets survive."""

import itertools
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.parsers.vocabulary import EMPTY_VOCABULARY, Vocabulary

Origins = NDArray[np.int32]

INSERTED = -1
"""Origin of a character that is in no raw text, such as the blank between two lines."""

_JOINERS = "\u200c\u200d"
_NEWLINES = "\n\x0b\x0c\x85\u2028\u2029"
# Everything that is not printed: controls, bidirectional controls, zero width, tags, variation selectors,
# noncharacters.
_INVISIBLE = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe\U0003ffff\U000e0000-\U000e0fff\U000efffe-\U000effff"
    "\U000ffffe\U000fffff\U0010fffe\U0010ffff"
)
_BLANKS = " \t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
# Bullets of the Symbol and Wingdings fonts, which PDF files give as private-use characters.
_SYMBOLS = {"\uf0b7": "•", "\uf0a7": "▪", "\uf0a8": "◻", "\uf0d8": "➢", "\uf0fc": "✓", "\uf0fe": "☑", "\uf06f": "○"}

_SPECIAL = re.compile(f"[{_INVISIBLE}{_JOINERS}\\r\x0b\x0c\x85\u2028\u2029\ud800-\udfff{''.join(_SYMBOLS)}]")
_INVISIBLE_RE = re.compile(f"[{_INVISIBLE}]")
_JOINING_SCRIPT = re.compile(
    "[\u0600-\u07ff\u0840-\u08ff\u0900-\u0dff\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u1800-\u18af\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefe]"
)
_BLANK_RUN = re.compile(f"[{_BLANKS}]+")
# Runs of blanks are one blank by then: a pattern that starts with "any blanks" would try each of a long run.
_LINE_END = re.compile(" ?\n[ \n]*")
_STRIPPED = " \n\t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_HYPHENS = "-\u2010"
_LINE_END_OR_HYPHEN = re.compile(f"[{_HYPHENS}]?{_LINE_END.pattern}")
_SOFT_HYPHEN_AT_END = re.compile("\u00ad[ \t]*\r?\n")
_WORD_LENGTH = 80  # characters looked at on both sides of a line end; no word to be joined is longer


@dataclass(frozen=True, slots=True, eq=False)
class Cleaned:
    """Text and, for each of its characters, the index of the raw character it came from (INSERTED if none)."""

    text: str
    origins: Origins

    def slice(self, start: int, end: int) -> "Cleaned":
        """Return the part [start, end) with its origins."""
        return Cleaned(self.text[start:end], self.origins[start:end])


def clean_characters(raw: str) -> Cleaned:
    """Make every character printable and storable; keep line ends.

    Drops NUL, controls and invisible characters, turns lone surrogates into U+FFFD, writes every line end as a newline,
    and normalises to NFC (never NFKC: "½" and legal signs stay). ZWJ and ZWNJ stay between letters of scripts that need
    them.

    Args:
        raw: Any string, also one with lone surrogates.

    Returns:
        The text with its map; applying the function to that text changes nothing.
    """
    if _SPECIAL.search(raw):
        text, origins = _replace_special(raw)
    else:
        text, origins = raw, np.arange(len(raw), dtype=np.int32)
    if unicodedata.is_normalized("NFC", text):
        return Cleaned(text, origins)
    return _compose(text, origins)


def _replace_special(raw: str) -> tuple[str, Origins]:
    characters: list[str] = []
    origins: list[int] = []
    length = len(raw)
    for index, character in enumerate(raw):
        out = character
        if "\ud800" <= character <= "\udfff":
            out = _surrogate(raw, index)
        elif character == "\r":
            out = "" if index + 1 < length and raw[index + 1] == "\n" else "\n"
        elif character in _NEWLINES:
            out = "\n"
        elif character in _JOINERS:
            out = character if _joiner_needed(characters, raw, index) else ""
        elif character in _SYMBOLS:
            out = _SYMBOLS[character]
        elif _SOFT_HYPHEN_AT_END.match(raw, index):
            out = "-"
        elif _INVISIBLE_RE.match(character):
            out = ""
        if out:
            characters.append(out)
            origins.append(index)
    return "".join(characters), np.array(origins, dtype=np.int32)


def _surrogate(raw: str, index: int) -> str:
    """Join a pair into its character (given at the first half); a lone half becomes U+FFFD."""
    half = raw[index]
    if half <= "\udbff" and index + 1 < len(raw) and "\udc00" <= raw[index + 1] <= "\udfff":
        joined = (half + raw[index + 1]).encode("utf-16", "surrogatepass").decode("utf-16")
        return "" if _INVISIBLE_RE.match(joined) else joined
    paired = half >= "\udc00" and index > 0 and "\ud800" <= raw[index - 1] <= "\udbff"
    return "" if paired else "\N{REPLACEMENT CHARACTER}"


def _joiner_needed(before: list[str], raw: str, index: int) -> bool:
    if not before or not _JOINING_SCRIPT.match(before[-1]):
        return False
    for following in raw[index + 1 :]:
        if following in _JOINERS or _INVISIBLE_RE.match(following):
            continue
        return bool(_JOINING_SCRIPT.match(following))
    return False


def _compose(text: str, origins: Origins) -> Cleaned:
    """Normalise to NFC run by run; each new character takes the origin at its place in the run it came from."""
    nfc = unicodedata.normalize("NFC", text)
    parts: list[str] = []
    sources: list[Origins] = []
    for start, end in _runs(text):
        run = text[start:end]
        composed = unicodedata.normalize("NFC", run)
        parts.append(composed)
        places = np.minimum(np.arange(len(composed)), end - start - 1) + start
        sources.append(origins[places])
    joined = "".join(parts)
    if joined != nfc:
        places = np.minimum(np.arange(len(nfc)), len(text) - 1)
        return Cleaned(nfc, origins[places])
    return Cleaned(joined, np.concatenate(sources))


def _runs(text: str) -> list[tuple[int, int]]:
    """Cut text where normalisation cannot reach across: before ASCII, and before starters that do not compose."""
    cuts = [0]
    for index in range(1, len(text)):
        character = text[index]
        if character < "\x80":
            cuts.append(index)
        elif not unicodedata.combining(character):
            pair = text[index - 1] + character
            apart = unicodedata.normalize("NFC", text[index - 1]) + unicodedata.normalize("NFC", character)
            is_hangul_tail = "\u1160" <= character <= "\u11ff"
            if unicodedata.normalize("NFC", pair) == apart and not is_hangul_tail:
                cuts.append(index)
    cuts.append(len(text))
    return list(itertools.pairwise(cuts))


def clean_paragraph(raw: str, vocabulary: Vocabulary = EMPTY_VOCABULARY) -> Cleaned:
    """Clean the text of one paragraph and set it as one line.

    Rule: a line end becomes a blank; a hyphen at a line end goes when the next line goes on in lower case and the
    joined word is likely (`Vocabulary.drops_hyphen`), and stays without a blank before a digit or a capital ("5-" +
    "249"). Runs of blanks become one; ends are trimmed.

    Args:
        raw: The lines as read, with their line ends.
        vocabulary: Words of the whole document.

    Returns:
        Text without line ends, and its map; applying the function to that text changes nothing.
    """
    return _collapse(_join_lines(_one_blank(clean_characters(raw)), vocabulary))


def clean_block(raw: str) -> Cleaned:
    """Clean text whose line ends carry meaning (tables, verse, code): blanks collapse inside lines only.

    Args:
        raw: The lines as read.

    Returns:
        Text without blank lines, and its map.
    """
    cleaned = _one_blank(clean_characters(raw))
    return _collapse(_splice(cleaned, _LINE_END, lambda _match: "\n"))


def clean_slice(raw: str, start: int, end: int) -> Cleaned:
    """Clean raw[start:end] as one line, with origins in `raw`."""
    cleaned = clean_paragraph(raw[start:end])
    return Cleaned(cleaned.text, cleaned.origins + np.int32(start))


def join_cleaned(parts: list[Cleaned], separator: str) -> Cleaned:
    """Join clean parts; the separator is in no raw text."""
    between = np.full(len(separator), INSERTED, dtype=np.int32)
    origins: list[Origins] = []
    for part in parts:
        origins += (between, part.origins) if origins else (part.origins,)
    return Cleaned(separator.join(part.text for part in parts), np.concatenate(origins) if origins else between[:0])


def unmapped(text: str) -> Cleaned:
    """Wrap clean text that comes from no raw text: formats without pages and boxes."""
    return Cleaned(text, np.full(len(text), INSERTED, dtype=np.int32))


def _join_lines(cleaned: Cleaned, vocabulary: Vocabulary) -> Cleaned:
    def filler(match: re.Match[str]) -> str:
        text = match.string
        if text[match.start()] not in _HYPHENS:
            return " "
        before, after = (text[max(0, match.start() - _WORD_LENGTH) : match.start()], text[match.end() :][:_WORD_LENGTH])
        if not (before[-1:].isalnum() and after[:1].isalnum()):
            return match.group()[0] + " "
        return "" if vocabulary.drops_hyphen(before, after) else match.group()[0]

    return _splice(cleaned, _LINE_END_OR_HYPHEN, filler) if "\n" in cleaned.text else cleaned


def _collapse(cleaned: Cleaned) -> Cleaned:
    text = cleaned.text
    start, end = len(text) - len(text.lstrip(_STRIPPED)), len(text.rstrip(_STRIPPED))
    cleaned = cleaned.slice(start, max(start, end))
    return _one_blank(cleaned)


def _one_blank(cleaned: Cleaned) -> Cleaned:
    return _splice(cleaned, _BLANK_RUN, lambda _match: " ")


def _splice(cleaned: Cleaned, pattern: re.Pattern[str], filler: Callable[[re.Match[str]], str]) -> Cleaned:
    """Put `filler(match)` for each match; its characters take the origins of the match's first characters."""
    parts: list[str] = []
    sources: list[Origins] = []
    last = 0
    for match in pattern.finditer(cleaned.text):
        text = filler(match)
        if text == match.group():
            continue
        parts += (cleaned.text[last : match.start()], text)
        sources += (cleaned.origins[last : match.start()], cleaned.origins[match.start() : match.start() + len(text)])
        last = match.end()
    if not last:
        return cleaned
    parts.append(cleaned.text[last:])
    sources.append(cleaned.origins[last:])
    return Cleaned("".join(parts), np.concatenate(sources))
