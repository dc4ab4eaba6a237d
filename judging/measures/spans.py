"""How well found spans of a text cover the spans that people marked: half-open character offsets of one text."""

from collections.abc import Sequence
from typing import NamedTuple

from judging.measures.values import Undefined, Value

NO_GOLD = Undefined("no span is marked as relevant")
NOTHING_FOUND = Undefined("no span was found")


class Span(NamedTuple):
    """Characters `start` up to, and without, `end`."""

    start: int
    end: int


def overlap(one: Span, other: Span) -> int:
    """How many characters two spans share."""
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def gold_span_recall(found: Sequence[Span], gold: Sequence[Span], *, least: float = 0.5) -> Value:
    """Share of the gold spans of which at least the share `least` is covered by the found spans, 0 to 1.

    Args:
        found: Spans that the search gave, in any order; they may overlap.
        gold: Spans that people marked.
        least: Covered share of a gold span from which it counts as found, above 0 and up to 1.

    Returns:
        Undefined without gold.

    Raises:
        ValueError: `least` is out of range, or a span is empty or turned round.

    Source: ours.
    """
    if not 0 < least <= 1:
        raise ValueError(f"A gold span cannot count as found from a share of {least}; take one above 0 and up to 1.")
    if not gold:
        return NO_GOLD
    merged = _merged(found)
    covered = (sum(overlap(span, part) for part in merged) / _length(span) for span in gold)
    return sum(share >= least for share in covered) / len(gold)


def character_recall(found: Sequence[Span], gold: Sequence[Span]) -> Value:
    """Share of the marked characters that the found spans cover; undefined without gold."""
    return _shared(found, gold) / _characters(gold) if gold else NO_GOLD


def character_precision(found: Sequence[Span], gold: Sequence[Span]) -> Value:
    """Share of the found characters that are marked; undefined where nothing was found."""
    return _shared(found, gold) / _characters(found) if found else NOTHING_FOUND


def _shared(found: Sequence[Span], gold: Sequence[Span]) -> int:
    marked = _merged(gold)
    return sum(overlap(one, other) for one in _merged(found) for other in marked)


def _characters(spans: Sequence[Span]) -> int:
    return sum(_length(span) for span in _merged(spans))


def _length(span: Span) -> int:
    if span.start >= span.end:
        raise ValueError(f"A span from {span.start} to {span.end} holds no character; give start < end.")
    return span.end - span.start


def _merged(spans: Sequence[Span]) -> list[Span]:
    """The same characters as spans that do not touch, in order."""
    merged: list[Span] = []
    for span in sorted(spans):
        _length(span)
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged
