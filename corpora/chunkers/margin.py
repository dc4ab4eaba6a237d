"""Chunks that end where a language model would rather split two neighbouring sentences than keep them together."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.chunkers.base import (
    ChunkSpan,
    CountTokens,
    Decide,
    Encode,
    ParagraphText,
    Unit,
    nothing_decided,
    range_spans,
    section_text,
    sections,
)
from corpora.chunkers.units import sentence_units
from corpora.configs import MarginChunking

CONTEXT_CHARS = 1500  # ours: of the text before a boundary, what the model is shown
NEXT_CHARS = 600


@dataclass(frozen=True, slots=True)
class MarginChunker:
    """Splits between sentences by margin sampling, then merges neighbours up to the target length.

    Of each boundary the model is asked whether to split; P(split) - P(keep) above `threshold` ends a piece. Pieces are
    then joined in order while they fit into `size_tokens`: alone they average 30 tokens and find little.

    Source: Zhao et al. 2024, Meta-Chunking, section 3.1 (margin sampling) and 3.3 (dynamic combination). Differs: a
        fixed threshold, so that an edit moves no other boundary; a boundary without a usable reply is no split; chunks
        restart at headings.
    """

    config: MarginChunking
    decide: Decide = nothing_decided

    def chunk(
        self, paragraphs: Sequence[ParagraphText], *, count_tokens: CountTokens, encode: Encode
    ) -> tuple[ChunkSpan, ...]:
        """Return the chunks in reading order; `encode` is not needed."""
        del encode
        groups = sections(paragraphs)
        found = sentence_units(groups, size=self.config.size_tokens, count_tokens=count_tokens)
        chunks: list[ChunkSpan] = []
        for group, units in zip(groups, found, strict=True):
            ranges = self._ranges(units, self._margins(group, units)) if units else []
            chunks.extend(range_spans(group, units, ranges))
        return tuple(chunks)

    def _margins(self, group: Sequence[ParagraphText], units: Sequence[Unit]) -> list[float]:
        """The margin before each unit, 0 before the first; a section that fits into one chunk is not asked about."""
        if sum(unit.size for unit in units) <= self.config.size_tokens:
            return [0.0] * len(units)
        text, offset = section_text(group), group[0].start
        asked = [
            (
                text[max(0, unit.start - offset - CONTEXT_CHARS) : unit.start - offset].strip(),
                text[unit.start - offset : unit.end - offset].strip()[:NEXT_CHARS],
            )
            for unit in units[1:]
        ]
        return [0.0, *(margin or 0.0 for margin in self.decide(asked))]

    def _ranges(self, units: Sequence[Unit], margins: Sequence[float]) -> list[tuple[int, int]]:
        """Pieces between splits, joined while they fit; a piece that is too large itself is cut where it is full."""
        starts = [0, *(at for at in range(1, len(units)) if margins[at] > self.config.threshold)]
        ranges: list[tuple[int, int]] = []
        total = 0
        for start, end in zip(starts, [*starts[1:], len(units)], strict=True):
            for first, last in _full(units, start, end, size=self.config.size_tokens):
                size = sum(unit.size for unit in units[first:last])
                if ranges and total + size <= self.config.size_tokens:
                    ranges[-1], total = (ranges[-1][0], last), total + size
                else:
                    ranges.append((first, last))
                    total = size
        return ranges


def _full(units: Sequence[Unit], start: int, end: int, *, size: int) -> list[tuple[int, int]]:
    """A piece whole, or in parts of at most `size` tokens."""
    parts, first, total = [], start, 0
    for place in range(start, end):
        if place > first and total + units[place].size > size:
            parts.append((first, place))
            first, total = place, 0
        total += units[place].size
    return [*parts, (first, end)]
