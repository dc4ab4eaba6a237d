"""Before and after in words."""

from typing import Any

import pytest

from legalqa.training.comparisons import comparison_rows, figures, gain, loss_curve, verdict, verdict_words
from tests.trained import report_of, row_of


def difference(
    value: float | None, low: float | None = None, high: float | None = None, why: str = ""
) -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "undefined": why}


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (difference(0.04, 0.02, 0.06), "better"),
        (difference(-0.04, -0.06, -0.02), "worse"),
        (difference(0.04, -0.01, 0.06), "level"),
        (difference(0.04, 0.0, 0.06), "level"),
        (difference(None, why="no questions"), "unknown"),
    ],
)
def test_a_difference_is_one_only_where_its_whole_interval_lies_on_one_side(found: dict[str, Any], word: str) -> None:
    assert verdict(found) == word


def test_figures_are_signed_and_shown_with_their_interval() -> None:
    assert figures(difference(0.04, -0.01, 0.06)) == "+0.040 [−0.010, +0.060]"
    assert figures(difference(None, why="no questions")) == ""


def test_the_list_shows_the_gain_of_the_search_that_people_use() -> None:
    found = gain(report_of(gain=0.041))

    assert found is not None
    assert (found["word"], found["figures"]) == ("Better", "+0.041 [+0.021, +0.061]")
    assert gain({}) is None


@pytest.mark.parametrize(
    ("won", "words", "tone"),
    [(0.05, "find more", "ok"), (-0.05, "Do not use it", "contra"), (0.0, "No significant difference", "partly")],
)
def test_the_first_sentence_says_whether_to_use_it(won: float, words: str, tone: str) -> None:
    found = verdict_words(report_of(gain=won), [], what="encoder")

    assert words in found["words"]
    assert found["tone"] == tone


def test_a_loss_elsewhere_is_said_with_the_gain() -> None:
    lost = {"name": "Contracts", "difference": {"word": "Worse"}}
    found = verdict_words(report_of(gain=0.05), [lost], what="encoder")

    assert "find more" in found["words"]
    assert "less on Contracts" in found["words"]
    assert found["tone"] == "partly"


def test_each_way_of_searching_has_a_table_with_the_main_measure_first() -> None:
    default, dense = comparison_rows(report_of())

    assert (default["title"], dense["title"]) == ("The default preset", "Meaning search alone")
    assert [line["is_main"] for line in default["lines"]] == [True, False, False, False, False]


def test_a_row_that_was_not_measured_says_why() -> None:
    row = row_of("The default preset", gain=0.0)
    row["difference"] = dict.fromkeys(row["difference"], difference(None, why="every question was left out"))
    row["before"] = row["after"] = dict.fromkeys(row["before"])
    [table] = comparison_rows({"rows": [row]})

    assert {line["difference"]["word"] for line in table["lines"]} == {"Not measured"}
    assert table["lines"][0]["difference"]["why"] == "every question was left out"


def test_the_curve_of_losses_runs_over_the_whole_box() -> None:
    curve = loss_curve(report_of())

    assert curve is not None
    points = [tuple(map(float, point.split(","))) for point in curve["points"].split()]
    assert (points[0], points[-1]) == ((0.0, 0.0), (600.0, 140.0))
    assert [row["step"] for row in curve["table"]][-1] == 20
    assert loss_curve({"training": {"losses": [1.0]}}) is None
