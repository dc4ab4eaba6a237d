"""Questions to try: each is made from a sentence of the documents that answers it."""

import pytest

from legalqa.answering.examples import MAX_CHARS, example_questions


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("“Force majeure” means an event beyond control.", "What does “Force majeure” mean?"),
        ("The term “bias audit” means an impartial evaluation.", "What does “bias audit” mean?"),
        (
            "The processor shall notify the controller within 72 hours of a breach.",
            "By when must the processor notify the controller?",
        ),
        ("(2) Each party must keep the records of every delivery.", "What must each party keep?"),
    ],
)
def test_a_definition_a_deadline_and_a_duty_are_asked_for(text: str, question: str) -> None:
    assert example_questions([text], limit=3) == [question]


@pytest.mark.parametrize(
    "text",
    [
        "The landlord repairs the roof.",
        "This Regulation shall not apply to sailors.",
        "The fee shall be paid within ten days.",
        "Whereas it is necessary to lay down rules,",
        "",
    ],
)
def test_nothing_is_asked_that_the_sentence_would_not_answer(text: str) -> None:
    assert example_questions([text], limit=3) == []


def test_kinds_take_turns_and_no_question_is_shown_twice_or_is_too_long() -> None:
    texts = [
        "The tenant must keep the keys of the house safe.",
        "The tenant must keep the keys of the house safe.",
        "The owner must repair the roof of the house.",
        "“Rent” means the sum that is due each month.",
        f"The {'very ' * 3}long party must {'x' * MAX_CHARS} the deliverables at once.",
    ]

    assert example_questions(texts, limit=4) == [
        "What does “Rent” mean?",
        "What must the tenant keep?",
        "What must the owner repair?",
    ]
