"""Splitting questions into those to learn from and those held out for testing, so that nothing is on both sides."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.complexity.types import LabelledText

GROUPS = ";"  # between the names of a row that belongs to several groups, such as passages of two documents
WIDTH = 4  # ours, words: questions of about the same length
TRIES = 50  # ours: random splits, of which the one most like the whole is taken


@dataclass(frozen=True, slots=True)
class Split:
    """Places of rows. `left_out` are those that belong to both sides: they are used on neither."""

    train: tuple[int, ...]
    test: tuple[int, ...]
    left_out: tuple[int, ...] = ()


def groups_of(row: LabelledText) -> frozenset[str]:
    """The groups of a row; a row without one is a group of its own, by its original wording."""
    names = (name.strip() for name in row.group.split(GROUPS))
    return frozenset(name for name in names if name) or frozenset({row.original or row.text})


def split(rows: Sequence[LabelledText], *, share: float, seed: int) -> Split:
    """Keep about `share` of the rows for testing, whole groups of them.

    Of TRIES random choices of groups the one is taken whose kept rows come nearest to the share in every class.
    """
    groups = [groups_of(row) for row in rows]
    sizes = _sizes(groups)
    names = sorted(sizes)
    chance = np.random.default_rng(seed)
    labels = np.array([row.label for row in rows], np.int64)
    whole = np.bincount(labels)
    best, least = Split((), ()), np.inf
    for _ in range(TRIES):
        order = chance.permutation(len(names))
        candidate = _split(groups, _taken([names[at] for at in order], sizes, share * len(rows)))
        counts = np.bincount(labels[list(candidate.test)], minlength=len(whole))
        # How far each class is from its share, and what is lost between the sides.
        away = float(np.abs(counts / np.maximum(whole, 1) - share).sum()) + len(candidate.left_out) / max(1, len(rows))
        if away < least and candidate.train and candidate.test:
            best, least = candidate, away
    return best


def folds(rows: Sequence[LabelledText], *, n: int, seed: int) -> list[Split]:
    """n splits that keep every group for testing exactly once; the groups are dealt out by size, the largest first."""
    groups = [groups_of(row) for row in rows]
    sizes = _sizes(groups)
    names = sorted(sizes)
    np.random.default_rng(seed).shuffle(names)
    totals, side = [0] * n, {}
    for name in sorted(names, key=lambda name: -sizes[name]):
        side[name] = int(np.argmin(totals))
        totals[side[name]] += sizes[name]
    return [_split(groups, {name for name in side if side[name] == fold}) for fold in range(n)]


def _sizes(groups: Sequence[frozenset[str]]) -> Mapping[str, int]:
    """How many rows each group has."""
    return Counter(name for names in groups for name in names)


def _taken(names: Sequence[str], sizes: Mapping[str, int], n_rows: float) -> set[str]:
    """The first groups until they hold this many rows."""
    test_names: set[str] = set()
    n = 0
    for name in names:
        if n + sizes[name] / 2 <= n_rows:
            test_names.add(name)
            n += sizes[name]
    return test_names


def _split(groups: Sequence[frozenset[str]], test_names: set[str]) -> Split:
    train: list[int] = []
    test: list[int] = []
    left_out: list[int] = []
    for place, names in enumerate(groups):
        side = test if names <= test_names else left_out if names & test_names else train
        side.append(place)
    return Split(tuple(train), tuple(test), tuple(left_out))


def length_matched(lengths: Sequence[int], labels: Sequence[int], *, seed: int) -> list[int]:
    """Places of rows whose classes are equally long: in each bin of WIDTH words as many of every class.

    In many sets length alone gives the class away. These rows show what a classifier knows beyond length.
    """
    chance = np.random.default_rng(seed)
    classes, bins = sorted(set(labels)), np.asarray(lengths) // WIDTH
    selection: list[int] = []
    for bin_ in sorted(set(bins.tolist())):
        places_here = np.flatnonzero(bins == bin_).tolist()
        here = [[at for at in places_here if labels[at] == label] for label in classes]
        n = min(map(len, here))
        for places in here:
            selection.extend(int(at) for at in chance.permutation(places)[:n])
    return sorted(selection)
