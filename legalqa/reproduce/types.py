"""The parts of a row of results: figures with their intervals, bars, and how the two compare."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from judging.measures.intervals import Interval, paired_difference, wilson
from judging.measures.values import Average, Undefined, Value
from legalqa.common.config import Config


class Status(StrEnum):
    """How a figure compares with its bar."""

    OK = "OK"
    FAIL = "FAIL"
    REPORTED = "reported"  # it has no bar
    UNDEFINED = "UNDEFINED"
    NOT_RUN = "NOT RUN"


class NotRun(Exception):
    """A file that a row reads is missing; the message says how to get it."""


def defined(value: Value) -> float:
    """The number of a measure that cannot be undefined, because every question has gold."""
    assert not isinstance(value, Undefined)
    return value


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number, or the reason why there is none.

    Attributes:
        value: The number; a count where `is_count`.
        n: What it is over: questions, files, runs.
        low: Lower end of its 95 % interval; of a count, as a share.
        high: Upper end.
        is_count: Whether the value is a count out of n.
        note: What else a reader should know, such as a baseline's value on the same questions.
    """

    value: Value
    n: int | None = None
    low: float | None = None
    high: float | None = None
    is_count: bool = False
    note: str = ""

    @classmethod
    def count(cls, successes: int, n: int, *, note: str = "") -> Self:
        """A count out of n, with Wilson's interval."""
        interval = wilson(successes, n)
        if isinstance(interval, Undefined):
            return cls(interval, 0, is_count=True, note=note)
        return cls(float(successes), n, interval.low, interval.high, is_count=True, note=note)

    @classmethod
    def share(cls, average: Average, *, note: str = "") -> Self:
        """A mean of zeros and ones, with Wilson's interval."""
        if isinstance(average.value, Undefined):
            return cls(average.value, 0, note=note)
        interval = wilson(round(average.value * average.n), average.n)
        assert isinstance(interval, Interval)  # n > 0, or the average were undefined
        return cls(average.value, average.n, interval.low, interval.high, note=note)

    @classmethod
    def of(cls, interval: Interval | Undefined, *, note: str = "") -> Self:
        """A figure with the interval that was computed for it."""
        if isinstance(interval, Undefined):
            return cls(interval, note=note)
        return cls(interval.value, interval.n, interval.low, interval.high, note=note)

    @classmethod
    def gained(cls, after: Sequence[float], before: Sequence[float], *, seed: int, groups: Sequence[str]) -> Self:
        """What was gained on the same questions, groups drawn again, with both means in its note."""
        note = f"without {sum(before) / len(before):.3f}, with {sum(after) / len(after):.3f}" if before else ""
        return cls.of(paired_difference(after, before, seed=seed, groups=groups), note=note)

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """The figure that `document` made."""
        fields = dict(document)
        reason = fields.pop("undefined", "")
        return cls(**(fields | {"value": Undefined(reason) if reason else fields["value"]}))

    def document(self) -> dict[str, Any]:
        """The figure as JSON: value and reason are separate."""
        document = {"value": None, "undefined": ""} | asdict(self)
        if isinstance(self.value, Undefined):
            document |= {"value": None, "undefined": self.value.reason}
        return document


class FigureSpec(Config):
    """A figure's bar, and the value that this version of the repository reached.

    Of the conditions, all that are given must hold. Numbers are in the figure's own unit: a count where it is a count,
    else mostly a share, 0 to 1.

    Attributes:
        what: The figure in words.
        figure: The bar in words.
        at_least, at_most: The bar, itself allowed.
        above, below: The bar, itself not allowed.
        interval_above: What the lower end of the 95 % interval must be above; of a count, a share.
        every: Whether the count must be all there are.
        expected: The value that a second run must reproduce: a figure that moved unnoticed fails even above its bar.
        tolerance: How far off it may be, 0 or more.
    """

    what: str
    figure: str
    at_least: float | None = None
    at_most: float | None = None
    above: float | None = None
    below: float | None = None
    interval_above: float | None = None
    every: bool = False
    expected: float | None = None
    tolerance: float | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _expected_has_a_tolerance(self) -> Self:
        if (self.expected is None) != (self.tolerance is None):
            raise ValueError("Give expected and tolerance together, or neither.")
        return self

    def status(self, figure: Figure | None) -> Status:
        """How a figure compares; None is one that was not measured."""
        if figure is None:
            return Status.NOT_RUN
        value = figure.value
        if isinstance(value, Undefined):
            return Status.UNDEFINED
        if not self.model_fields_set - {"what", "figure"}:
            return Status.REPORTED
        holds = (
            self.at_least is None or value >= self.at_least,
            self.at_most is None or value <= self.at_most,
            self.above is None or value > self.above,
            self.below is None or value < self.below,
            self.interval_above is None or (figure.low is not None and figure.low > self.interval_above),
            not self.every or value == figure.n,
            self.expected is None or abs(value - self.expected) <= (self.tolerance or 0.0),
        )
        return Status.OK if all(holds) else Status.FAIL


class RowSpec(Config):
    """Figures that are measured together, and the files that they are read from."""

    title: str
    figures: dict[str, FigureSpec] = Field(min_length=1)
    reads: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    soak: str = ""


class Expected(Config):
    """All rows.

    Attributes:
        seed: Of every draw, 0 or more.
        rows: By their names.
    """

    seed: int
    rows: dict[str, RowSpec]


@dataclass(frozen=True, slots=True)
class Context:
    """What a row's function works with.

    Attributes:
        name: The row's name.
        spec: Its files and figures.
        data: The folder of the data sets.
        var: The folder of this installation's data.
        soak: The folder that `make soak` writes.
        seed: Of every draw.
        note: Says how far it is.
    """

    name: str
    spec: RowSpec
    data: Path
    var: Path
    soak: Path
    seed: int
    note: Callable[[str], None]


Row = Callable[[Context], Mapping[str, Figure]]


@dataclass(frozen=True, slots=True)
class Measured:
    """A row that was measured: when, from what, and what came out; `reason` says why nothing did."""

    row: str
    date: str
    seed: int
    data: Mapping[str, str]
    weights: Mapping[str, str]
    seconds: float
    figures: Mapping[str, Figure]
    reason: str = ""

    def document(self) -> dict[str, Any]:
        document = asdict(self)
        del document["figures"]  # they come last
        return document | {"figures": {key: figure.document() for key, figure in self.figures.items()}}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        figures = {key: Figure.read(figure) for key, figure in document["figures"].items()}
        return cls(**(dict(document) | {"figures": figures}))
