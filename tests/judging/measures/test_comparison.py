"""Paired tests against scipy, by hand, and that sides and order play no part."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from judging.measures.comparison import holm, mcnemar, sign_flip, wilcoxon
from judging.measures.values import Undefined

SEED = 144
MISSING = Undefined("unreadable")
few = st.lists(st.sampled_from([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0]), min_size=1, max_size=9)


@given(few)
@settings(deadline=None, max_examples=60)
def test_few_questions_take_every_choice_of_signs(differences: list[float]) -> None:
    seen = abs(sum(differences))
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True))) for signs in signs_of(len(differences))]

    assert sign_flip(differences, seed=SEED) == pytest.approx(np.mean([one >= seen - 1e-12 for one in sums]))


def signs_of(n: int) -> list[tuple[int, ...]]:
    return list(itertools.product((1, -1), repeat=n))


def test_many_questions_agree_with_scipy_s_permutation_test() -> None:
    chance = random.Random(3)
    differences = [chance.gauss(0.2, 1) for _ in range(60)]
    theirs = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1)
    )

    assert sign_flip(differences, seed=SEED) == pytest.approx(theirs.pvalue, abs=0.01)
    assert sign_flip(differences, seed=SEED) == sign_flip(differences, seed=SEED)


def test_of_few_questions_every_choice_of_signs_is_taken() -> None:
    assert sign_flip([1.0] * 8, seed=SEED) == 2 / 2**8


@pytest.mark.parametrize(
    "differences",
    [
        [1.0, -1.0, 2.0, 3.0, 0.0, 1.5, 2.5],
        [1.0, -2.0, 3.0, 4.5],
        [0.5, 0.5, -0.5, 0.5, 1.0, 0.0, 0.5],
        [-1.0, 1.0],
        [(at * 7 % 11) - 4.0 for at in range(40)],
    ],
    ids=["one tie", "no tie", "many ties", "balanced", "many questions"],
)
def test_wilcoxon_is_scipy_s_over_the_questions_that_changed(differences: list[float]) -> None:
    assert wilcoxon(differences) == pytest.approx(stats.wilcoxon([d for d in differences if d]).pvalue, abs=1e-12)


def test_wilcoxon_is_undefined_where_no_question_changed() -> None:
    assert wilcoxon([0.0, 0.0]) == Undefined("no question changed")


def test_mcnemar_counts_the_questions_that_one_alone_has_right() -> None:
    """Six against one of seven: 2 · (1 + 7) / 2^7."""
    ours, theirs = [1.0] * 6 + [0.0] + [1.0] * 9, [0.0] * 6 + [1.0] + [1.0] * 9

    assert mcnemar(ours, theirs) == pytest.approx(2 * 8 / 2**7)
    assert mcnemar([1.0, 0.0], [1.0, 0.0]) == Undefined("no question changed")
    assert mcnemar([4.0], [1.0]) == Undefined("the values are not rights and wrongs")


def test_holm_multiplies_by_the_tests_left_and_never_falls() -> None:
    """0.01 · 4; 0.02 · 3; 0.03 · 2 is no less than that; 0.5 · 1."""
    assert holm([0.5, 0.01, MISSING, 0.03, 0.02]) == [0.5, 0.04, MISSING, 0.06, 0.06]
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def test_one_p_of_a_table_of_twelve_is_no_find() -> None:
    corrected = holm([0.035] + [0.9] * 11)[0]

    assert corrected == pytest.approx(0.42)
