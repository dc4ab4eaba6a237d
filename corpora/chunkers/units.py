"""Whole sentences as the pieces that chunkers join."""

import re
from collections.abc import Sequence
from itertools import pairwise

from corpora.chunkers.base import CountTokens, ParagraphText, Unit
from legalqa.common.sentences import sentence_spans

MONSTER_FACTOR = 4  # ours: a sentence this many times the size is cut at blanks

_WORD = re.compile(r"\s*\S+\s*")


def sentence_units(
    sections: Sequence[Sequence[ParagraphText]], *, size: int, count_tokens: CountTokens
) -> list[list[Unit]]:
    """The sentences of each section with their tokens, all counted in one call; they tile the section.

    A heading is one sentence. A sentence longer than MONSTER_FACTOR times the size (a table without a full stop) is
    cut at blanks into units of at most `size` tokens (ours).
    """
    sentences = [[sentence for paragraph in section for sentence in _sentences(paragraph)] for section in sections]
    counts = iter(count_tokens([text for section in sentences for _, text in section]))
    return [
        [unit for start, text in section for unit in _units(start, text, next(counts), size, count_tokens)]
        for section in sentences
    ]


def text_units(start: int, text: str, *, size: int, count_tokens: CountTokens) -> list[Unit]:
    """The sentences of a text from `start` of its document on, as `sentence_units` gives them; `size` in tokens."""
    return sentence_units(
        [[ParagraphText(0, start, start + len(text), text, (), "text")]], size=size, count_tokens=count_tokens
    )[0]


def _sentences(paragraph: ParagraphText) -> list[tuple[int, str]]:
    """Return the start in the document and the text of each sentence."""
    if paragraph.kind == "heading":
        return [(paragraph.start, paragraph.text)] if paragraph.text else []
    text = paragraph.text
    return [(paragraph.start + start, text[start:end]) for start, end in sentence_spans(text)]


def _units(start: int, text: str, tokens: int, size: int, count_tokens: CountTokens) -> list[Unit]:
    if tokens <= MONSTER_FACTOR * size:
        return [Unit(start, start + len(text), tokens)]
    words = _WORD.findall(text)
    return _filled(start, words, count_tokens(words), size=size)


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
