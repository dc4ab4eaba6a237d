"""Ratings in long form, what they are measured on, and one value of several ratings."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import fmean, median

from legalqa.common.work import Work

HUMAN, JUDGE = "human", "judge"
LARGEST = 1e15  # ours: values further from 0 are no grades, and their squares would lose the small ones
WIDEST = 20  # ours: whole numbers further apart are amounts, and those between them are not grades
Written = float | str | None
Values = Mapping[str, Mapping[str, Sequence[float]]]


class Scale(StrEnum):
    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


@dataclass(frozen=True, slots=True)
class Rating:
    """What a rater said of an item: a number, true or false, a name, or None where they gave no value.

    Several ratings of one item by one rater are repeats.
    """

    item: str
    rater: str
    value: Written


@dataclass(frozen=True, slots=True)
class About:
    """What is known of an item beside its ratings.

    Attributes:
        question: Items of one question are drawn together; "" is a question of its own.
        question_type, component: By which figures are also given; "" is in no part.
        baselines: Silly measures of the item, such as the answer's length.
    """

    question: str = ""
    question_type: str = ""
    component: str = ""
    baselines: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Frame:
    """What ratings are given on.

    Attributes:
        values: Every value a rater may give, ascending, given or not.
        labels: The same as people write them.
        threshold: Values from it on pass; None compares the values themselves.
        seed: Of the draws.
        draws: Samples for an interval.
        work: Steps that comparing may take; None for any number.
    """

    scale: Scale
    values: tuple[float, ...]
    labels: tuple[Written, ...]
    threshold: float | None
    seed: int
    draws: int
    work: Work | None = None

    def one_of(self, values: Sequence[float]) -> float | None:
        """One value of several: the most frequent name, the median grade, the mean number; None for names in a tie."""
        if self.scale == Scale.NOMINAL:
            first, *rest = Counter(values).most_common(2)
            return None if rest and rest[0][1] == first[1] else first[0]
        return float(median(values) if self.scale == Scale.ORDINAL else fmean(values))


def columns(human: Sequence[Written], judge: Sequence[Written]) -> list[Rating]:
    """The ratings of two columns; an item's name is its place.

    Raises:
        ValueError: not of the same items.
    """
    if len(human) != len(judge):
        raise ValueError(f"{len(human)} human values and {len(judge)} of the judge are not of the same items.")
    pairs = enumerate(zip(human, judge, strict=True))
    return [
        Rating(str(at), rater, value) for at, pair in pairs for rater, value in zip((HUMAN, JUDGE), pair, strict=True)
    ]


def framed(
    ratings: Sequence[Rating],
    *,
    scale: Scale | None,
    categories: Sequence[Written] | None,
    threshold: float | None,
    seed: int,
    draws: int,
    work: Work | None = None,
) -> tuple[Frame, Values]:
    """The scale of the ratings, and their values as numbers, by item and rater.

    Without a scale, numbers are ordinal and names nominal. Without categories, the scale is what was given and, of
    whole numbers, all between the least and the greatest.

    Raises:
        ValueError: names on a scale of numbers, a value outside the categories, or one that is not a number.
    """
    all_values = [rating.value for rating in ratings if rating.value is not None]
    is_named = any(isinstance(value, str) for value in all_values)
    scale = scale or (Scale.NOMINAL if is_named else Scale.ORDINAL)
    labels = _labels(all_values, categories) if is_named else ()
    if is_named and threshold is not None:
        raise ValueError("A threshold divides numbers, and the values are names; leave it out.")
    if is_named and (scale == Scale.INTERVAL or (scale == Scale.ORDINAL and categories is None)):
        raise ValueError(f"The values are names, and an {scale} scale needs numbers; give numbers, or --scale nominal.")
    numbers = {label: float(at) for at, label in enumerate(labels)}
    values = tuple(numbers.values()) if is_named else _steps([_number(v) for v in all_values], categories)
    by_item: dict[str, dict[str, list[float]]] = {}
    for rating in ratings:
        raters = by_item.setdefault(rating.item, {})
        if rating.value is not None:
            value = numbers[rating.value] if is_named else _number(rating.value)
            raters.setdefault(rating.rater, []).append(value)
    return Frame(scale, values, labels or values, threshold, seed, draws, work), by_item


def _labels(values: Sequence[Written], categories: Sequence[Written] | None) -> tuple[Written, ...]:
    if any(not isinstance(value, str) for value in values):
        raise ValueError("Some values are names and some are numbers; write all of them alike.")
    labels = tuple(categories) if categories is not None else tuple(sorted({str(value) for value in values}))
    if strange := sorted({str(value) for value in values} - set(labels)):
        raise ValueError(f"{strange[0]!r} is not one of the categories {', '.join(map(str, labels))}.")
    return labels


def _steps(values: Sequence[float], categories: Sequence[Written] | None) -> tuple[float, ...]:
    distinct = sorted(set(values))
    if categories is not None:
        steps = tuple(sorted({_number(category) for category in categories}))
        if strange := sorted(set(distinct) - set(steps)):
            raise ValueError(f"{strange[0]:g} is not one of the categories {', '.join(f'{step:g}' for step in steps)}.")
        return steps
    if distinct and all(value.is_integer() for value in distinct) and distinct[-1] - distinct[0] <= WIDEST:
        return tuple(float(value) for value in range(int(distinct[0]), int(distinct[-1]) + 1))
    return tuple(distinct)


def _number(value: Written) -> float:
    if value is None or isinstance(value, str) or not -LARGEST <= value <= LARGEST:  # NaN is on no side
        raise ValueError(f"{str(value)[:40]} is not a number from {-LARGEST:g} to {LARGEST:g}. Correct it.")
    return float(value)
