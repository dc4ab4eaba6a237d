"""A rule that replaces what answers comes before it, and one with another amount beside it."""

import pytest

from corpora.provisions.grouping import provision_at
from corpora.provisions.types import Part
from legalqa.answering.composing import PassageFound, compose
from legalqa.encoder.client import Read
from tests.legalqa.answering.composing.readers import sure_of

OLD = "2. Remote Work Policy Employees are permitted to work remotely up to 3 days per week."
NEW = (
    "9. Office Presence All employees are expected to maintain a minimum of 5 days per week in-office presence. "
    "This supersedes the remote work provisions in Section 2 of the handbook."
)
ASKED = "On how many days per week may I work remotely?"


def found(text: str, *, title: str, place: int) -> PassageFound:
    return PassageFound(title, title, 0, place, text, provision_at([Part(0, text, "text")], 0), title=title)


def titles_shown(*passages: PassageFound, answer: str, asked: str = ASKED) -> list[str]:
    composed = compose(asked, (asked,), passages, reader=sure_of(answer), likeness=lambda _, texts: [0.6] * len(texts))
    return [passages[one.passage].title for one in composed.provisions]


def test_the_rule_that_replaces_what_answers_comes_before_it() -> None:
    passages = (found(OLD, title="Staff Handbook", place=0), found(NEW, title="Office Addendum", place=1))

    assert titles_shown(*passages, answer="up to 3 days") == ["Office Addendum", "Staff Handbook"]


@pytest.mark.parametrize(
    ("other", "title"),
    [
        (NEW, "Staff Handbook"),  # a document does not replace itself
        # It does not say that it replaces anything.
        ("All employees are expected to maintain 5 days per week in-office presence.", "Office Addendum"),
    ],
)
def test_what_answers_stays_alone_where_nothing_says_that_it_is_replaced(other: str, title: str) -> None:
    passages = (found(OLD, title="Staff Handbook", place=0), found(other, title=title, place=1))

    assert titles_shown(*passages, answer="up to 3 days") == ["Staff Handbook"]


@pytest.mark.parametrize(("days", "shown"), [("7 days", ["Handbook", "Addendum"]), ("30 days", ["Handbook"])])
def test_a_sentence_that_says_the_same_with_another_time_is_shown_in_a_long_paragraph_too(
    days: str, shown: list[str]
) -> None:
    first = "All training is done online and ends with a test. New starters must complete the training within 30 days."
    other = f"Departments with low scores receive help. New starters must complete the training within {days}."
    passages = (found(first, title="Handbook", place=0), found(other, title="Addendum", place=1))

    def reads(pair: tuple[str, str]) -> Read:
        place = pair[1].find("within 30 days.") if pair[1].startswith("All") else -1
        return (
            Read(0.9, (place, place + 14), 0.0, (0.0, 0.0, 1.0))
            if place >= 0
            else Read(0.4, None, 0.0, (0.0, 0.0, 1.0))
        )

    asked = "By when must new starters complete the training?"
    composed = compose(
        asked,
        (asked,),
        passages,
        reader=lambda pairs: list(map(reads, pairs)),
        likeness=lambda _, texts: [0.6] * len(texts),
    )

    assert [passages[one.passage].title for one in composed.provisions] == shown


def test_of_two_times_the_one_comes_first_whose_document_says_elsewhere_that_it_replaces_the_other() -> None:
    old = found("After 5 failed logins the account is locked for 30 minutes.", title="Staff Handbook", place=0)
    new = found("After 3 failed logins the account is locked for 60 minutes.", title="Office Addendum", place=1)
    notice = found("These requirements supersede Section 4 of the Staff Handbook.", title="Office Addendum", place=2)
    asked = "After how many failed logins is the account locked?"

    assert titles_shown(old, new, answer="failed logins", asked=asked) == ["Staff Handbook", "Office Addendum"]
    assert titles_shown(old, new, notice, answer="failed logins", asked=asked) == ["Office Addendum", "Staff Handbook"]
