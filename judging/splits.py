"""Dealing questions into folds so that no document is on both sides of a split."""

from collections.abc import Collection, Hashable, Sequence
from typing import Any, TypeVar

import numpy as np

Group = TypeVar("Group", int, str)


def groups_kept(groups: Sequence[Group], *, share: float, seed: int, is_near: bool = False) -> set[Group]:
    """Whole groups, in an order drawn by the seed, until they hold their share of the questions.

    The last one may bring much more than the share; with `is_near` a group is kept only where that comes nearer to it.

    Args:
        groups: The group of each question.
        share: Of the questions, 0 to 1.
        seed: Of the draw.
    """
    sizes: dict[Any, int] = {}
    for group in groups:
        sizes[group] = sizes.get(group, 0) + 1
    chosen: set[Group] = set()
    n_kept = 0
    for group in np.random.default_rng(seed).permutation(sorted(sizes)).tolist():
        n_lacking = share * len(groups) - n_kept
        if n_lacking > 0 and (not is_near or sizes[group] < 2 * n_lacking):
            chosen.add(group)
            n_kept += sizes[group]
    return chosen


def document_groups(documents: Sequence[Collection[Hashable]]) -> list[int]:
    """The group of each question: questions that share a document, directly or through others, share a group.

    Args:
        documents: Of each question, the documents of its references; a question without any is a group of its own.

    Returns:
        A number from 0 for each question, in the order of first sight.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    pairs = [(question, document) for question, names in enumerate(documents) for document in names]
    node = {document: len(documents) + at for at, document in enumerate(dict.fromkeys(d for _, d in pairs))}
    size = len(documents) + len(node)
    edges = ([question for question, _ in pairs], [node[document] for _, document in pairs])
    _, parts = connected_components(coo_array((np.ones(len(pairs)), edges), shape=(size, size)), directed=False)
    numbers: dict[int, int] = {}
    return [numbers.setdefault(part, len(numbers)) for part in parts[: len(documents)].tolist()]


def folds_by_group(groups: Sequence[Hashable], *, n_folds: int, seed: int) -> list[int]:
    """The fold of each question, whole groups together and the folds about equally large.

    Groups are dealt largest first, each into the fold with the fewest questions so far; groups of one size go in an
    order drawn by the seed.

    Args:
        groups: The group of each question.
        n_folds: >= 2. Where there are fewer groups, the last folds stay empty.
        seed: Of the draw.

    Raises:
        ValueError: n_folds < 2.
    """
    if n_folds < 2:
        raise ValueError(f"{n_folds} folds leave nothing to hold out; give 2 or more.")
    sizes: dict[Hashable, int] = {}
    for group in groups:
        sizes[group] = sizes.get(group, 0) + 1
    names = list(sizes)
    draw = np.random.default_rng(seed).permutation(len(names)).tolist()
    order = sorted(range(len(names)), key=lambda i: (-sizes[names[i]], draw[i]))
    load, fold_of = [0] * n_folds, {}
    for place in order:
        fold = load.index(min(load))
        fold_of[names[place]] = fold
        load[fold] += sizes[names[place]]
    return [fold_of[group] for group in groups]
