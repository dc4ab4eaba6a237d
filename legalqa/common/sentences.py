"""Sentence boundaries of legal English, as character spans that tile the text."""

import re
from itertools import pairwise

from legalqa.common.abbreviations import ALWAYS_OPEN, BEFORE_NUMBERS, MAY_CLOSE, SENTENCE_OPENERS, STATES

LONG_SENTENCE_CHARS = 1500  # ours: past this a semicolon list is read item by item

# A terminator with its closing quotes and brackets, then a blank; CJK terminators need no blank.
_STOP = re.compile(r"[.!?]+[\"'”’»)\]]*(?=\s)|[。！？]+[”’」』）]*")
_BLANK_LINE = re.compile(r"\n[^\S\n]*(?:\n\s*|\f\s*)|\f\s*")
_NEW_LINE = re.compile(r"\n[^\S\n]*(?=\S)")
_LIST_MARKER = re.compile(
    r"(?:\((?:[0-9]{1,3}|[A-Za-z]|[ivxIVX]{2,6}|([a-zA-Z])\1)\)"
    r"|[0-9]{1,3}[.)](?=\s)|[A-Za-z][.)](?=\s)|[ivxIVX]{2,6}[.)](?=\s)"
    r"|[•▪◦‣·●○\uf0a7\uf0b7*–—-](?=\s)|§+\s*[0-9]|(?:Section|Article|SECTION|ARTICLE)\s+[0-9IVX]+)"
)
# A line that ends like this is a wrapped reference, not the end of an item.
_REFERS = re.compile(
    r"(?:(?<![;:,]\s)\b(?:sections?|subsections?|paragraphs?|subparagraphs?|sub-paragraphs?|clauses?|articles?|rules?|"
    r"regulations?|parts?|chapters?|items?|points?|under|and|or|to|of|in|by|with|the|see|per|than|at)|§|\w[-–])\s*$",
    re.IGNORECASE,
)
_WORD_BEFORE = re.compile(r"[^\s(\[\"'“‘]+$")
_WORD = re.compile(r"[^\W\d_]+")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_LINE_NUMBER = re.compile(
    r"[^\S\n]*(?:(?:§+|Section|Sec\.?|Article|Art\.?|Rule|Chapter|Part|SECTION|ARTICLE|CHAPTER|PART)\s*)?"
    r"(?:\(?[0-9]+[A-Za-z]?(?:[-.:][0-9A-Za-z]+)*\)?|\(?[A-Za-z]\)?|\(?[ivxlcIVXLC]+\)?)(?:\([0-9A-Za-z]{1,5}\))*"
)
_SEMICOLON = re.compile(r";(?:\s+(?:and|or))?\s+")


def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Split a text into sentences that tile it.

    A sentence ends at a full stop, question or exclamation mark that is not part of an
    abbreviation, initial, decimal, citation or heading number; at a blank line; and before a
    list item on a new line. A semicolon list stays together up to `LONG_SENTENCE_CHARS`.
    The blanks after a sentence belong to it.

    Args:
        text: Any text, with or without line breaks.

    Returns:
        Half-open character spans: the first starts at 0, each ends where the next starts, the
        last ends at the text's end. Empty for an empty text.

    Source: ours.
    """
    cuts = sorted(_stop_cuts(text) | _line_cuts(text))
    bounds = [0, *(cut for cut in cuts if 0 < cut < len(text)), len(text)]
    spans: list[tuple[int, int]] = []
    for start, end in pairwise(bounds):
        if end > start:
            spans.extend(_short_enough(text, start, end))
    return _without_blank_sentences(text, spans)


def _stop_cuts(text: str) -> set[int]:
    cuts: set[int] = set()
    for match in _STOP.finditer(text):
        after = _skip_blanks(text, match.end())
        if text[match.start()] in "。！？" or _ends_sentence(text, match, after):
            cuts.add(after)
    return cuts


def _ends_sentence(text: str, match: re.Match[str], after: int) -> bool:
    """Say whether the terminator closes a sentence, given what comes before and after it."""
    following = text[after : after + 1]
    if not following:
        return False
    starts_like_sentence = following.isupper() or following.isdigit() or following in "\"'“‘«([§•-–—*"
    if following.islower() or not (starts_like_sentence or following.isalpha()):
        return False
    if match[0][0] != ".":
        return True
    if len(match[0]) > 1 and match[0][1] == ".":  # an ellipsis ends a sentence only before a capital
        return following.isupper()
    return not _stop_belongs_to_word(text, match.start(), after)


def _stop_belongs_to_word(text: str, stop: int, after: int) -> bool:
    """Say whether the full stop at `stop` is part of the word or number before it."""
    line_start = text.rfind("\n", 0, stop) + 1
    if _LINE_NUMBER.fullmatch(text, line_start, stop):
        return True  # "§ 20-871.", "1." or "(a)." at the head of a line numbers what follows
    match = _WORD_BEFORE.search(text, max(line_start, stop - 40), stop)
    word = match[0] if match else ""
    lower = word.lower()
    if lower in BEFORE_NUMBERS:
        return text[after].isdigit() or text[after] in "§("
    is_letter = len(word) == 1 and word.isalpha()
    if lower in ALWAYS_OPEN or (is_letter and word.islower()):
        return True
    may_close = lower in MAY_CLOSE or word in STATES or is_letter
    if not may_close and not _DOTTED.fullmatch(word):
        return False
    opener = _WORD.match(text, after)
    return opener is None or opener[0] not in SENTENCE_OPENERS


def _line_cuts(text: str) -> set[int]:
    """Return the cuts that line breaks make: after blank lines and before list items."""
    cuts = {match.end() for match in _BLANK_LINE.finditer(text)}
    for match in _NEW_LINE.finditer(text):
        if _LIST_MARKER.match(text, match.end()) and not _REFERS.search(
            text, max(0, match.start() - 20), match.start()
        ):
            cuts.add(match.end())
    return cuts


def _short_enough(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split a very long sentence at its semicolons, else leave it whole."""
    if end - start <= LONG_SENTENCE_CHARS:
        return [(start, end)]
    bounds = [start, *(m.end() for m in _SEMICOLON.finditer(text, start, end) if m.end() < end), end]
    return list(pairwise(bounds))


def _without_blank_sentences(text: str, spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Give blanks at the head of the text to the first sentence."""
    if len(spans) > 1 and text[: spans[0][1]].isspace():
        spans = [(0, spans[1][1]), *spans[2:]]
    return tuple(spans)


def _skip_blanks(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position
