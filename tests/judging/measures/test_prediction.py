"""The human mean from few human and many judge grades: by hand, and that its intervals cover what they promise."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import t

from judging.measures.prediction import Powered, prediction_powered
from judging.measures.values import Undefined

Grades = NDArray[np.float64]
SETS = 1000


def powered(human: list[float], judge: list[float], alone: list[float], weight: float | None = None) -> Powered:
    found = prediction_powered(human, judge, alone, weight=weight)
    assert isinstance(found, Powered)
    return found


def test_ares_s_estimate_by_hand() -> None:
    """The judge gives 4 on average, and half a point too much: 3.5."""
    found = powered([2, 3, 4, 5], [3, 3, 5, 5], [3, 5, 4, 4], weight=1)
    variance = np.var([1, 0, 1, 0], ddof=1) / 4 + np.var([3, 5, 4, 4], ddof=1) / 4

    assert found.estimate.value == pytest.approx(4 - 0.5)
    assert found.estimate.high - found.estimate.value == pytest.approx(t.ppf(0.975, 3) * variance**0.5)
    assert (found.bias, found.judge_mean, found.n_judge) == (0.5, 4.0, 4)
    assert found.human_only.value == 3.5


def test_a_judge_that_says_one_thing_adds_nothing() -> None:
    found = powered([1, 0, 1, 1], [1, 1, 1, 1], [1] * 50)

    assert found.weight == 0.0
    assert found.estimate == found.human_only


def test_without_questions_that_the_judge_alone_graded_only_people_count() -> None:
    found = powered([1, 0, 1], [1, 0, 0], [])

    assert found.estimate == found.human_only
    assert found.n_judge == 0


def test_too_few_and_unlike_grades() -> None:
    assert prediction_powered([1], [1], [0, 1]) == Undefined("fewer than two questions have a human grade")
    with pytest.raises(ValueError, match="not of the same questions"):
        prediction_powered([1, 2], [1], [])


def rights(chance: np.random.Generator, n: int) -> tuple[Grades, Grades, float]:
    """70 % right; the judge passes 90 % of the right ones and 20 % of the wrong ones."""
    human = (chance.random(n) < 0.7).astype(float)
    return human, (chance.random(n) < np.where(human == 1, 0.9, 0.2)).astype(float), 0.7


def scale(chance: np.random.Generator, n: int) -> tuple[Grades, Grades, float]:
    """Grades 1 to 5; the judge is up to a point off, more often above."""
    shares = [0.1, 0.1, 0.15, 0.3, 0.35]
    human = chance.choice([1.0, 2.0, 3.0, 4.0, 5.0], p=shares, size=n)
    return human, np.clip(human + chance.choice([-1, 0, 1, 1], size=n), 1, 5), float(np.dot(shares, [1, 2, 3, 4, 5]))


@pytest.mark.parametrize("drawn", [rights, scale])
@pytest.mark.parametrize("weight", [None, 1.0])
def test_intervals_cover_the_truth_and_are_narrower_than_those_of_people_alone(
    drawn: Callable[[np.random.Generator, int], tuple[Grades, Grades, float]], weight: float | None
) -> None:
    chance, n, covered, widths = np.random.default_rng(144), 60, 0, np.zeros(2)
    for _ in range(SETS):
        human, judge, truth = drawn(chance, n + 500)
        found = prediction_powered(human[:n], judge[:n], judge[n:], weight=weight)  # type: ignore[arg-type]  # an array is read like a sequence
        assert isinstance(found, Powered)
        covered += found.estimate.low <= truth <= found.estimate.high
        widths += [one.high - one.low for one in (found.estimate, found.human_only)]

    assert 0.93 <= covered / SETS <= 0.97
    assert widths[0] < 0.9 * widths[1]
