"""A measured value or the reason why there is none, and averages that count what they left out."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Undefined:
    """No value, and why: the third outcome beside a good and a bad one."""

    reason: str


Value = float | Undefined


def number(value: Value, digits: int | None = None) -> float | None:
    """The number, rounded to `digits` decimals; None where there is none."""
    if isinstance(value, Undefined):
        return None
    return value if digits is None else round(value, digits)


@dataclass(frozen=True, slots=True)
class Average:
    """A mean over the defined values, with how many there were of either kind."""

    value: Value
    n: int
    n_undefined: int = 0


def average(values: Iterable[Value]) -> Average:
    """The mean of what is defined; undefined where nothing is.

    Args:
        values: One value a question.

    Returns:
        The mean, the number of defined values it is over, and the number left out.
    """
    all_values = list(values)
    numbers = [value for value in all_values if not isinstance(value, Undefined)]
    n_undefined = len(all_values) - len(numbers)
    if numbers:
        return Average(float(np.mean(numbers)), len(numbers), n_undefined)
    reason = "no values" if not all_values else f"all {len(all_values)} values are undefined"
    return Average(Undefined(reason), 0, n_undefined)
