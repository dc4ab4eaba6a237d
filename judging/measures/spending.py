"""What answers cost: money, seconds and tokens, over questions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judging.measures.values import Average, Undefined, Value, average

NO_ANSWER = Undefined("no answer was timed")


@dataclass(frozen=True, slots=True)
class Spending:
    """Over all questions.

    Attributes:
        cost: US dollars a question.
        tokens: Tokens in and out a question.
        median_s, p95_s: Seconds within which half, and 95 %, of the answers came.
        total_cost: US dollars of all questions with a cost.
    """

    cost: Average
    tokens: Average
    median_s: Value
    p95_s: Value
    total_cost: float


def spending(*, costs: Sequence[Value], tokens: Sequence[Value], seconds: Sequence[Value]) -> Spending:
    """Sum up what questions took; what is unknown of one is Undefined there and left out, counted.

    Args:
        costs: US dollars of each question.
        tokens: Of each.
        seconds: Of each, from the question to the end of the answer.
    """
    return Spending(
        average(costs),
        average(tokens),
        percentile(seconds, 50),
        percentile(seconds, 95),
        float(sum(cost for cost in costs if not isinstance(cost, Undefined))),
    )


def percentile(values: Sequence[Value], percent: float) -> Value:
    """The value below which `percent` of the defined ones lie, between neighbours in proportion; undefined of none."""
    known = [value for value in values if not isinstance(value, Undefined)]
    return float(np.percentile(known, percent)) if known else NO_ANSWER
