"""Who decides: the offices that a sentence names, and two sentences that name different ones."""

import pytest

from legalqa.answering.conflicts.engine import conflict_of
from legalqa.answering.conflicts.offices import offices_in, other_office, without_offices


@pytest.mark.parametrize(
    ("text", "offices"),
    [
        ("Exceptions are approved by both the Security Officer and the COO.", ["Security Officer", "COO"]),
        ("The head of facilities signs off on it.", ["head of facilities"]),
        ("It is the responsibility of the VP of Customer Success.", ["VP of Customer Success"]),
        ("Nobody in particular decides.", []),
    ],
)
def test_offices_are_met_with_the_words_that_say_which(text: str, offices: list[str]) -> None:
    assert [text[start:end] for start, end in offices_in(text)] == offices


def test_an_office_written_short_is_the_office_written_out() -> None:
    written, short = "The Chief Financial Officer approves it.", "It is approved by the CFO."

    assert other_office(written, short) is None
    assert other_office(written, "It is approved by the CTO.") is not None


def test_two_offices_of_which_one_is_in_both_sentences_are_no_difference() -> None:
    assert other_office("The CEO approves it.", "The CEO or the CTO approves it.") is None


def test_offices_that_do_different_things_are_no_difference() -> None:
    assert other_office("The CEO approves the plan.", "The CTO is responsible for the plan.") is None


def test_a_sentence_without_its_offices_keeps_its_length() -> None:
    text = "The CFO approves every purchase."

    assert without_offices(text) == "The     approves every purchase."


def test_one_thing_decided_by_two_offices_is_a_contradiction() -> None:
    a = "Exceptions from the travel policy are approved by the finance director."
    b = "Exceptions from the travel policy are approved by the general counsel."

    found = conflict_of(a, b, likeness=lambda *_: 0.9)

    assert found is not None
    assert (found.kind, found.a.words, found.b.words) == ("different role", "finance director", "general counsel")


def test_two_offices_that_decide_on_different_amounts_are_no_contradiction() -> None:
    a = "Purchases above $100,000 are approved by the board of directors."
    b = "Purchases above $10,000 are approved by the office manager."

    found = conflict_of(a, b, likeness=lambda *_: 0.9)

    assert found is None or found.kind != "different role"
