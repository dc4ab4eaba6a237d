"""The mean of human grades from few of them and many of a judge: prediction-powered inference."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from judging.measures.intervals import LEVEL, Interval
from judging.measures.values import Undefined

TOO_FEW = Undefined("fewer than two questions have a human grade")

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Powered:
    """What people would have given on average, had they graded all.

    Attributes:
        estimate: With both kinds of grades; n counts the human ones.
        human_only: From the human grades alone.
        judge_mean: Of all the judge's grades, as they are.
        bias: Mean of the judge's grade less the human one, where both are.
        weight: How far the judge is believed, 0 (not at all) to 1 (ARES).
        n_judge: Questions that the judge alone graded.
    """

    estimate: Interval
    human_only: Interval
    judge_mean: float
    bias: float
    weight: float
    n_judge: int


def prediction_powered(
    human: Sequence[float], judge: Sequence[float], judge_alone: Sequence[float], *, weight: float | None = None
) -> Powered | Undefined:
    """Estimate the mean human grade over the questions that were drawn.

    mean(human) + w (mean(alone) - mean(judge)), with variance w^2 var(alone) / N + var(human - w judge) / n.
    With w = 1 it is ARES's estimate. Without a given weight, w is the one of the least variance, so a judge that knows
    nothing costs nothing.

    Args:
        human: Grades of questions that people graded, drawn at random from all of them: not the hard ones first.
        judge: The judge's grades of the same questions.
        judge_alone: The judge's grades of the questions without a human grade.
        weight: 0 to 1; None tunes it.

    Returns:
        Undefined for fewer than two human grades. Below 50 the interval is a rough one.

    Raises:
        ValueError: human and judge's grades are not of the same questions.

    Source: Angelopoulos et al. 2023 (PPI++) for the weight; Saad-Falcon et al. 2024 (ARES). Differs: Student's quantile
    instead of the normal one, and one degree of freedom less for a tuned weight: the normal one is too narrow for few.
    """
    people, judged, alone = (np.asarray(part, np.float64) for part in (human, judge, judge_alone))
    if len(people) != len(judged):
        raise ValueError(f"{len(people)} human grades and {len(judged)} of the judge are not of the same questions.")
    if len(people) < 2:
        return TOO_FEW
    trust = (_weight(people, judged, alone) if weight is None else weight) if len(alone) > 1 else 0.0
    fitted = 1 + int(weight is None and trust > 0 and len(people) > 2)
    correction = trust * (float(alone.mean()) - float(judged.mean())) if trust else 0.0
    spread = trust**2 * float(alone.var(ddof=1)) / len(alone) if trust else 0.0
    return Powered(
        _around(float(people.mean()) + correction, people - trust * judged, spread, fitted=fitted),
        _around(float(people.mean()), people, 0.0),
        float(np.concatenate([judged, alone]).mean()),
        float((judged - people).mean()),
        trust,
        len(alone),
    )


def _weight(people: Floats, judged: Floats, alone: Floats) -> float:
    variance = float(np.concatenate([judged, alone]).var(ddof=1))
    if not variance or not len(alone):
        return 0.0
    together = float(np.cov(people, judged)[0, 1])
    return float(np.clip(together / (variance * (1 + len(people) / len(alone))), 0, 1))


def _around(value: float, labelled: Floats, spread: float, *, fitted: int = 1) -> Interval:
    """The value with Student's interval; `fitted` numbers were estimated from the labelled grades."""
    from scipy.special import stdtrit

    n = len(labelled)
    half = float(stdtrit(n - fitted, (1 + LEVEL) / 2)) * (float(labelled.var(ddof=fitted)) / n + spread) ** 0.5
    return Interval(value, value - half, value + half, n)
