"""Macro figures over a fixed list of classes, and their intervals."""

import numpy as np
import pytest

from judging.measures.classification import classification, confusion, macro_f1, macro_f1_difference, macro_f1_interval
from judging.measures.intervals import Interval
from judging.measures.values import Undefined

TRUTH = [0] * 6 + [1] * 3 + [2]
CALLED = [0, 0, 0, 0, 1, 0, 1, 1, 0, 1]


def test_figures_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import precision_recall_fscore_support

    ours = classification(TRUTH, CALLED, n_classes=3)
    theirs = precision_recall_fscore_support(TRUTH, CALLED, average="macro", zero_division=0)

    assert (ours.precision, ours.recall, ours.f1) == pytest.approx(theirs[:3])
    assert ours.confusion == ((5, 1, 0), (1, 2, 0), (0, 1, 0))
    assert ours.accuracy == pytest.approx(0.7)


def test_a_class_never_predicted_has_precision_zero_and_stays_in_the_mean() -> None:
    found = classification(TRUTH, CALLED, n_classes=3)

    assert (found.classes[2].precision, found.classes[2].n) == (0.0, 1)
    assert found.absent == ()


def test_a_class_without_items_leaves_the_mean_and_is_named() -> None:
    found = classification([0, 0, 1], [0, 0, 1], n_classes=3)

    assert (found.f1, found.absent) == (1.0, (2,))


def test_without_items_nothing_is_defined() -> None:
    found = classification([], [], n_classes=2)

    assert all(isinstance(value, Undefined) for value in (found.precision, found.recall, found.f1, found.accuracy))
    assert isinstance(macro_f1_interval([], [], n_classes=2, seed=1), Undefined)


@pytest.mark.parametrize(("truth", "called"), [([0], [0, 1]), ([0, 3], [0, 1]), ([0, -1], [0, 1])])
def test_labels_that_do_not_fit_are_refused(truth: list[int], called: list[int]) -> None:
    with pytest.raises(ValueError, match=r"labels and|outside"):
        confusion(truth, called, n_classes=3)


def test_the_interval_of_a_difference_is_paired() -> None:
    chance = np.random.default_rng(1)
    truth = chance.integers(3, size=400).tolist()
    weak = [t if chance.random() < 0.5 else (t + 1) % 3 for t in truth]
    strong = [t if chance.random() < 0.3 else w for t, w in zip(truth, weak, strict=True)]

    apart = macro_f1_interval(truth, weak, n_classes=3, seed=1)
    paired = macro_f1_difference(truth, strong, weak, n_classes=3, seed=1)
    nothing = macro_f1_difference(truth, weak, weak, n_classes=3, seed=1)

    assert isinstance(apart, Interval)
    assert isinstance(paired, Interval)
    assert apart.low < macro_f1(truth, weak, n_classes=3) < apart.high
    assert 0 < paired.low < paired.value < paired.high
    assert paired.high - paired.low < apart.high - apart.low
    assert isinstance(nothing, Interval)
    assert (nothing.low, nothing.high) == (0.0, 0.0)


def test_drawing_groups_widens_the_interval() -> None:
    truth = [0, 1] * 100
    called = [label if at < 100 else 1 - label for at, label in enumerate(truth)]
    single = macro_f1_interval(truth, called, n_classes=2, seed=1)
    grouped = macro_f1_interval(truth, called, n_classes=2, seed=1, groups=[str(at // 20) for at in range(200)])

    assert isinstance(single, Interval)
    assert isinstance(grouped, Interval)
    assert grouped.high - grouped.low > single.high - single.low
