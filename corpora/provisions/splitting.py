"""Paragraphs into sentences and list items, with their places; a sentence that a page cut is one of two parts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from corpora.parsers.numbering import bullet_match
from corpora.provisions.nesting import marks_of
from corpora.provisions.types import Part
from legalqa.common.sentences import sentence_spans

_MARKER = re.compile(r"(?<=[\s—–])(?P<label>\((?:[a-zA-Z]{1,4}|\d{1,2})\)|(?:\d{1,2}|[a-z])\))\s+(?=\S)")
_REFERS_BEFORE = re.compile(
    r"(?:\b(?:sections?|subsections?|paragraphs?|subparagraphs?|sub-paragraphs?|clauses?|articles?|rules?|points?|items?"
    r"|subdivisions?|parts?|annex|schedules?|exhibits?|regulations?|see|under)|§|\([a-z0-9]{1,4}\),?(?:\s(?:and|or|to))?)"
    r"\s+$",
    re.IGNORECASE,
)
_REFERS_AFTER = re.compile(r"(?:of|and|or|to|through|above|below|hereof|thereof)\b|[,;)\]]")
_VERB = re.compile(r"\b(?:shall|must|may|will|is|are|was|has|have|can|means|includes?|should|does|do|applies)\b")
_OPEN_END = re.compile(
    r"(?:\b(?:in|of|to|with|by|under|and|or|the|an?|for|from|on|at|as|that|which|pursuant|accordance|Articles?|"
    r"Sections?|paragraphs?|points?|Annex)|,)$"
)
_FINISHED = re.compile(r"(?:[.;:!?…]|[;,]\s*(?:and|or))[\"'”’»)\]]*$")
_OPENS_LIST = re.compile(r"(?:[:—–]|\bas follows|\bthe following)[\"'”’)\]]*$")
_RUN_IN = re.compile(r"[A-Z][^.;:]{2,70}\.\s+(?=[A-Z])")
_CUT_AT_SEMICOLON = re.compile(r";(?:\s+(?:and|or))?\s*\Z")
_LAST_NUMBER = re.compile(r"[.:;]\s+(?P<number>\d{1,2}\.)\s*\Z")
_DASHES = ("> ", "– ", "— ", "- ")
_MAX_TITLE = 80
_TAIL = 30  # characters at the end of a text that show whether it opens a list


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of one paragraph; `role` says what it opens in the sentence or list."""

    place: int
    start: int
    end: int
    label: str = ""
    is_item: bool = False
    is_stem: bool = False


def label_inner(part: Part) -> str:
    """The number at the head of a paragraph that numbers it in its article; "" for "Article 5" and bullets."""
    if part.kind in {"heading", "table", "passage"} or (part.label and not marks_of(part.label)):
        return ""
    return part.label


def is_bullet(part: Part) -> bool:
    text = part.text.lstrip()
    return not part.label and ((part.kind == "list" and bool(bullet_match(text))) or text.startswith(_DASHES))


def without_title(text: str) -> str:
    """A sentence without the heading that runs into it ("Test Data. Notwithstanding …")."""
    match = _RUN_IN.match(text)
    return text[match.end() :] if match and not _VERB.search(match[0]) else text


def opens_list(text: str) -> bool:
    """Whether a paragraph ends in the stem of a list."""
    return _OPENS_LIST.search(text.rstrip()[-_TAIL:]) is not None


def continues(before: Part, after: Part) -> bool:
    """Whether `after` continues the sentence in which `before` breaks off."""
    end, rest = before.text.rstrip()[-_TAIL:], after.text.lstrip()
    if {before.kind, after.kind} - {"text", "list"} or not rest or _FINISHED.search(end):
        return False
    if (after.label and marks_of(after.label)) or is_bullet(after):
        return False
    if rest[0].islower():
        return True
    return (before.page != after.page or bool(after.label)) and _OPEN_END.search(end) is not None


def sentences(parts: Sequence[Part], places: Sequence[int]) -> list[tuple[Segment, ...]]:
    """Sentences of a paragraph and of those that continue it; several segments where a page cuts a sentence.

    Rule: sentences of `legalqa.common.sentences`; a heading that runs into the text ("b. Notices required. In the
    city …") belongs to the sentence after it; a list inside the paragraph is cut into stem and items.
    """
    text, offsets = "", []
    for place in places:
        trimmed = parts[place].text.rstrip()
        offsets.append((place, len(text) - (len(trimmed) - len(trimmed.lstrip()))))
        text += trimmed.lstrip() + " "
    if len(places) == 1:
        return [(_moved(segment, offsets[0][1]),) for segment in _paragraph(places[0], text)]
    return [tuple(_segments(parts, text, offsets, start, end)) for start, end in _merged(text)]


def _moved(segment: Segment, by: int) -> Segment:
    return Segment(segment.place, segment.start - by, segment.end - by, segment.label, segment.is_item, segment.is_stem)


def _segments(
    parts: Sequence[Part], text: str, offsets: list[tuple[int, int]], start: int, end: int
) -> Iterator[Segment]:
    ends = [offset for _, offset in offsets[1:]] + [len(text)]
    for (place, offset), limit in zip(offsets, ends, strict=True):
        lead = len(parts[place].text) - len(parts[place].text.lstrip())
        first, last = max(start, offset + lead), min(end, limit)
        if first >= last:
            continue
        inner = trimmed(text, first, last)
        if inner[0] < inner[1]:
            yield Segment(place, inner[0] - offset, inner[1] - offset)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without the blanks at both ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


@lru_cache(maxsize=8_192)  # as `may_limit`
def _merged(text: str) -> tuple[tuple[int, int], ...]:
    """Sentences; run-in headings, and halves that were cut at a semicolon, belong to what follows or precedes.

    A number that ends a sentence opens the next one ("… agree as follows: 1. Grant of rights.").
    """
    spans: list[tuple[int, int]] = []
    pending_start: int | None = None
    for start, end in sentence_spans(text):
        begin = start if pending_start is None else pending_start
        pending_start = None
        if spans and _CUT_AT_SEMICOLON.search(text, spans[-1][0], spans[-1][1]):
            begin, _ = spans.pop()
        number = _LAST_NUMBER.search(text, begin, end)
        if number is not None and end < len(text):
            pending_start = number.start("number")
            if text[begin:pending_start].strip():
                spans.append((begin, pending_start))
        elif is_run_in(text[begin:end]):
            pending_start = begin
        else:
            spans.append((begin, end))
    if pending_start is not None:
        spans.append((pending_start, len(text)))
    return tuple(spans)


def is_run_in(text: str) -> bool:
    """Whether a sentence is the heading of the one after it ("b. Notices required.")."""
    words = text.strip()
    return len(words) <= _MAX_TITLE and words.endswith(".") and not _VERB.search(words) and words.count(",") < 3


def _paragraph(place: int, text: str) -> Iterator[Segment]:
    firsts = dict(inline_markers(text))
    for begin, finish in _merged(text):
        cuts = [begin, *(start for start in firsts if begin < start < finish), finish]
        if len(cuts) > 2 and begin not in firsts and is_run_in(text[begin : cuts[1]]):
            firsts[begin] = firsts.pop(cuts[1])  # "8. Protection of copyright. (a) Producer shall …"
            del cuts[1]
        for start, end in pairwise(cuts):
            first, last = trimmed(text, start, end)
            if first < last:
                is_stem = start not in firsts and end in firsts and end < finish
                yield Segment(place, first, last, firsts.get(start, ""), start in firsts, is_stem)


def inline_markers(text: str) -> list[tuple[int, str]]:
    """Places and labels of the items of a list inside one paragraph; empty where there is none.

    Rule: two labels or more that count from 1, a or i; "paragraphs (1), (2) and (3) of this section" are references.
    """
    candidates = [
        (match.start(), match["label"])
        for match in _MARKER.finditer(text)
        if not _REFERS_BEFORE.search(text, max(0, match.start() - 24), match.start())
        and not _REFERS_AFTER.match(text, match.end())
    ]
    for place, (start, label) in enumerate(candidates):
        for mark in marks_of(label):
            if mark.value != 1:
                continue
            series = [(start, label)]
            for later, other in candidates[place + 1 :]:
                if any(m.style == mark.style and m.value == len(series) + 1 for m in marks_of(other)):
                    series.append((later, other))
            if len(series) > 1:
                return series
    return []


def table_rows(text: str) -> list[tuple[int, int]]:
    """Heads of the columns, then each row: the heads end before the first row with a number in a cell."""
    lines = [match.span() for match in re.finditer(r"[^\n]+", text)]
    first = next((i for i, (s, e) in enumerate(lines) if i and re.search(r"\t\s*[$€£]?\d", text[s:e])), 1)
    first = min(first, max(1, len(lines) - 1), 4)
    return [(lines[0][0], lines[first - 1][1]), *lines[first:]] if lines else []
