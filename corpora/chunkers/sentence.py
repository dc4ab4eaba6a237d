"""Chunks of whole sentences up to a number of tokens."""

from collections.abc import Iterator
from dataclasses import dataclass

from corpora.chunkers.base import CountTokens, Cut, Encode, SectionChunker, Sections, pack
from corpora.chunkers.units import sentence_units
from corpora.configs import SentenceChunking


@dataclass(frozen=True, slots=True)
class SentenceChunker(SectionChunker):
    """Fills chunks with whole sentences up to `size_tokens`, repeating at most `overlap_tokens`.

    A sentence longer than the size is a chunk of its own; one longer than four times the size
    (a table without a full stop) is cut at blanks. The tokens of a chunk are the sum over its
    sentences, which is exact for encoders that split at blanks first.

    Source: HyPA-RAG section 6, sentence-level chunking, 512 tokens with an overlap of 200.
        Differs: chunks restart at headings, so that an edit re-embeds one section only (ours);
        the cut of monster sentences (ours).
    """

    config: SentenceChunking

    def cut(self, groups: Sections, count_tokens: CountTokens, encode: Encode) -> Iterator[Cut]:
        """All sentences are counted in one call."""
        size, overlap = self.config.size_tokens, self.config.overlap_tokens
        for units in sentence_units(groups, size=size, count_tokens=count_tokens):
            yield units, pack(units, size=size, overlap=overlap)
