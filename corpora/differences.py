"""What changed between two versions of a document: paragraph by paragraph, and word by word where one was reworded."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from rapidfuzz.distance import LCSseq

from corpora.alignment import longest_rising
from legalqa.common.work import Work

Origin = Literal["same", "moved", "changed", "added", "removed"]
Mark = Literal["kept", "added", "removed"]

ALIKE = 0.5  # ours: from this share of common words on, two paragraphs are one that was reworded
MAX_PAIRS = 2_500  # ours: pairs that are compared between two unchanged paragraphs; beyond, only in order
MAX_WORDS = 4_000  # ours: longer paragraphs are shown as removed and added whole
MAX_RUNS = 300  # ours: a comparison with more alternating runs of words could not be read
PAGE_STEPS = 10_000_000  # ours: steps of a comparison, under a second; a step is a character read, two words
# compared, or _BITS cells of a table
_BITS = 64

_PIECES = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class VersionParagraph:
    """A paragraph of one version: its id, which says that its words are the same, its ordinal and its words."""

    id: int
    ordinal: int
    text: str


@dataclass(frozen=True, slots=True)
class Words:
    """A run of words that both versions have, or only one of them."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One paragraph in the order of the newer version; `old` and `new` say where it is, None where it is not there."""

    origin: Origin
    old: VersionParagraph | None
    new: VersionParagraph | None
    words: tuple[Words, ...] = ()


def compare(
    old: Sequence[VersionParagraph], new: Sequence[VersionParagraph], *, work: Work, with_words: bool = True
) -> tuple[Difference, ...]:
    """Pair the paragraphs of two versions.

    Paragraphs with one id have the same words: those along the longest common order stayed, the others moved. Between
    two that stayed, a removed and an added paragraph with at least ALIKE of their words in common are one that was
    changed; the pairs are chosen so that their likeness adds up to the most, in order.

    Args:
        old: Paragraphs of the earlier version.
        new: Paragraphs of the later one.
        work: What it may cost; where that is spent, a reworded paragraph is told as removed and added.
        with_words: False where only the number of differences counts: no words are marked.

    Returns:
        The newer version's paragraphs in order, removed ones where they were.

    Source: ours, on the ids of `corpora.alignment`.
    """
    places = {paragraph.id: paragraph for paragraph in old}
    common = [paragraph for paragraph in new if paragraph.id in places]
    stayed = {common[i].id for i in longest_rising([places[paragraph.id].ordinal for paragraph in common])}
    kept_new = {paragraph.id for paragraph in new}
    differences: list[Difference] = []
    removed: list[VersionParagraph] = []
    added: list[VersionParagraph] = []
    rest = iter(old)
    for paragraph in new:
        if paragraph.id in stayed:
            for before in rest:
                if before.id == paragraph.id:
                    break
                if before.id not in kept_new:
                    removed.append(before)
            differences += [
                *_gap(removed, added, work, with_words=with_words),
                Difference("same", places[paragraph.id], paragraph),
            ]
            removed, added = [], []
        elif paragraph.id in places:
            differences += _gap([], added, work, with_words=with_words)
            added = []
            differences.append(Difference("moved", places[paragraph.id], paragraph))
        else:
            added.append(paragraph)
    removed += [before for before in rest if before.id not in kept_new]
    return (*differences, *_gap(removed, added, work, with_words=with_words))


def counts(differences: Sequence[Difference]) -> dict[Origin, int]:
    """How many paragraphs there are of each origin."""
    totals = Counter(difference.origin for difference in differences)
    return {origin: totals[origin] for origin in get_args(Origin)}


def word_marks(old: str, new: str, *, work: Work) -> tuple[Words, ...] | None:
    """The words of two texts in one run: kept, removed, added, with the spaces between them.

    Returns:
        The runs along the longest common order, what was removed before what was added; more than MAX_RUNS are told as
        removed and added whole. None where `work` is spent.
    """
    before, after = _PIECES.findall(" ".join(old.split())), _PIECES.findall(" ".join(new.split()))
    whole = (Words("removed", "".join(before)), Words("added", "".join(after)))
    if max(len(before), len(after)) > MAX_WORDS:
        return whole
    if not work.take(len(before) * len(after) // _BITS):
        return None
    marks: list[Words] = []
    at_old = at_new = 0
    for a, b, length in LCSseq.editops(before, after).as_matching_blocks():
        if at_old < a:
            marks.append(Words("removed", "".join(before[at_old:a])))
        if at_new < b:
            marks.append(Words("added", "".join(after[at_new:b])))
        if length:  # the last block is empty and is at the ends
            marks.append(Words("kept", "".join(before[a : a + length])))
        at_old, at_new = a + length, b + length
    return whole if len(marks) > MAX_RUNS else tuple(marks)


def _gap(
    removed: Sequence[VersionParagraph], added: Sequence[VersionParagraph], work: Work, *, with_words: bool
) -> list[Difference]:
    """The differences between two paragraphs that stayed, in reading order."""
    pairs = _best_pairs(removed, added, work)
    differences: list[Difference] = []
    at_old = 0
    for place, paragraph in enumerate(added):
        partner = pairs.get(place)
        words: tuple[Words, ...] | None = ()
        if partner is not None and with_words:
            words = word_marks(removed[partner].text, paragraph.text, work=work)
        if partner is None or words is None:
            differences.append(Difference("added", None, paragraph))
            continue
        differences += [Difference("removed", gone, None) for gone in removed[at_old:partner]]
        differences.append(Difference("changed", removed[partner], paragraph, words))
        at_old = partner + 1
    return differences + [Difference("removed", gone, None) for gone in removed[at_old:]]


def _best_pairs(removed: Sequence[VersionParagraph], added: Sequence[VersionParagraph], work: Work) -> dict[int, int]:
    """Which added paragraph rewords which removed one, by their places, rising in both; none where `work` is spent."""
    n_chars = sum(len(paragraph.text) for paragraph in (*removed, *added))
    if not removed or not added or not work.take(n_chars):
        return {}
    bags = [_bag(paragraph.text) for paragraph in removed], [_bag(paragraph.text) for paragraph in added]
    sizes = [len(bag) for bag in bags[0]], [len(bag) for bag in bags[1]]
    if len(removed) * len(added) > MAX_PAIRS:
        near = list(zip(range(len(added)), range(len(removed)), strict=False))
        if not work.take(sum(min(sizes[0][r], sizes[1][a]) for a, r in near)):
            return {}
        return {a: r for a, r in near if _overlap(bags[0][r], bags[1][a]) >= ALIKE}
    if not work.take(sum(min(r, a) + 1 for r in sizes[0] for a in sizes[1])):
        return {}
    best = [[0.0] * (len(added) + 1) for _ in range(len(removed) + 1)]
    alike = [[_overlap(r, a) for a in bags[1]] for r in bags[0]]
    for r in range(len(removed) - 1, -1, -1):
        for a in range(len(added) - 1, -1, -1):
            paired = alike[r][a] + best[r + 1][a + 1] if alike[r][a] >= ALIKE else 0.0
            best[r][a] = max(best[r + 1][a], best[r][a + 1], paired)
    pairs: dict[int, int] = {}
    r = a = 0
    while r < len(removed) and a < len(added):
        if alike[r][a] >= ALIKE and best[r][a] == alike[r][a] + best[r + 1][a + 1]:
            pairs[a] = r
            r, a = r + 1, a + 1
        elif best[r][a] == best[r + 1][a]:
            r += 1
        else:
            a += 1
    return pairs


def _bag(text: str) -> frozenset[tuple[str, int]]:
    """Words with the number of their occurrence, so that repeated words count as often as they occur."""
    seen: dict[str, int] = {}
    bag = set()
    for word in text.lower().split():
        seen[word] = seen.get(word, 0) + 1
        bag.add((word, seen[word]))
    return frozenset(bag)


def _overlap(old: frozenset[tuple[str, int]], new: frozenset[tuple[str, int]]) -> float:
    """Dice's share of common words, 0 to 1."""
    return 2 * len(old & new) / (len(old) + len(new)) if old or new else 1.0
