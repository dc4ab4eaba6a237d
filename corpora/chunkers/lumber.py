"""Chunks that end at the paragraph where a language model sees the content change."""

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
from corpora.configs import LumberChunking


@dataclass(frozen=True, slots=True)
class LumberChunker(SectionChunker):
    """Shows a model paragraphs up to `size_tokens` and cuts before the one where it sees the content change.

    The next group begins there. Without a usable reply the group stays whole.

    Source: Duarte et al. 2024, LumberChunker, section 3. Differs: sections, not whole books, are read; a paragraph that
        is larger than a group is read sentence by sentence.
    """

    config: LumberChunking
    decide: Decide = nothing_decided

    def cut(self, groups: Sections, count_tokens: CountTokens, encode: Encode) -> Iterator[Cut]:
        """One section after the other, because the next text for the model depends on its last reply."""
        for group in groups:
            units = self._units(group, count_tokens)
            yield units, self._ranges(group, units)

    def _units(self, group: Sequence[ParagraphText], count_tokens: CountTokens) -> list[Unit]:
        units: list[Unit] = []
        for paragraph, size in zip(group, count_tokens([one.text for one in group]), strict=True):
            if size <= self.config.size_tokens:
                units.append(Unit(paragraph.start, paragraph.end, size))
            else:
                units += sentence_units([[paragraph]], size=self.config.size_tokens, count_tokens=count_tokens)[0]
        return units

    def _ranges(self, group: Sequence[ParagraphText], units: Sequence[Unit]) -> list[tuple[int, int]]:
        text, offset = section_text(group), group[0].start
        ranges: list[tuple[int, int]] = []
        start = 0
        while start < len(units):
            end, total = start + 1, units[start].size
            while end < len(units) and total + units[end].size <= self.config.size_tokens:
                total += units[end].size
                end += 1
            if end < len(units) and end - start > 1:
                texts = tuple(text[unit.start - offset : unit.end - offset].strip() for unit in units[start:end])
                (place,) = self.decide([texts])
                if place is not None and 1 <= place < end - start:
                    end = start + int(place)
            ranges.append((start, end))
            start = end
        return ranges
