"""Chunks that begin or end at a corpus's own delimiter."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpora.chunkers.base import CountTokens, Cut, Encode, SectionChunker, Sections, Unit, pack, section_text
from corpora.chunkers.units import text_units
from corpora.configs import PatternChunking
from corpora.delimiters import Delimiter


@dataclass(frozen=True, slots=True)
class PatternChunker(SectionChunker):
    """Cuts a section at every match of `pattern`, before the matched words or after them.

    Pieces of fewer than `min_tokens` are joined with those that follow; a piece of more than `size_tokens` is cut
    between sentences. The pattern runs in RE2, whose time grows with the text and with nothing else, so that no
    pattern can hang the reader of documents.

    Source: HyPA-RAG section 6, pattern-based chunking with a delimiter of the corpus (for LL144 a newline followed
        by a space). Differs: chunks restart at headings; the joining of small and cutting of large pieces (all ours).
    """

    config: PatternChunking

    def cut(self, groups: Sections, count_tokens: CountTokens, encode: Encode) -> Iterator[Cut]:
        """All pieces are counted in one call."""
        delimiter = Delimiter(self.config.pattern)
        cuts = [list(self._cuts(delimiter, section_text(group))) for group in groups]
        pieces = [
            [(group[0].start + a, section_text(group)[a:b]) for a, b in pairwise(places)]
            for group, places in zip(groups, cuts, strict=True)
        ]
        counts = iter(count_tokens([text for parts in pieces for _, text in parts]))
        for parts in pieces:
            units: list[Unit] = []
            ranges: list[tuple[int, int]] = []
            for start, text, tokens in self._joined([(start, text, next(counts)) for start, text in parts]):
                mine = [Unit(start, start + len(text), tokens)]
                if tokens > self.config.size_tokens:
                    mine = text_units(start, text, size=self.config.size_tokens, count_tokens=count_tokens)
                packed = pack(mine, size=self.config.size_tokens, overlap=0)
                ranges += [(len(units) + a, len(units) + b) for a, b in packed]
                units += mine
            yield units, ranges

    def _cuts(self, delimiter: Delimiter, text: str) -> Iterator[int]:
        """Offsets between pieces, both ends of the text included, rising, none twice."""
        yield 0
        last = 0
        for start, end in delimiter.spans(text):
            place = start if self.config.cut == "before" else end
            if last < place < len(text):
                yield place
                last = place
        if text:
            yield len(text)

    def _joined(self, pieces: Sequence[tuple[int, str, int]]) -> list[tuple[int, str, int]]:
        """Join each piece with the next while it has too few tokens and both fit; a small last one goes back."""
        joined: list[tuple[int, str, int]] = []
        for start, text, tokens in pieces:
            is_small = bool(joined) and joined[-1][2] < self.config.min_tokens
            if is_small and joined[-1][2] + tokens <= self.config.size_tokens:
                before = joined.pop()
                joined.append((before[0], before[1] + text, before[2] + tokens))
            else:
                joined.append((start, text, tokens))
        if len(joined) > 1 and joined[-1][2] < self.config.min_tokens:
            last, before = joined[-1], joined[-2]
            if before[2] + last[2] <= self.config.size_tokens:
                joined[-2:] = [(before[0], before[1] + last[1], before[2] + last[2])]
        return joined
