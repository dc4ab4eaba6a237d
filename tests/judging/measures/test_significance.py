"""Tests of several methods on the same questions, against values worked out by hand."""

import pytest

from judging.measures.significance import SAME, anova, paired_t


def test_a_one_tailed_t_test_looks_one_way() -> None:
    ours, theirs = [0.9, 0.8, 0.7, 0.9], [0.7, 0.7, 0.5, 0.8]  # differences 0.2, 0.1, 0.2, 0.1: t = 3 * sqrt(3)

    assert paired_t(ours, theirs) == pytest.approx(0.00692, abs=1e-4)
    assert paired_t(theirs, ours) == pytest.approx(1 - 0.00692, abs=1e-4)


def test_methods_that_differ_are_told_from_those_that_do_not() -> None:
    assert anova([[1, 2, 3], [2, 3, 4], [5, 6, 7]]) == pytest.approx(0.0066, abs=1e-3)  # F(2, 6) = 13
    assert anova([[1, 2, 3], [1, 2, 3]]) == pytest.approx(1.0)


def test_where_nothing_differs_there_is_no_p() -> None:
    assert paired_t([0.5, 0.5], [0.5, 0.5]) == SAME
    assert anova([[1, 1], [1, 1]]) == SAME
    assert (paired_t([0.9, 0.8], [0.7, 0.6]), paired_t([0.7, 0.6], [0.9, 0.8])) == (0.0, 1.0)
