"""The threshold with a promise, by hand and over simulated sets."""

import numpy as np
import pytest

from judging.measures.conformal import risk_controlled_threshold
from judging.measures.values import Undefined


def test_the_lowest_threshold_that_keeps_the_risk_is_taken() -> None:
    # n = 9, risk 0.2: (lost + 1) / 10 <= 0.2 lets one wrong answer through.
    chances = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    losses = [1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]

    assert risk_controlled_threshold(chances, losses, risk=0.2) == 0.3
    assert risk_controlled_threshold(chances, losses, risk=0.1) == 0.5


def test_equal_chances_are_answered_together_and_half_right_counts_half() -> None:
    chances, losses = [0.5, 0.5, 0.9], [0.5, 0.5, 0.0]  # n = 3: (1 + 1) / 4 at 0.5, 1 / 4 at 0.9

    assert risk_controlled_threshold(chances, losses, risk=0.5) == 0.5
    assert risk_controlled_threshold(chances, losses, risk=0.49) == 0.9


@pytest.mark.parametrize(
    ("chances", "losses"), [([], []), ([0.9] * 8, [0.0] * 8), ([0.2, 0.9], [0.0, 1.0])], ids=["none", "few", "wrong"]
)
def test_no_threshold_where_none_keeps_the_risk(chances: list[float], losses: list[float]) -> None:
    assert isinstance(risk_controlled_threshold(chances, losses, risk=0.1), Undefined)


def test_what_is_no_loss_or_no_risk_is_refused() -> None:
    for losses, risk in (([2.0], 0.1), ([0.0, 0.0], 0.1), ([0.0], 1.0)):
        with pytest.raises(ValueError, match="Give one loss"):
            risk_controlled_threshold([0.5], losses, risk=risk)


def test_the_promise_holds_on_average_for_the_next_question() -> None:
    rng, risk, lost = np.random.default_rng(144), 0.2, []
    for _ in range(2000):
        chances = rng.uniform(size=41)
        losses = (rng.uniform(size=41) > chances).astype(float)
        threshold = risk_controlled_threshold(chances[:40].tolist(), losses[:40].tolist(), risk=risk)
        is_answered = not isinstance(threshold, Undefined) and chances[40] >= threshold
        lost.append(losses[40] if is_answered else 0.0)

    assert 0.15 < float(np.mean(lost)) <= 0.22  # three standard errors above 0.2 is 0.227
