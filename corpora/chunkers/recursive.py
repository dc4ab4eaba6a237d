"""Chunks of a number of characters, cut at the coarsest separator that fits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpora.chunkers.base import CountTokens, Cut, Encode, SectionChunker, Sections, Unit, pack, section_text
from corpora.configs import RecursiveChunking


@dataclass(frozen=True, slots=True)
class RecursiveChunker(SectionChunker):
    """Splits a section at the first separator, and pieces that are still too long at the next.

    Pieces keep the separator that ends them; where no separator is left, single characters are
    the pieces. Chunks then take whole pieces up to `size_chars`, repeating at most `overlap_chars`.

    Source: PathLex's recursive character splitting, 500 characters with an overlap of 50.
        Differs: chunks restart at headings (ours); the order of separators (ours).
    """

    config: RecursiveChunking

    def cut(self, groups: Sections, count_tokens: CountTokens, encode: Encode) -> Iterator[Cut]:
        """Sizes are characters: no tokens are counted, nothing is encoded."""
        size, overlap = self.config.size_chars, self.config.overlap_chars
        for group in groups:
            text, start = section_text(group), group[0].start
            spans = _split(text, 0, len(text), self.config.separators, size=size)
            units = [Unit(start + a, start + b, b - a) for a, b in spans]
            yield units, pack(units, size=size, overlap=overlap)


def _split(text: str, start: int, end: int, separators: Sequence[str], *, size: int) -> list[tuple[int, int]]:
    """Return pieces of at most `size` characters that tile text[start:end]."""
    if end - start <= size:
        return [(start, end)] if end > start else []
    if not separators:
        return [(position, position + 1) for position in range(start, end)]
    pieces: list[tuple[int, int]] = []
    position = start
    while position < end:
        place = text.find(separators[0], position, end)
        cut = end if place < 0 else place + len(separators[0])
        pieces.extend(_split(text, position, cut, separators[1:], size=size))
        position = cut
    return pieces
