"""Chunks that end where a language model would rather split two neighbouring sentences than keep them together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpora.chunkers.base import (
    CountTokens,
    Cut,
    Decide,
    Encode,
    ParagraphText,
    SectionChunker,
    Sections,
    Unit,
    nothing_decided,
    section_text,
)
from corpora.chunkers.units import sentence_units
from corpora.configs import MarginChunking, PerplexityChunking

CONTEXT_CHARS = 1500  # ours: characters before a boundary that the model is shown
NEXT_CHARS = 600  # ours: characters of the sentence after a boundary that the model is shown


@dataclass(frozen=True, slots=True)
class MarginChunker(SectionChunker):
    """Splits between sentences by margin sampling, then merges neighbours up to the target length.

    Of each boundary the model is asked whether to split; P(split) - P(keep) above `threshold` ends a piece. Pieces are
    then joined in order while they fit into `size_tokens`: alone they average 30 tokens and find little.

    Source: Zhao et al. 2024, Meta-Chunking, section 3.1 (margin sampling) and 3.3 (dynamic combination). Differs: a
        fixed threshold, so that an edit moves no other boundary; without a usable reply there is no split; chunks
        restart at headings.
    """

    config: MarginChunking | PerplexityChunking
    decide: Decide = nothing_decided

    def cut(self, groups: Sections, count_tokens: CountTokens, encode: Encode) -> Iterator[Cut]:
        """All sentences are counted in one call."""
        sentences = sentence_units(groups, size=self.config.size_tokens, count_tokens=count_tokens)
        for group, units in zip(groups, sentences, strict=True):
            is_small = sum(unit.size for unit in units) <= self.config.size_tokens  # it is not asked about
            starts = [0] if is_small else [0, *self.splits(self._values(group, units))]
            yield units, self._ranges(units, starts) if units else []

    def splits(self, values: Sequence[float | None]) -> list[int]:
        """The units that begin a piece, by the model's margin for every unit but the first."""
        return [at for at, margin in enumerate(values, start=1) if (margin or 0.0) > self.config.threshold]

    def _values(self, group: Sequence[ParagraphText], units: Sequence[Unit]) -> list[float | None]:
        """The model's margin for every unit but the first, given the text before it."""
        text, offset = section_text(group), group[0].start
        pairs = [
            (
                text[max(0, unit.start - offset - CONTEXT_CHARS) : unit.start - offset].strip(),
                text[unit.start - offset : unit.end - offset].strip()[:NEXT_CHARS],
            )
            for unit in units[1:]
        ]
        return self.decide(pairs)

    def _ranges(self, units: Sequence[Unit], starts: Sequence[int]) -> list[tuple[int, int]]:
        """Pieces from start to start, joined while they fit; one that is too large itself is cut where it is full."""
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
