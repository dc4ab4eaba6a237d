"""Tests of differences on the same questions, against values worked out by hand."""

import pytest

from judging.experiments.comparing import holm, mcnemar, sign_flip
from judging.measures.values import Undefined


def test_of_three_gains_alike_one_choice_of_signs_in_four_is_as_far_from_zero() -> None:
    assert sign_flip([0.5, 0.5, 0.5], seed=1) == pytest.approx(2 / 8)


def test_questions_on_which_nothing_differs_say_nothing() -> None:
    assert sign_flip([0.5, 0.0, 0.5, 0.5, 0.0], seed=1) == pytest.approx(2 / 8)
    assert sign_flip([0.0, 0.0], seed=1) == 1.0


def test_without_questions_there_is_no_p() -> None:
    assert isinstance(sign_flip([], seed=1), Undefined)


def test_many_gains_alike_are_as_unlikely_as_the_draws_can_show() -> None:
    assert sign_flip([1.0] * 40, seed=1, draws=999) == pytest.approx(1 / 1000)


def test_five_wins_without_a_loss_come_by_chance_once_in_sixteen() -> None:
    assert mcnemar(5, 0) == pytest.approx(2 / 32)
    assert mcnemar(0, 0) == 1.0


def test_holm_multiplies_the_smallest_most_and_keeps_the_order() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []
