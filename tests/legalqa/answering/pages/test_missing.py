"""Documents that might be missing: words of the question that name a thing, and no verbs."""

import pytest

from legalqa.answering.pages.missing import things_named


@pytest.mark.parametrize(
    ("question", "unknown", "things"),
    [
        ("What insurance must drones carry?", "insurance drones carry", ["insurance", "drones"]),
        (
            "Must a drone operator carry insurance?",
            "drone operator carry insurance",
            ["drone", "operator", "insurance"],
        ),
        ("Who may fly a drone over crowds?", "fly drone crowds", ["drone", "crowds"]),
        ("Who carries the costs of a divorce?", "carries costs divorce", ["costs", "divorce"]),
        ("May we store cryptocurrency weekly?", "store cryptocurrency weekly", ["cryptocurrency"]),
    ],
)
def test_a_verb_is_no_thing_that_a_document_is_missing_for(question: str, unknown: str, things: list[str]) -> None:
    assert things_named(question, unknown.split()) == things


def test_a_word_that_is_a_verb_elsewhere_is_a_thing_after_an_article() -> None:
    assert things_named("What does the report contain?", ["report", "contain"]) == ["report"]
    assert things_named("Who must report?", ["report"]) == []


def test_a_misspelt_word_is_missing_in_no_document() -> None:
    question, corrected = "Which penguins has the tenan?", "Which penguins has the tenant?"
    assert things_named(question, ["penguins", "tenan"]) == ["penguins", "tenan"]
    assert things_named(question, ["penguins", "tenan"], corrected=corrected) == ["penguins"]
