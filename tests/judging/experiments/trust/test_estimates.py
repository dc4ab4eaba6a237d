"""What people would give to all answers of a configuration: few grades of theirs, many of a judge."""

import numpy as np

from judging.experiments.trust.estimates import Configuration, estimates
from judging.experiments.trust.figures import GradedItem

OURS = Configuration("weekly", "hybrid")


def item(at: int, human: float, judged: float, *, experiment: str = "weekly") -> GradedItem:
    return GradedItem(
        str(at),
        f"q{at}",
        "a",
        people={"a": [human]},
        judges={"plain": [judged]},
        experiment=experiment,
        system="hybrid",
    )


def test_a_judge_that_is_one_too_high_throughout_is_corrected() -> None:
    """The judge alone says 4.0, people would have said 3.0, and the judge's many scores make the interval narrower."""
    chance = np.random.default_rng(3)
    grades = chance.integers(1, 5, 60)
    others = chance.integers(1, 5, 2000) + 1
    items = [item(at, float(grade), float(grade + 1)) for at, grade in enumerate(grades)]

    [found] = estimates(items, judge="plain", alone={OURS: [float(one) for one in others]})

    assert found.powered is not None
    assert found.powered.bias == 1
    assert abs(found.powered.estimate.value - (others.mean() - 1)) < 0.05
    width = found.powered.estimate.high - found.powered.estimate.low
    assert width < (found.powered.human_only.high - found.powered.human_only.low) / 3
    assert not found.is_rough


def test_one_grade_is_too_few_and_answers_from_elsewhere_belong_to_no_configuration() -> None:
    alone = {OURS: [3.0, 4.0]}

    [few] = estimates([item(1, 4, 5)], judge="plain", alone=alone)

    assert few.powered is None
    assert few.reason == "fewer than two questions have a human grade"
    assert estimates([item(1, 4, 5, experiment="")], judge="plain", alone=alone) == []
    assert estimates([item(1, 4, 5), item(2, 3, 4)], judge="another", alone=alone) == []
