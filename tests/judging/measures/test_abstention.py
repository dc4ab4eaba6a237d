"""Abstention measures: by hand, pair by pair, and that neither order nor ties play tricks."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judging.measures import abstention
from judging.measures.values import Undefined

ONE_LABEL = Undefined("all labels are the same")
items = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]), st.booleans()), max_size=40)
mixed = items.filter(lambda found: len({label for _, label in found}) == 2)


def apart(found: list[tuple[float, bool]]) -> tuple[list[float], list[bool]]:
    return [score for score, _ in found], [label for _, label in found]


def test_auc_by_hand() -> None:
    # True at 0.9 and 0.4, false at 0.5 and 0.4: pairs 1, 1, 0, and one half.
    assert abstention.auc([0.9, 0.4, 0.5, 0.4], [True, True, False, False]) == pytest.approx(2.5 / 4)


@given(mixed)
@settings(max_examples=50, deadline=None)
def test_auc_and_balanced_accuracy_counted_pair_by_pair(found: list[tuple[float, bool]]) -> None:
    scores, labels = apart(found)
    true, false = ([score for score, label in found if label is which] for which in (True, False))
    pairs = [1.0 if one > other else 0.5 if one == other else 0.0 for one in true for other in false]

    assert abstention.auc(scores, labels) == pytest.approx(np.mean(pairs))
    assert abstention.balanced_accuracy(scores, labels, threshold=0.5) == pytest.approx(balanced(true, false, 0.5))


def balanced(true: list[float], false: list[float], threshold: float) -> float:
    shares = [score >= threshold for score in true], [score < threshold for score in false]
    return float(np.mean(shares[0]) + np.mean(shares[1])) / 2


@given(mixed)
@settings(max_examples=50, deadline=None)
def test_the_best_threshold_is_the_best_of_all(found: list[tuple[float, bool]]) -> None:
    scores, labels = apart(found)
    best = abstention.best_threshold(scores, labels)

    assert isinstance(best, float)
    reached = abstention.balanced_accuracy(scores, labels, threshold=best)
    true, false = ([score for score, label in found if label is which] for which in (True, False))
    tried = [balanced(true, false, one) for one in set(scores)]
    assert reached == pytest.approx(max(tried))


@given(mixed)
@settings(deadline=None)
def test_turning_the_confidence_round_turns_the_auc_round(found: list[tuple[float, bool]]) -> None:
    scores, labels = apart(found)
    there, back = abstention.auc(scores, labels), abstention.auc([-score for score in scores], labels)

    assert isinstance(there, float)
    assert isinstance(back, float)
    assert there + back == pytest.approx(1)


@pytest.mark.parametrize("labels", [[True, True], [False, False], []])
def test_one_label_alone_cannot_be_told_apart(labels: list[bool]) -> None:
    scores = [0.5] * len(labels)

    assert abstention.auc(scores, labels) == ONE_LABEL
    assert abstention.balanced_accuracy(scores, labels, threshold=0.5) == ONE_LABEL
    assert abstention.best_threshold(scores, labels) == ONE_LABEL


def test_calibration_error_by_hand() -> None:
    # Two bins of two: means 0.15 and 0.75, shares 0 and 1/2.
    probabilities, labels = [0.1, 0.2, 0.7, 0.8], [False, False, True, False]

    bins = abstention.reliability_bins(probabilities, labels, bins=2)
    assert [(one.n, one.share) for one in bins] == [(2, 0.0), (2, 0.5)]
    assert [one.confidence for one in bins] == pytest.approx([0.15, 0.75])
    assert abstention.calibration_error(probabilities, labels, bins=2) == pytest.approx((0.15 + 0.25) / 2)


def test_honest_probabilities_have_next_to_no_calibration_error() -> None:
    chance = random.Random(1)
    probabilities = [chance.random() for _ in range(20_000)]
    labels = [chance.random() < p for p in probabilities]

    error = abstention.calibration_error(probabilities, labels)
    assert isinstance(error, float)
    assert error < 0.02
    shifted = abstention.calibration_error([p / 2 for p in probabilities], labels)
    assert shifted == pytest.approx(0.25, abs=0.02)


@given(items, st.integers(1, 12))
@settings(deadline=None)
def test_bins_hold_every_item_once_and_never_part_equals(found: list[tuple[float, bool]], n_bins: int) -> None:
    probabilities, labels = apart(found)
    bins = abstention.reliability_bins(probabilities, labels, bins=n_bins)

    assert sum(one.n for one in bins) == len(found)
    assert len(bins) <= n_bins
    assert [one.confidence for one in bins] == sorted(one.confidence for one in bins)
    assert sum(one.n * one.share for one in bins) == pytest.approx(sum(labels))


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=10, max_size=60, unique_by=lambda pair: pair[0]))
@settings(deadline=None)
def test_distinct_probabilities_fill_bins_of_one_size(found: list[tuple[float, bool]]) -> None:
    sizes = [one.n for one in abstention.reliability_bins(*apart(found), bins=10)]

    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) == 10


def test_probabilities_outside_their_range_are_refused() -> None:
    with pytest.raises(ValueError, match="outside 0 to 1"):
        abstention.reliability_bins([1.2], [True])
    with pytest.raises(ValueError, match="0 bins"):
        abstention.reliability_bins([0.2], [True], bins=0)


def test_risk_and_coverage_by_hand() -> None:
    found = abstention.risk_coverage([0.9, 0.8, 0.8, 0.1], [True, True, False, False])

    assert [(point.threshold, point.coverage) for point in found] == [(0.9, 0.25), (0.8, 0.75), (0.1, 1.0)]
    assert [point.risk for point in found] == pytest.approx([0.0, 1 / 3, 0.5])


def test_the_area_under_the_curve_by_hand() -> None:
    # Risks among the surest 1, 2, 3: 0, 1/2, 1/3.
    scores, right = [0.9, 0.8, 0.7], [True, False, True]

    assert abstention.aurc(scores, right) == pytest.approx((0 + 1 / 2 + 1 / 3) / 3)


def test_ties_are_worth_the_mean_over_their_orders() -> None:
    right = [True, False, False, True]
    orders = [abstention.aurc([4.0, 3.0, 2.0, 1.0], list(order)) for order in set(itertools.permutations(right))]

    assert abstention.aurc([1.0] * 4, right) == pytest.approx(np.mean([o for o in orders if isinstance(o, float)]))


@given(items.filter(bool), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_the_items_does_not_matter(found: list[tuple[float, bool]], chance: random.Random) -> None:
    mixed_up = found.copy()
    chance.shuffle(mixed_up)

    for measure in (abstention.aurc, abstention.calibration_error, abstention.auc):
        assert measure(*apart(found)) == (
            value if isinstance(value := measure(*apart(mixed_up)), Undefined) else pytest.approx(value)
        )


def test_without_items_nothing_is_defined() -> None:
    assert abstention.aurc([], []) == Undefined("no items")
    assert abstention.calibration_error([], []) == Undefined("no items")
    assert abstention.risk_coverage([], []) == []


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="2 confidences do not go with 1 labels"):
        abstention.auc([0.1, 0.2], [True])
    with pytest.raises(ValueError, match="is not a number"):
        abstention.aurc([float("nan")], [True])
