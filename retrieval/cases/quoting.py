"""Supports that quote the corpus: the paragraphs that hold them verbatim."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from django.db.models import F

from corpora.models import Corpus, Position
from retrieval.cases.files import MAX_PARAGRAPHS, CaseRow, CaseSpan

MIN_WORDS = 5  # ours: shorter texts also occur in paragraphs that they were not taken from
START_WORDS = 20  # ours: a text is looked up by at most so many first words; few texts share them
_WORD = re.compile(r"\w+")

Words = tuple[str, ...]


def rows_placed(*, corpus: Corpus, rows: Sequence[CaseRow]) -> list[CaseRow]:
    """Cases that name no paragraph with those of the current documents that hold their support; the others as they are.

    A support is in one paragraph as a whole, or each of its lines is in one; blanks do not count.
    """
    wanted = {row.support: _pieces(row.support) for row in rows if not row.spans}
    found = paragraphs_holding(_current(corpus), {piece for pieces in wanted.values() for piece in pieces})
    spans = {support: _spans(pieces, found) for support, pieces in wanted.items()}
    return [row if row.spans else replace(row, spans=spans[row.support]) for row in rows]


def _pieces(support: str) -> list[str]:
    """The support as a whole, then its lines."""
    lines = [" ".join(line.split()) for line in support.splitlines() if line.strip()]
    return [" ".join(support.split()), *lines]


def _spans(pieces: list[str], found: dict[str, list[str]]) -> tuple[CaseSpan, ...]:
    whole, *lines = pieces
    ids = found.get(whole, [])
    if not ids and all(line in found for line in lines):
        ids = [paragraph_id for line in lines for paragraph_id in found[line]]
    return tuple(CaseSpan(paragraph_id) for paragraph_id in dict.fromkeys(ids))[:MAX_PARAGRAPHS]


def _current(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """The public id and the text of the paragraphs in force, in reading order; nothing is read before it is needed."""
    places = Position.objects.filter(
        version=F("version__document__current"), version__document__corpus=corpus, version__document__removed_at=None
    )
    columns = places.order_by("version_id", "ordinal").values_list("paragraph__public_id", "paragraph__text")
    yield from columns.iterator(chunk_size=2000)


def paragraphs_holding(paragraphs: Iterable[tuple[str, str]], texts: Iterable[str]) -> dict[str, list[str]]:
    """The ids of the paragraphs that hold a text, by text, in the order of the paragraphs.

    Args:
        paragraphs: The id and the text of each.
        texts: With single blanks; those with fewer than MIN_WORDS words are not looked for.
    """
    by_start: dict[Words, list[str]] = defaultdict(list)
    sizes: dict[Words, set[int]] = defaultdict(set)  # by its first words, how many words the starts have
    for text in texts:
        words = tuple(_WORD.findall(text))
        if len(words) >= MIN_WORDS:
            start = words[: min(len(words) - 1, START_WORDS)]  # the last word of a text may be cut
            by_start[start].append(text)
            sizes[start[: MIN_WORDS - 1]].add(len(start))
    found: dict[str, list[str]] = defaultdict(list)
    if not by_start:
        return found
    for public_id, paragraph in paragraphs:
        words = tuple(_WORD.findall(paragraph))
        first_words = zip(*(words[at:] for at in range(MIN_WORDS - 1)), strict=False)
        starts = {words[at : at + size] for at, first in enumerate(first_words) for size in sizes.get(first, ())}
        starts &= by_start.keys()
        folded = " ".join(paragraph.split()) if starts else ""
        for text in (text for start in starts for text in by_start[start]):
            if text in folded:
                found[text].append(public_id)
    return found
