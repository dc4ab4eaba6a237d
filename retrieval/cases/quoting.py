"""Supports that quote the corpus: the paragraphs that hold them verbatim."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db.models import F

from corpora.models import Corpus, Position
from retrieval.cases.files import MAX_PARAGRAPHS, CaseRow, CaseSpan

MIN_WORDS = 5  # ours: fewer words are found in paragraphs that they were not taken from
_WORD = re.compile(r"\w+")


def rows_placed(*, corpus: Corpus, rows: Sequence[CaseRow]) -> list[CaseRow]:
    """Cases that name no paragraph with those of the current documents that hold their support; the others as they are.

    A support is in one paragraph as a whole, or each of its lines is in one; blanks do not count.
    """
    wanted = {row.support: _pieces(row.support) for row in rows if not row.spans}
    found = _paragraphs_holding(corpus, {piece for pieces in wanted.values() for piece in pieces})
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


def _paragraphs_holding(corpus: Corpus, texts: Iterable[str]) -> dict[str, list[str]]:
    """The public ids of the paragraphs in force that hold a text, by text, in reading order."""
    by_start: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for text in texts:
        words = _WORD.findall(text)
        if len(words) >= MIN_WORDS:
            by_start[tuple(words[: MIN_WORDS - 1])].append(text)  # the last word of a text may be cut
    found: dict[str, list[str]] = defaultdict(list)
    if not by_start:
        return found
    places = Position.objects.filter(
        version=F("version__document__current"), version__document__corpus=corpus, version__document__removed_at=None
    )
    columns = places.order_by("version_id", "ordinal").values_list("paragraph__public_id", "paragraph__text")
    for public_id, paragraph in columns.iterator(chunk_size=2000):
        words = _WORD.findall(paragraph)
        starts = set(zip(*(words[at:] for at in range(MIN_WORDS - 1)), strict=False)) & by_start.keys()
        folded = " ".join(paragraph.split()) if starts else ""
        for text in (text for start in starts for text in by_start[start]):
            if text in folded:
                found[text].append(public_id)
    return found
