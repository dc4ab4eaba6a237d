"""Carries paragraph ids from one version of a document to the next."""

import hashlib
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

HASH_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Known:
    """A paragraph id the document has or had; ordinal is None when the latest version lacks it."""

    id: str
    hash: str
    ordinal: int | None


@dataclass(frozen=True, slots=True)
class Incoming:
    """A paragraph of the version being ingested; the page counts from 1, the index from 0 or 1."""

    hash: str
    page: int
    index_on_page: int
    ordinal: int


@dataclass(frozen=True, slots=True)
class Aligned:
    """The id of an incoming paragraph and how it came by it.

    kept: it is where the alignment expects it. moved: the latest version has it elsewhere.
    returned: only an older version had it. new: first sight.
    """

    ordinal: int
    id: str
    origin: Literal["kept", "moved", "returned", "new"]


def paragraph_hash(text: str) -> str:
    """Return 12 hex digits of the SHA-256 of a text, all runs of blanks being equal.

    Line breaks and indentation change with every reflow and are not a change of the law.
    """
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:HASH_DIGITS]


def align(old: Sequence[Known], new: Sequence[Incoming], *, doc_id: str) -> tuple[Aligned, ...]:
    """Give each incoming paragraph the id it had, or a new one.

    Equal hashes are matched in four rounds: along the longest common order of the latest version
    and this one; then moves, in order; then paragraphs that only older versions had, in order; the
    rest get `doc_id::page::index::hash`, the index going up until the id is free. Pages play no
    part in matching, so a reflow renames nothing.

    Args:
        old: Every id the document ever had, in any order.
        new: The paragraphs of the incoming version, in any order.
        doc_id: The stem of new ids.

    Returns:
        One entry for each incoming paragraph, in reading order; no id twice.

    Raises:
        ValueError: an id is known twice.

    Source: features P1; patience alignment over hashes unique on both sides, as in Bram Cohen's
        patience diff. Differs: leftovers are matched as moves and returns, which a diff has no word for.
    """
    incoming = sorted(new, key=lambda paragraph: paragraph.ordinal)
    latest = sorted((k for k in old if k.ordinal is not None), key=lambda known: known.ordinal or 0)
    used = {known.id for known in old}
    if len(used) < len(old):
        repeated = next(known for known, count in Counter(k.id for k in old).items() if count > 1)
        raise ValueError(f"Paragraph id {repeated!r} occurs twice; an id must name one paragraph of its document.")
    pairs = dict(_common_order([k.hash for k in latest], [p.hash for p in incoming]))
    matched = set(pairs.values())
    moves = _queues(known for position, known in enumerate(latest) if position not in matched)
    returns = _queues(known for known in old if known.ordinal is None)
    result: list[Aligned] = []
    for position, paragraph in enumerate(incoming):
        if position in pairs:
            result.append(Aligned(paragraph.ordinal, latest[pairs[position]].id, "kept"))
        elif moves[paragraph.hash]:
            result.append(Aligned(paragraph.ordinal, moves[paragraph.hash].popleft(), "moved"))
        elif returns[paragraph.hash]:
            result.append(Aligned(paragraph.ordinal, returns[paragraph.hash].popleft(), "returned"))
        else:
            result.append(Aligned(paragraph.ordinal, _mint(doc_id, paragraph, used), "new"))
    return tuple(result)


def _queues(paragraphs: Iterator[Known]) -> defaultdict[str, deque[str]]:
    queues: defaultdict[str, deque[str]] = defaultdict(deque)
    for paragraph in paragraphs:
        queues[paragraph.hash].append(paragraph.id)
    return queues


def _mint(doc_id: str, paragraph: Incoming, used: set[str]) -> str:
    """Return an id nobody has, and remember it as used."""
    index = paragraph.index_on_page
    while (minted := f"{doc_id}::{paragraph.page}::{index}::{paragraph.hash}") in used:
        index += 1
    used.add(minted)
    return minted


def _common_order(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield (new position, old position) of equal hashes in a common order, patience style.

    Equal heads and tails of a gap match; what is unique on both sides inside it is anchored along
    the longest increasing run, and the gaps between anchors are gaps of the same kind. A gap without
    anchors is left to the rounds after this one. Each round over a gap is O(n log n).
    """
    gaps = [(0, len(old), 0, len(new))]
    while gaps:
        old_start, old_end, new_start, new_end = gaps.pop()
        while old_start < old_end and new_start < new_end and old[old_start] == new[new_start]:
            yield new_start, old_start
            old_start, new_start = old_start + 1, new_start + 1
        while old_start < old_end and new_start < new_end and old[old_end - 1] == new[new_end - 1]:
            old_end, new_end = old_end - 1, new_end - 1
            yield new_end, old_end
        anchors = _anchors(old, new, (old_start, old_end, new_start, new_end))
        for (o, n), (next_o, next_n) in zip(
            anchors, [*anchors[1:], (old_end, new_end)] if anchors else [], strict=True
        ):
            yield n, o
            gaps.append((o + 1, next_o, n + 1, next_n))
        if anchors:
            gaps.append((old_start, anchors[0][0], new_start, anchors[0][1]))


def _anchors(old: Sequence[str], new: Sequence[str], gap: tuple[int, int, int, int]) -> list[tuple[int, int]]:
    """Return the longest run of pairs unique on both sides of the gap, both positions increasing."""
    old_start, old_end, new_start, new_end = gap
    if old_start == old_end or new_start == new_end:
        return []
    old_counts = Counter(old[old_start:old_end])
    new_counts = Counter(new[new_start:new_end])
    place = {old[o]: o for o in range(old_start, old_end) if old_counts[old[o]] == 1}
    pairs = [(place[new[n]], n) for n in range(new_start, new_end) if new[n] in place and new_counts[new[n]] == 1]
    return [pairs[at] for at in longest_rising([place_in_old for place_in_old, _ in pairs])]


def longest_rising(values: Sequence[int]) -> list[int]:
    """Indexes of the longest rising run of distinct values, by patience sorting."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, value in enumerate(values):
        place = bisect_left(tails, value)
        before.append(ends[place - 1] if place else -1)
        tails[place : place + 1] = [value]
        ends[place : place + 1] = [index]
    run: list[int] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        run.append(index)
        index = before[index]
    return run[::-1]
