"""Things that a question holds against each other are asked about one by one."""

import pytest

from legalqa.answering.composing.parts import question_parts
from legalqa.answering.composing.versus import each_thing_asked


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "What happens with flexitime, versus travel time and credit hours?",
            (
                "What happens with flexitime?",
                "What happens with travel time?",
                "What happens with credit hours?",
            ),
        ),
        (
            "What fine is due for a first breach as opposed to a second breach?",
            ("What fine is due for a first breach?", "What fine is due for a second breach?"),
        ),
        (
            "How long must we keep invoices, compared with payslips?",
            ("How long must we keep invoices?", "How long must we keep payslips?"),
        ),
    ],
)
def test_each_of_the_things_is_asked_about(question: str, parts: tuple[str, ...]) -> None:
    assert each_thing_asked(question) == parts
    assert question_parts(question)[1:] == parts


@pytest.mark.parametrize(
    "question",
    [
        "What do we owe on sales to small customers compared with the rest?",
        "How does our lease differ from the licence?",
        "What happens with my leave?",
    ],
)
def test_a_question_on_one_thing_or_on_the_rest_stays_one(question: str) -> None:
    assert each_thing_asked(question) == ()
