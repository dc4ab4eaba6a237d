"""Figures and bars: what counts as reached, and what counts as neither reached nor failed."""

import pytest
from pydantic import ValidationError

from judging.measures.intervals import Interval
from judging.measures.values import Average, Undefined
from legalqa.reproduce.types import Figure, FigureSpec, Status


def bar(**conditions: object) -> FigureSpec:
    return FigureSpec.model_validate({"what": "a share", "figure": "as said"} | conditions)


@pytest.mark.parametrize(
    ("conditions", "value", "status"),
    [
        ({"at_least": 0.9}, 0.9, Status.OK),
        ({"at_least": 0.9}, 0.899, Status.FAIL),
        ({"at_most": 50}, 50.0, Status.OK),
        ({"at_most": 50}, 50.1, Status.FAIL),
        ({"above": 0.0}, 0.0, Status.FAIL),
        ({"below": 1.0}, 1.0, Status.FAIL),
        ({"below": 1.0}, 0.4, Status.OK),
        ({"expected": 0.8, "tolerance": 0.02}, 0.79, Status.OK),
        ({"at_least": 0.7, "expected": 0.8, "tolerance": 0.02}, 0.9, Status.FAIL),
        ({}, 0.1, Status.REPORTED),
    ],
)
def test_every_condition_must_hold(conditions: dict[str, object], value: float, status: Status) -> None:
    assert bar(**conditions).status(Figure(value)) == status


def test_an_interval_must_lie_above_a_line_not_only_its_middle() -> None:
    gain = bar(interval_above=0.0)

    assert gain.status(Figure.of(Interval(0.05, 0.01, 0.09, 40))) == Status.OK
    assert gain.status(Figure.of(Interval(0.05, -0.01, 0.11, 40))) == Status.FAIL
    assert gain.status(Figure(0.05)) == Status.FAIL


def test_all_of_them_means_all_of_them() -> None:
    assert bar(every=True).status(Figure.count(22, 22)) == Status.OK
    assert bar(every=True).status(Figure.count(21, 22)) == Status.FAIL


def test_what_is_undefined_or_was_not_run_neither_passes_nor_fails() -> None:
    assert bar(at_least=0.9).status(Figure(Undefined("no gold"))) == Status.UNDEFINED
    assert bar(at_least=0.9).status(None) == Status.NOT_RUN
    assert Figure.count(0, 0).value == Undefined("no trials")
    assert Figure.share(Average(Undefined("no values"), 0)).value == Undefined("no values")


def test_counts_and_shares_carry_wilsons_interval() -> None:
    count, share = Figure.count(17, 18), Figure.share(Average(17 / 18, 18))

    assert (count.value, count.n) == (17.0, 18)
    assert (count.low, count.high) == pytest.approx((0.742, 0.990), abs=1e-3)
    assert (share.low, share.high) == (count.low, count.high)


@pytest.mark.parametrize(
    "figure",
    [Figure.count(17, 18, note="two files"), Figure(0.5, 10, 0.4, 0.6), Figure(Undefined("no gold"), 3), Figure(12.0)],
)
def test_a_figure_comes_back_from_json_as_it_was(figure: Figure) -> None:
    assert Figure.read(figure.document()) == figure


def test_an_expected_value_needs_its_tolerance() -> None:
    with pytest.raises(ValidationError, match="together"):
        bar(expected=0.8)
