"""Neighbours as one context: what it holds, and where cases agree, differ and repeat."""

from dataclasses import replace

import pytest

from retrieval.cases.merging import CaseText, case_text, likeness, merged

NOTICE = CaseText(
    "1",
    "How much notice ends the lease?",
    "Under the Housing Act 1988 a tenant gives notice of three months.",
    {"act": ("Housing Act 1988",)},
    "3 months.",
)
SHORTER = CaseText(
    "2",
    "What notice does a weekly tenant give?",
    "Under the Housing Act 1988 a weekly tenant gives notice of one week.",
    {"act": ("Housing Act 1988",)},
    "1 week.",
)
ROOF = CaseText("3", "Who repairs the roof?", "The landlord repairs the roof.", {}, "The landlord does not charge.")


def test_the_contexts_of_the_paper_hold_what_their_equations_name() -> None:
    assert case_text(NOTICE, context="support") == NOTICE.support
    assert "Entities" not in case_text(NOTICE, context="case")
    assert case_text(NOTICE, context="full").split("\n") == [
        "Question: How much notice ends the lease?",
        f"Support: {NOTICE.support}",
        "Entities: Housing Act 1988",
        "Answer: 3 months.",
    ]


def test_cases_on_one_act_agree_on_it_and_differ_in_their_numbers() -> None:
    found = merged([NOTICE, SHORTER, ROOF], context="full")

    assert found.agree == ("Housing Act 1988",)
    assert found.differ == ("Cases 1 and 2 give different numbers: 3 months; 1 week.",)
    assert found.repeat == ()
    assert found.text.count("Answer:") == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [("72 hours", "3 days"), ("1 year", "12 months"), ("2 weeks", "14 days"), ("0.1 days", "2.4 hours")],
)
def test_a_period_in_another_unit_is_the_same_number(one: str, other: str) -> None:
    cases = [replace(NOTICE, answer=f"Within {period}.") for period in (one, other)]

    assert merged(cases, context="full").differ == ()
    later = replace(NOTICE, answer=f"Within 9{other}.")
    assert merged([cases[0], later], context="full").differ == (
        f"Cases 1 and 2 give different numbers: {one}; 9{other}.",
    )


def test_a_case_that_says_the_same_again_is_named_and_not_written_out() -> None:
    found = merged([NOTICE, NOTICE], context="support")

    assert found.repeat == ("Case 2 repeats case 1.",)
    assert found.text.count(NOTICE.support) == 1


def test_a_question_and_a_case_are_compared_by_what_their_questions_name() -> None:
    found = likeness("How much notice does a monthly tenant give?", SHORTER)

    assert set(found.alike) == {"notice", "tenant"}
    assert "monthly" in found.only_question
    assert "weekly" in found.only_case


def test_words_that_shape_a_question_are_not_said_to_differ() -> None:
    found = likeness(
        "Which deposit must a tenant give?", CaseText("4", "How fast must a heating be repaired?", "", {}, "")
    )

    assert found.alike == ()
    assert found.only_question == ("deposit", "tenant")
    assert found.only_case == ("fast", "heating", "repaired")
