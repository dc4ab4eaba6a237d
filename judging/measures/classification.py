"""Precision, recall and F1 by class and over classes, with intervals and the confusion matrix."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judging.measures.intervals import LEVEL, Interval, drawn_counts
from judging.measures.values import Undefined, Value

DRAWS = 2000  # draws of a bootstrap
Counts = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """Precision, recall and F1 of one class; n items are of the class."""

    label: int
    precision: float
    recall: float
    f1: float
    n: int


@dataclass(frozen=True, slots=True)
class Classification:
    """What a classifier made of labelled items.

    Attributes:
        precision, recall, f1: Means over the classes that have items.
        accuracy: Share of the items that are called what they are.
        classes: Every class of the list.
        confusion: Items of class i called j, [i][j].
        absent: Classes of the list without an item; they are in no mean.
        n: Items.
    """

    precision: Value
    recall: Value
    f1: Value
    accuracy: Value
    classes: tuple[ClassFigures, ...]
    confusion: tuple[tuple[int, ...], ...]
    absent: tuple[int, ...]
    n: int


def classification(truth: Sequence[int], predicted: Sequence[int], *, n_classes: int) -> Classification:
    """Figures of a classifier over a fixed list of classes 0 to n_classes - 1.

    A class that is never predicted has precision 0 and stays in the mean; one without items leaves it.

    Raises:
        ValueError: not the same items, or a label outside the list.

    Source: macro precision, recall and F1 as in scikit-learn's `precision_recall_fscore_support(average="macro")`.
    """
    matrix = confusion(truth, predicted, n_classes=n_classes)
    precision, recall, f1 = _by_class(matrix[None])
    there = matrix.sum(axis=1) > 0
    classes = tuple(
        ClassFigures(c, float(precision[0, c]), float(recall[0, c]), float(f1[0, c]), int(matrix[c].sum()))
        for c in range(n_classes)
    )
    n = int(matrix.sum())
    none = Undefined("no items")
    means: list[Value] = [float(part[0][there].mean()) if n else none for part in (precision, recall, f1)]
    return Classification(
        means[0],
        means[1],
        means[2],
        float(np.trace(matrix) / n) if n else none,
        classes,
        tuple(tuple(int(value) for value in row) for row in matrix),
        tuple(int(c) for c in np.flatnonzero(~there)),
        n,
    )


def confusion(truth: Sequence[int], predicted: Sequence[int], *, n_classes: int) -> Counts:
    """Items of class i called j, [c, c]."""
    if len(truth) != len(predicted):
        raise ValueError(f"{len(truth)} labels and {len(predicted)} predictions are not of the same items.")
    from sklearn.metrics import confusion_matrix

    if not {*truth, *predicted} <= set(range(n_classes)):
        raise ValueError(f"A label is outside 0 to {n_classes - 1}.")
    if not len(truth):
        return np.zeros((n_classes, n_classes))
    return np.asarray(confusion_matrix(truth, predicted, labels=range(n_classes)), np.float64)


def macro_f1(truth: Sequence[int], predicted: Sequence[int], *, n_classes: int) -> float:
    """The mean F1 of the classes that have items; 0 without items."""
    return float(macro(confusion(truth, predicted, n_classes=n_classes)[None])[2][0])


def macro_f1_interval(
    truth: Sequence[int],
    predicted: Sequence[int],
    *,
    n_classes: int,
    seed: int,
    groups: Sequence[str] | None = None,
    draws: int = DRAWS,
) -> Interval | Undefined:
    """Macro F1 with its percentile interval over items drawn again, or whole groups of them."""
    return _interval([(truth, predicted)], n_classes=n_classes, seed=seed, groups=groups, draws=draws)


def macro_f1_difference(
    truth: Sequence[int],
    ours: Sequence[int],
    theirs: Sequence[int],
    *,
    n_classes: int,
    seed: int,
    groups: Sequence[str] | None = None,
    draws: int = DRAWS,
) -> Interval | Undefined:
    """Macro F1 of ours less theirs on the same items, with the interval of the paired bootstrap."""
    both = [(truth, ours), (truth, theirs)]
    return _interval(both, n_classes=n_classes, seed=seed, groups=groups, draws=draws)


def _interval(
    runs: Sequence[tuple[Sequence[int], Sequence[int]]],
    *,
    n_classes: int,
    seed: int,
    groups: Sequence[str] | None,
    draws: int,
) -> Interval | Undefined:
    n = len(runs[0][0])
    if not n:
        return Undefined("no items")
    places = np.arange(n) if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    n_groups = int(places.max()) + 1
    stacks = [_by_group(truth, predicted, places, n_groups, n_classes) for truth, predicted in runs]

    def value(counts: Counts) -> NDArray[np.float64]:
        scores = [macro((counts @ stack).reshape(-1, n_classes, n_classes))[2] for stack in stacks]
        return scores[0] if len(scores) == 1 else scores[0] - scores[1]

    values = [value(counts) for counts in drawn_counts(n_groups, seed=seed, draws=draws)]
    low, high = np.quantile(np.concatenate(values), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(value(np.ones((1, n_groups)))[0]), float(low), float(high), n)


def _by_group(
    truth: Sequence[int], predicted: Sequence[int], places: NDArray[np.int64], n_groups: int, n_classes: int
) -> Counts:
    """The confusion of each group, [g, c · c]."""
    confusion(truth, predicted, n_classes=n_classes)  # checks
    cells = np.asarray(truth, np.int64) * n_classes + np.asarray(predicted, np.int64)
    flat = np.bincount(places * n_classes**2 + cells, minlength=n_groups * n_classes**2)
    return flat.astype(np.float64).reshape(n_groups, n_classes**2)


def _by_class(matrices: Counts) -> tuple[Counts, Counts, Counts]:
    """Precision, recall and F1 of each class, [m, c], of confusions [m, c, c]; 0 where nothing is divided."""
    hits = np.diagonal(matrices, axis1=1, axis2=2)
    called, are = matrices.sum(axis=1), matrices.sum(axis=2)
    precision = hits / np.maximum(called, 1e-12)
    recall = hits / np.maximum(are, 1e-12)
    return precision, recall, 2 * hits / np.maximum(called + are, 1e-12)


def macro(matrices: Counts) -> tuple[Counts, Counts, Counts]:
    """Mean precision, recall and F1, [m] each, over the classes that have items in confusions [m, c, c]."""
    there = matrices.sum(axis=2) > 0
    n = np.maximum(there.sum(axis=1), 1)
    precision, recall, f1 = (np.asarray((part * there).sum(axis=1) / n) for part in _by_class(matrices))
    return precision, recall, f1
