"""Chunks of whole sentences up to a number of tokens."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpora.chunkers.base import ChunkSpan, CountTokens, ParagraphText, Unit, chunk_spans, sections
from corpora.configs import SentenceChunking
from legalqa.common.sentences import sentence_spans

MONSTER_FACTOR = 4  # ours: a sentence this many times the size is cut at blanks

_WORD = re.compile(r"\s*\S+\s*")


@dataclass(frozen=True, slots=True)
class SentenceChunker:
    """Fills chunks with whole sentences up to `size_tokens`, repeating at most `overlap_tokens`.

    A sentence longer than the size is a chunk of its own; one longer than four times the size
    (a table without a full stop) is cut at blanks. The tokens of a chunk are the sum over its
    sentences, which is exact for encoders that split at blanks first.

    Source: HyPA-RAG section 6, sentence-level chunking, 512 tokens with an overlap of 200.
        Differs: chunks restart at headings, so that an edit re-embeds one section only (ours);
        the cut of monster sentences (ours).
    """

    config: SentenceChunking

    def chunk(self, paragraphs: Sequence[ParagraphText], *, count_tokens: CountTokens) -> tuple[ChunkSpan, ...]:
        """Return the chunks in reading order; all sentences are counted in one call."""
        groups = sections(paragraphs)
        sentences = [[found for paragraph in group for found in _sentences(paragraph)] for group in groups]
        counts = count_tokens([text for found in sentences for _, text in found])
        size, overlap = self.config.size_tokens, self.config.overlap_tokens
        chunks: list[ChunkSpan] = []
        done = 0
        for group, found in zip(groups, sentences, strict=True):
            units: list[Unit] = []
            for (start, text), tokens in zip(found, counts[done : done + len(found)], strict=True):
                units.extend(self._units(start, text, tokens, count_tokens))
            done += len(found)
            chunks.extend(chunk_spans(group, units, size=size, overlap=overlap))
        return tuple(chunks)

    def _units(self, start: int, text: str, tokens: int, count_tokens: CountTokens) -> list[Unit]:
        if tokens <= MONSTER_FACTOR * self.config.size_tokens:
            return [Unit(start, start + len(text), tokens)]
        words = _WORD.findall(text)
        return _filled(start, words, count_tokens(words), size=self.config.size_tokens)


def _sentences(paragraph: ParagraphText) -> list[tuple[int, str]]:
    """Return the start in the document and the text of each sentence; a heading is one sentence."""
    if paragraph.kind == "heading":
        return [(paragraph.start, paragraph.text)] if paragraph.text else []
    text = paragraph.text
    return [(paragraph.start + start, text[start:end]) for start, end in sentence_spans(text)]


def _filled(start: int, words: Sequence[str], counts: Sequence[int], *, size: int) -> list[Unit]:
    """Join words into the fewest units of at most `size` tokens, cutting a word that is larger itself."""
    units: list[Unit] = []
    position, end, total = start, start, 0
    for word, tokens in zip(words, counts, strict=True):
        if end > position and total + tokens > size:
            units.append(Unit(position, end, total))
            position, total = end, 0
        end += len(word)
        total += tokens
        if total > size:
            units.extend(_cut_word(position, end, total, size=size))
            position, total = end, 0
    if end > position:
        units.append(Unit(position, end, total))
    return units


def _cut_word(start: int, end: int, tokens: int, *, size: int) -> list[Unit]:
    """Cut a run without blanks into equal parts; their token counts are estimates, rounded up."""
    parts = min(-(-tokens // size), end - start)
    bounds = [start + (end - start) * part // parts for part in range(parts + 1)]
    return [Unit(a, b, -(-tokens // parts)) for a, b in pairwise(bounds)]
