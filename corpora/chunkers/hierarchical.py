"""Small chunks that are searched, inside larger pieces that are opened."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from corpora.chunkers.base import (
    ChunkSpan,
    CountTokens,
    Encode,
    ParagraphText,
    ParentSpan,
    Unit,
    pack,
    range_spans,
    section_path,
    section_text,
    sections,
)
from corpora.chunkers.units import sentence_units
from corpora.configs import HierarchicalChunking
from corpora.provisions.splitting import trimmed


@dataclass(frozen=True, slots=True)
class HierarchicalChunker:
    """Cuts a section into chunks of whole sentences, and names the pieces that each of them is in.

    A chunk ends with its paragraph once it has `min_tokens`, and in any case before it would exceed `child_tokens`; a
    small last one joins the chunk before it where both fit. Its parents, smallest first: the run of chunks of its
    section that fills `parent_tokens`, the section, and the sections around it by their headings. A parent that holds
    nothing more than the one below it is left out.

    Source: PathLex 9.2 and 7.10, section, subsection, paragraph and sentence, merged again by an auto-merging
        retriever. Differs: `min_tokens`, because "some chunks were too small, resulting in worse retrieval
        performance" there; sentences are joined and not chunks of their own; the middle parent (all ours).
    """

    config: HierarchicalChunking

    def chunk(
        self, paragraphs: Sequence[ParagraphText], *, count_tokens: CountTokens, encode: Encode
    ) -> tuple[ChunkSpan, ...]:
        """Return the chunks in reading order, with their parents; all sentences are counted in one call."""
        groups = sections(paragraphs)
        sentences = sentence_units(groups, size=self.config.child_tokens, count_tokens=count_tokens)
        outer = _outer_sections(groups)
        starts, text = [p.start for p in paragraphs], section_text(paragraphs)
        chunks: list[ChunkSpan] = []
        for place, (group, units) in enumerate(zip(groups, sentences, strict=True)):
            ranges = self._ranges(units, ends=[paragraph.end for paragraph in group])
            sizes = [sum(unit.size for unit in units[a:b]) for a, b in ranges]
            whole = [Unit(units[a].start, units[b - 1].end, n) for (a, b), n in zip(ranges, sizes, strict=True)]
            for first, after in pack(whole, size=self.config.parent_tokens, overlap=0):
                children = range_spans(group, units, ranges[first:after])
                if not children:
                    continue
                middle = (children[0].start, children[-1].end)
                spans = [middle, *(_trimmed(text, *span, offset=starts[0]) for span in outer[place])]
                path = section_path(group)
                for child in children:
                    parents = _parents(child, spans, paragraphs, starts, path)
                    chunks.append(replace(child, parents=parents))
        return tuple(chunks)

    def _ranges(self, units: Sequence[Unit], *, ends: Sequence[int]) -> list[tuple[int, int]]:
        """Half-open ranges of units, one a chunk; `ends` are the ends of the section's paragraphs."""
        is_end = set(ends)
        ranges: list[tuple[int, int]] = []
        start, total = 0, 0
        for place, unit in enumerate(units):
            if place > start and total + unit.size > self.config.child_tokens:
                ranges.append((start, place))
                start, total = place, 0
            total += unit.size
            if unit.end in is_end and total >= self.config.min_tokens:
                ranges.append((start, place + 1))
                start, total = place + 1, 0
        if start < len(units):
            is_small = bool(ranges) and total < self.config.min_tokens
            if is_small and sum(unit.size for unit in units[ranges[-1][0] :]) <= self.config.child_tokens:
                ranges[-1] = (ranges[-1][0], len(units))
            else:
                ranges.append((start, len(units)))
        return ranges


def _outer_sections(groups: Sequence[Sequence[ParagraphText]]) -> list[list[tuple[int, int]]]:
    """For each section its own span and the spans of the sections around it, smallest first.

    A section has a heading path; around it are the runs of neighbouring sections whose paths begin alike.
    """
    paths = [section_path(group) for group in groups]
    spans: list[list[tuple[int, int]]] = [[(group[0].start, group[-1].end)] for group in groups]
    for depth in range(max(map(len, paths), default=0), 0, -1):
        for _, run in groupby(range(len(groups)), key=lambda place: paths[place][:depth]):
            places = list(run)
            span = (groups[places[0]][0].start, groups[places[-1]][-1].end)
            for place in places:
                if len(paths[place]) >= depth:
                    spans[place].append(span)
    return spans


def _trimmed(text: str, start: int, end: int, *, offset: int) -> tuple[int, int]:
    """The span without the blanks around it; the text begins at `offset` of the document."""
    first, last = trimmed(text, start - offset, end - offset)
    return first + offset, last + offset


def _parents(
    child: ChunkSpan,
    spans: Sequence[tuple[int, int]],
    paragraphs: Sequence[ParagraphText],
    starts: Sequence[int],
    path: tuple[str, ...],
) -> tuple[ParentSpan, ...]:
    parents: list[ParentSpan] = []
    before = (child.start, child.end)
    for level, (start, end) in enumerate(spans):
        if (start, end) == before or start > before[0] or end < before[1]:
            continue
        first, last = bisect_right(starts, start) - 1, bisect_left(starts, end) - 1
        above = path[: max(0, len(path) - max(0, level - 2))]
        parents.append(ParentSpan(start, end, paragraphs[first].ordinal, paragraphs[last].ordinal, above))
        before = (start, end)
    return tuple(parents)
