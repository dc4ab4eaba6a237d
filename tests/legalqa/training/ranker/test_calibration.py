"""Reliability and risk: counted by hand on a few questions."""

from xml.etree import ElementTree

import pytest

from legalqa.training.ranker.calibration import calibration_report, reliability_svg
from legalqa.training.ranker.types import QuestionOutcome


def outcome(number: int, probability: float, *, is_right: bool) -> QuestionOutcome:
    return QuestionOutcome(
        id=f"{number:03}",
        collection="rules",
        group="1",
        kind="1",
        is_answerable=True,
        gold=("a",),
        ranked=("a",) if is_right else ("b",),
        baseline=("b", "a"),
        probability=probability,
        answerable=0.5,
        fusion_score=0.01,
        is_answered=True,
    )


def test_a_probability_that_keeps_its_word_has_no_error() -> None:
    found = [outcome(n, 0.5 + n * 1e-9, is_right=n % 2 == 0) for n in range(100)]

    report = calibration_report(found)

    assert report["ece"] == pytest.approx(0.0)
    assert [b["n"] for b in report["bins"]] == [10] * 10


def test_a_probability_that_promises_too_much_is_off_by_as_much() -> None:
    report = calibration_report([outcome(n, 0.9, is_right=False) for n in range(20)])

    assert report["ece"] == pytest.approx(0.9)
    assert report["aurc"] == 1.0


def test_risk_counts_the_surest_questions_first() -> None:
    report = calibration_report([outcome(n, n / 10, is_right=n >= 5) for n in range(10)])

    assert report["risk_coverage"][-1] == {"coverage": 1.0, "risk": 0.5}
    assert report["risk_coverage"][0]["risk"] == 0.0


def test_the_diagram_is_a_drawing_with_a_dot_a_bin() -> None:
    drawing = ElementTree.fromstring(reliability_svg([{"n": 1, "said": 0.2, "right": 0.4}] * 3, title="rules"))

    assert sum(element.tag.endswith("circle") for element in drawing.iter()) == 3


def test_ranks_are_counted_from_one_and_none_where_nothing_was_found() -> None:
    found = outcome(1, 0.5, is_right=False)

    assert (found.gold_ranks, found.baseline_ranks, found.cites_gold) == ((None,), (2,), False)
