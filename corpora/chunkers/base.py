"""The contract of every chunker, and the sections that no chunk may cross."""

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from corpora.provisions.splitting import trimmed

CountTokens = Callable[[Sequence[str]], list[int]]
Encode = Callable[[Sequence[str]], NDArray[np.float32]]  # texts to unit vectors [n, d]
# A model's reply on each of several groups of texts: a margin or a place, None if the reply is not usable.
Decide = Callable[[Sequence[tuple[str, ...]]], list[float | None]]


@dataclass(frozen=True, slots=True)
class ParagraphText:
    """A paragraph of one document with its own text; start and end are offsets in the document."""

    ordinal: int
    start: int
    end: int
    text: str
    heading_path: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class ParentSpan:
    """A larger piece around chunks: what is opened in their place where several of them are found.

    It is a half-open span of the document, with the ordinals of the paragraphs it touches.
    """

    start: int
    end: int
    first_paragraph: int
    last_paragraph: int
    heading_path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChunkSpan(ParentSpan):
    """A chunk; `parents` are the larger pieces it is in, smallest first, each larger than the previous one."""

    parents: tuple[ParentSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a section that is never cut, with its size in the chunker's own measure."""

    start: int
    end: int
    size: int


Sections = Sequence[Sequence[ParagraphText]]
Cut = tuple[Sequence[Unit], Sequence[tuple[int, int]]]  # the units of a section, the ranges of them that are chunks


def nothing_decided(groups: Sequence[tuple[str, ...]]) -> list[float | None]:
    """For chunkers that ask no model: no group is decided."""
    return [None] * len(groups)


class Chunker(Protocol):
    """Cuts the paragraphs of one document into chunks.

    Every chunker keeps the contract of `tests/contracts/test_chunkers.py`: chunks cover all text
    that is not blank, stay inside one section, move forward, and depend on nothing but their
    section, its settings and the token counts.
    """

    def chunk(
        self, paragraphs: Sequence[ParagraphText], *, count_tokens: CountTokens, encode: Encode
    ) -> tuple[ChunkSpan, ...]:
        """Return the chunks in reading order.

        Args:
            paragraphs: Paragraphs of one document in order, each starting where the last one ended.
            count_tokens: Counts the encoder's tokens in each of many texts at once.
            encode: Gives each of many texts its unit vector; what the encoder cannot read at once is left out.

        Returns:
            Half-open spans in characters of the document, in reading order, of at most the size that is set, but for a
            longer sentence alone. None is blank; without text there is none.

        Raises:
            ValueError: as `sections`.
        """
        ...


class SectionChunker(Chunker):
    """A chunker that cuts each section by itself."""

    def chunk(
        self, paragraphs: Sequence[ParagraphText], *, count_tokens: CountTokens, encode: Encode
    ) -> tuple[ChunkSpan, ...]:
        """As `Chunker.chunk`; the blanks around a chunk are left out."""
        groups = sections(paragraphs)
        cuts = zip(groups, self.cut(groups, count_tokens, encode), strict=True)
        return tuple(chunk for group, (units, ranges) in cuts for chunk in range_spans(group, units, ranges))

    @abstractmethod
    def cut(self, groups: Sections, count_tokens: CountTokens, encode: Encode) -> Iterator[Cut]:
        """The units of each section in order, with the half-open ranges of them that are chunks."""


def sections(paragraphs: Sequence[ParagraphText]) -> tuple[tuple[ParagraphText, ...], ...]:
    """Group paragraphs into the runs that chunks may not leave.

    A section starts at a heading, where the heading path changes, and at each passage (a passage
    is always alone). A heading without text of its own joins the section below it, unless that
    is a passage.

    Raises:
        ValueError: a paragraph's text is not as long as its span, or the paragraphs do not touch.
    """
    groups: list[list[ParagraphText]] = []
    only_headings = False
    for previous, paragraph in zip([None, *paragraphs], paragraphs, strict=False):
        _check(previous, paragraph)
        if previous is None or _starts_section(previous, paragraph, only_headings=only_headings):
            groups.append([])
            only_headings = True
        groups[-1].append(paragraph)
        only_headings = only_headings and paragraph.kind == "heading"
    return tuple(tuple(group) for group in groups)


def section_path(section: Sequence[ParagraphText]) -> tuple[str, ...]:
    """Return the heading path of a section's text; of its last heading where it has no text."""
    body = next((paragraph for paragraph in section if paragraph.kind != "heading"), section[-1])
    return body.heading_path


def pack(units: Sequence[Unit], *, size: int, overlap: int) -> tuple[tuple[int, int], ...]:
    """Fill windows with whole units, each window repeating the tail of the previous one.

    A window takes units while their sizes add up to at most `size`, and at least one. The next
    starts at the earliest unit whose repetition adds up to at most `overlap` and leaves room for
    the first unit not yet taken, so every window brings a new unit.

    Args:
        units: Pieces of one section in order.
        size: Largest sum of unit sizes in a window; a larger unit is a window of its own.
        overlap: Largest sum of repeated unit sizes, < size.

    Returns:
        Half-open ranges of unit indexes.

    Source: ours, after HyPA-RAG section 6 ("splits text at sentence boundaries, adhering to
        token limits and overlap constraints").
    """
    windows: list[tuple[int, int]] = []
    start = 0
    while start < len(units):
        end = start + 1
        total = units[start].size
        while end < len(units) and total + units[end].size <= size:
            total += units[end].size
            end += 1
        windows.append((start, end))
        if end == len(units):
            break
        start = _overlap_start(units, start, end, room=min(overlap, size - units[end].size))
    return tuple(windows)


def range_spans(
    section: Sequence[ParagraphText], units: Sequence[Unit], ranges: Sequence[tuple[int, int]]
) -> tuple[ChunkSpan, ...]:
    """Turn half-open ranges of units into chunks without the blanks around them; blank chunks are left out."""
    text = section_text(section)
    offset = section[0].start
    path = section_path(section)
    starts = [paragraph.start for paragraph in section]
    chunks: list[ChunkSpan] = []
    for first, after in ranges:
        first_sign, after_last = trimmed(text, units[first].start - offset, units[after - 1].end - offset)
        if first_sign == after_last:
            continue
        start, end = first_sign + offset, after_last + offset
        first_inside, last_inside = bisect_right(starts, start) - 1, bisect_left(starts, end) - 1
        ordinals = section[first_inside].ordinal, section[last_inside].ordinal
        chunks.append(ChunkSpan(start, end, *ordinals, heading_path=path))
    return tuple(chunks)


def section_text(section: Sequence[ParagraphText]) -> str:
    """Return the section's own slice of the document."""
    return "".join(paragraph.text for paragraph in section)


def _starts_section(previous: ParagraphText, paragraph: ParagraphText, *, only_headings: bool) -> bool:
    if "passage" in (previous.kind, paragraph.kind):
        return True
    if only_headings:
        return False
    return paragraph.kind == "heading" or paragraph.heading_path != previous.heading_path


def _check(previous: ParagraphText | None, paragraph: ParagraphText) -> None:
    if paragraph.end - paragraph.start != len(paragraph.text):
        raise ValueError(
            f"Paragraph {paragraph.ordinal} spans {paragraph.end - paragraph.start} characters and its text "
            f"has {len(paragraph.text)}; pass the slice that its span names."
        )
    if previous is not None and previous.end != paragraph.start:
        raise ValueError(
            f"Paragraph {paragraph.ordinal} starts at {paragraph.start} and the previous one ends at "
            f"{previous.end}; paragraphs tile the document, so pass all of them in order."
        )


def _overlap_start(units: Sequence[Unit], start: int, end: int, *, room: int) -> int:
    """Return where the window after units[start:end] starts: after `start`, at most at `end`."""
    position = end
    while position - 1 > start and units[position - 1].size <= room:
        position -= 1
        room -= units[position].size
    return position
