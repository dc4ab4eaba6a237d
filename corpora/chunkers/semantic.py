"""Chunks that end where the meaning of neighbouring sentences moves apart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.chunkers.base import CountTokens, Cut, Encode, SectionChunker, Sections, Unit, section_text
from corpora.chunkers.units import sentence_units
from corpora.configs import SemanticChunking

DECIMALS = 3  # ours: vectors of one sentence differ by less than this between batches


@dataclass(frozen=True, slots=True)
class SemanticChunker(SectionChunker):
    """Starts a chunk where 1 - cosine of two neighbouring sentences' encodings exceeds `threshold`.

    A chunk takes at least `buffer_sentences` before it may end for its meaning, and ends in any case before it would
    exceed `size_tokens`. The threshold is a number and no percentile of the document, so that an edit in one section
    moves no boundary in another.

    Source: HyPA-RAG section 6, semantic chunking: a threshold on cosine dissimilarity, and a buffer, the minimum
        number of sentences before a split. Differs: chunks restart at headings; the limit of tokens (both ours).
    """

    config: SemanticChunking

    def cut(self, groups: Sections, count_tokens: CountTokens, encode: Encode) -> Iterator[Cut]:
        """All sentences are encoded in one call."""
        sentences = sentence_units(groups, size=self.config.size_tokens, count_tokens=count_tokens)
        texts = [
            section_text(group)[unit.start - group[0].start : unit.end - group[0].start]
            for group, units in zip(groups, sentences, strict=True)
            if len(units) > self.config.buffer_sentences
            for unit in units
        ]
        vectors = iter(encode(texts)) if texts else iter(())
        for units in sentences:
            gaps = np.zeros(len(units))
            if len(units) > self.config.buffer_sentences:
                gaps[1:] = _gaps(np.stack([next(vectors) for _ in units]))
            yield units, self._ranges(units, gaps)

    def _ranges(self, units: Sequence[Unit], gaps: NDArray[np.float64]) -> list[tuple[int, int]]:
        """Half-open ranges of units that belong together; `gaps[i]` is the distance of unit i from the previous one."""
        ranges: list[tuple[int, int]] = []
        start, total = 0, 0
        for place, unit in enumerate(units):
            is_far = place - start >= self.config.buffer_sentences and gaps[place] > self.config.threshold
            if place > start and (is_far or total + unit.size > self.config.size_tokens):
                ranges.append((start, place))
                start, total = place, 0
            total += unit.size
        return [*ranges, (start, len(units))] if units else []


def _gaps(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """1 - cosine of each unit vector [n, d] with the previous one, [n - 1]."""
    cosines = np.einsum("nd,nd->n", vectors[1:].astype(np.float64), vectors[:-1].astype(np.float64))
    return np.asarray(np.round(1.0 - cosines, DECIMALS), np.float64)
