"""What the first sentence of a tuning says: what its own intervals allow, and no more."""

from typing import Any

import pytest

from legalqa.training.tuning.pages import verdict


def interval(value: float, low: float, high: float) -> dict[str, Any]:
    return {"value": value, "low": low, "high": high, "undefined": ""}


GAIN, LEVEL = interval(0.1, 0.05, 0.2), interval(0.01, -0.02, 0.05)


def report(**changes: Any) -> dict[str, Any]:
    """A tuning with a gain, no loss of recall, and classes that count."""
    differences = {"per_kilotoken": GAIN, "recall": interval(0.0, 0.0, 0.02), "over_chance": GAIN}
    lines = [{"name": "tuned", "per_kilotoken": 0.57}, {"name": "random class", "per_kilotoken": 0.3}]
    return {"documents": 3, "lines": lines, "differences": differences | changes}


@pytest.mark.parametrize(
    ("found", "tone", "words"),
    [
        (report(), "ok", "without loss of recall"),
        (report(recall=interval(-0.023, -0.06, 0.0)), "partly", "a loss of recall of up to 0.060 cannot be excluded"),
        (report(recall=interval(-0.05, -0.06, -0.01)), "partly", "it finds less than the best fixed k"),
        (report(per_kilotoken=LEVEL), "partly", "Not better than the best fixed k by more than chance"),
        (report(over_chance=LEVEL), "partly", "Random classes do as well"),
        (report() | {"documents": 1}, "partly", "the result says nothing about other documents"),
    ],
)
def test_the_banner_says_what_the_intervals_allow(found: dict[str, Any], tone: str, words: str) -> None:
    said = verdict(found)

    assert said["tone"] == tone
    assert words in said["words"]


def test_an_older_report_without_that_interval_is_read_by_its_table() -> None:
    found = report()
    del found["differences"]["over_chance"]
    found["lines"][1]["per_kilotoken"] = 0.587

    assert "Random classes do as well" in verdict(found)["words"]
