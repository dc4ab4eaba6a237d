"""Cost, tokens and seconds over questions."""

import pytest

from judging.measures.spending import percentile, spending
from judging.measures.values import Average, Undefined

UNKNOWN = Undefined("the provider names no price")


def test_what_is_unknown_is_left_out_and_counted() -> None:
    found = spending(costs=[0.02, UNKNOWN, 0.04], tokens=[100, 300, 200], seconds=[1.0, 2.0, 9.0])

    assert found.cost == Average(0.03, 2, 1)
    assert found.total_cost == pytest.approx(0.06)
    assert found.tokens == Average(200.0, 3)
    assert found.median_s == 2.0
    assert found.p95_s == pytest.approx(2 + 0.9 * 7)


def test_percentiles_lie_between_neighbours_and_of_nothing_there_is_none() -> None:
    assert percentile([1.0, 2.0], 50) == 1.5
    assert percentile([UNKNOWN], 95) == percentile([], 50) == Undefined("no answer was timed")
