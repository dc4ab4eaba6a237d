"""What a clause cannot do without, and which sentences are another clause."""

import pytest

from legalqa.answering.clauses.library import library
from legalqa.answering.clauses.wording import WORDINGS, is_another, is_said

SAID = [
    ("covenant-not-to-sue", "Dealer shall not at any time contest the validity of the Marks."),
    ("covenant-not-to-sue", "Customer waives and discharges all claims against the Supplier."),
    ("covenant-not-to-sue", "Neither party shall bring an action against the other on account of its patents."),
    ("ip-ownership-assignment", "All drawings made for the Client are works for hire."),
    ("ip-ownership-assignment", "The Developer hereby assigns to the Client all rights in the code."),
    ("volume-restriction", "For each user above fifty the fee rises by one dollar."),
    (
        "volume-restriction",
        "The total liability shall not exceed $100. Use beyond 10,000 calls is charged at one cent a call.",
    ),
    ("termination-for-convenience", "Either party may terminate this Agreement on 60 days’ prior written notice."),
    ("termination-for-convenience", "Owner may end it without cause, or at once if the Tenant is in default."),
    (
        "termination-for-convenience",
        "Either party may leave on three months' notice. Each may leave at once upon a breach.",
    ),
]
ANOTHER = [
    ("volume-restriction", "In no event shall the liability of the Supplier exceed the fees paid."),
    ("termination-for-convenience", "Each party may terminate it at any time if the other (i) becomes insolvent."),
    ("termination-for-convenience", "It may not be terminated except for good cause."),
]
UNSAID = [
    ("covenant-not-to-sue", "Supplier agrees to defend any action of a third party against the Dealer."),
    ("ip-ownership-assignment", "Supplier grants the Dealer the right to use its trade names in advertising."),
    ("volume-restriction", "The fee is due on the first of each month."),
]


@pytest.mark.parametrize(("key", "text"), SAID)
def test_a_sentence_with_the_words_of_the_clause_says_it_whatever_is_beside_it(key: str, text: str) -> None:
    assert is_said(key, text)
    assert not is_another(key, text)


@pytest.mark.parametrize(("key", "text"), ANOTHER)
def test_a_cap_on_liability_and_an_end_for_cause_are_other_clauses(key: str, text: str) -> None:
    assert is_another(key, text)


@pytest.mark.parametrize(("key", "text"), UNSAID)
def test_what_lacks_the_words_neither_says_the_clause_nor_is_another(key: str, text: str) -> None:
    assert not is_said(key, text)
    assert not is_another(key, text)


def test_a_clause_without_wording_takes_every_sentence() -> None:
    assert is_said("governing-law", "The laws of Ohio apply.")
    assert not is_another("governing-law", "The laws of Ohio apply.")


def test_every_wording_is_of_a_clause_of_the_library() -> None:
    assert WORDINGS.keys() <= {clause.key for clause in library()}
