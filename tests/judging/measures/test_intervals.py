"""Intervals: Wilson by his equation, and that bootstraps cover what they promise."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap, norm

from judging.measures.abstention import auc
from judging.measures.intervals import Interval, bootstrap_mean, bootstrap_statistic, paired_difference, wilson
from judging.measures.values import Undefined

SEED = 144


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@settings(deadline=None)
def test_the_ends_of_wilson_s_interval_solve_his_equation(counts: tuple[int, int]) -> None:
    successes, n = counts
    found, z = wilson(successes, n), norm.ppf(0.975)

    assert isinstance(found, Interval)
    assert found.low <= found.value <= found.high
    for end in (found.low, found.high):  # the shares that lie z standard errors of their own from what was seen
        assert (successes / n - end) ** 2 == pytest.approx(z**2 * end * (1 - end) / n, abs=1e-12)


def test_wilson_of_the_two_ends_and_of_nothing() -> None:
    none, all_ = wilson(0, 5), wilson(5, 5)

    assert isinstance(none, Interval)
    assert isinstance(all_, Interval)
    assert (none.low, none.high) == pytest.approx((0.0, 0.4345), abs=1e-4)
    assert (all_.low, all_.high) == pytest.approx((0.5655, 1.0), abs=1e-4)
    assert wilson(0, 0) == Undefined("no trials")
    with pytest.raises(ValueError, match="6 successes in 5 trials"):
        wilson(6, 5)


def test_the_bootstrap_of_a_mean_agrees_with_scipy() -> None:
    values = [random.Random(n).random() for n in range(150)]
    ours = bootstrap_mean(values, seed=SEED)
    theirs = bootstrap(
        (np.asarray(values),), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval

    assert isinstance(ours, Interval)
    assert ours.value == pytest.approx(np.mean(values))
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.005)


def test_the_same_seed_gives_the_same_interval() -> None:
    values = [math.sqrt(n) for n in range(60)]

    assert bootstrap_mean(values, seed=1) == bootstrap_mean(values, seed=1)
    assert bootstrap_mean(values, seed=1) != bootstrap_mean(values, seed=2)


def test_questions_that_are_right_or_wrong_together_widen_the_interval() -> None:
    values = [float(document % 2) for document in range(12) for _ in range(10)]
    groups = [str(document) for document in range(12) for _ in range(10)]
    alone, together = bootstrap_mean(values, seed=SEED), bootstrap_mean(values, seed=SEED, groups=groups)

    assert isinstance(alone, Interval)
    assert isinstance(together, Interval)
    assert together.value == alone.value
    assert together.high - together.low > 2 * (alone.high - alone.low)


def test_a_small_gain_on_every_question_shows_in_pairs_only() -> None:
    chance = random.Random(SEED)
    theirs = [chance.random() for _ in range(80)]
    ours = [value + 0.02 + chance.gauss(0, 0.01) for value in theirs]
    paired = paired_difference(ours, theirs, seed=SEED)
    apart = [bootstrap_mean(values, seed=SEED) for values in (ours, theirs)]

    assert isinstance(paired, Interval)
    assert paired.low > 0
    assert all(isinstance(one, Interval) for one in apart)
    first, second = apart
    assert isinstance(first, Interval)
    assert isinstance(second, Interval)
    assert first.low < second.high


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
@settings(deadline=None)
def test_exchanging_the_sides_turns_the_difference_round(values: list[float]) -> None:
    others = values[::-1]
    there = paired_difference(values, others, seed=SEED, draws=50)
    back = paired_difference(others, values, seed=SEED, draws=50)

    assert isinstance(there, Interval)
    assert isinstance(back, Interval)
    assert (there.value, there.low, there.high) == pytest.approx((-back.value, -back.high, -back.low), abs=1e-12)


def test_a_statistic_that_is_no_mean_has_an_interval_too() -> None:
    chance = random.Random(SEED)
    labels = np.array([chance.random() < 0.5 for _ in range(200)])
    scores = np.array([chance.gauss(1.0 if label else 0.0, 1.0) for label in labels])
    found = bootstrap_statistic(
        lambda at: auc(scores[at].tolist(), labels[at].tolist()), len(labels), seed=SEED, draws=300
    )

    assert isinstance(found, Interval)
    assert found.low < found.value < found.high
    assert found.low < 0.76 < found.high  # two normal curves one standard deviation apart


def test_a_statistic_with_groups_draws_whole_groups() -> None:
    groups = ["a", "b", "a", "b"]
    seen: set[tuple[int, ...]] = set()

    def remember(at: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
        seen.add(tuple(at.tolist()))
        return 0.0

    bootstrap_statistic(remember, 4, seed=SEED, groups=groups, draws=50)

    assert seen == {(0, 1, 2, 3), (0, 2, 0, 2), (0, 2, 1, 3), (1, 3, 0, 2), (1, 3, 1, 3)}


def test_what_is_undefined_stays_so() -> None:
    nothing = Undefined("all labels are the same")

    assert bootstrap_mean([], seed=SEED) == Undefined("no values")
    assert bootstrap_statistic(lambda _: nothing, 3, seed=SEED) == nothing
    values = iter([1.0])
    assert bootstrap_statistic(lambda _: next(values, nothing), 3, seed=SEED, draws=10) == Undefined(
        "undefined on 10 of 10 draws"
    )


def test_pairs_and_groups_must_fit() -> None:
    with pytest.raises(ValueError, match="not of the same questions"):
        paired_difference([1.0], [1.0, 2.0], seed=SEED)
    with pytest.raises(ValueError, match="1 groups do not go with 2 values"):
        bootstrap_mean([1.0, 2.0], seed=SEED, groups=["a"])
