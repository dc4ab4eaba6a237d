"""A long comparison is made in another process, comes to the same, and outlives the death of that process."""

import os
import signal
from collections.abc import Iterator

import pytest

from corpora import comparing
from corpora.comparing import compared
from corpora.differences import PAGE_STEPS, VersionParagraph, compare
from legalqa.common.work import Work

OLD = [
    VersionParagraph(1, 0, "The tenant pays 900 euros on the first day."),
    VersionParagraph(2, 1, "The landlord repairs the roof."),
]
NEW = [
    VersionParagraph(3, 0, "The tenant pays 950 euros on the first day."),
    VersionParagraph(2, 1, "The landlord repairs the roof."),
]


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(comparing, "SHORT_CHARACTERS", 0)  # or it takes texts of 100,000 characters
    yield
    if comparing._pool is not None:
        comparing._pool.shutdown()
        comparing._pool = None


@pytest.mark.usefixtures("elsewhere")
def test_a_long_comparison_comes_to_the_same_at_the_same_cost() -> None:
    here, there = Work(PAGE_STEPS), Work(PAGE_STEPS)

    assert compared(OLD, NEW, work=there) == compare(OLD, NEW, work=here)
    assert (there.left, there.is_spent) == (here.left, here.is_spent)


@pytest.mark.usefixtures("elsewhere")
def test_a_comparison_whose_process_was_killed_is_made_by_another() -> None:
    compared(OLD, NEW, work=Work(PAGE_STEPS))
    assert comparing._pool is not None
    [first] = comparing._pool._processes
    os.kill(first, signal.SIGKILL)

    assert compared(OLD, NEW, work=Work(PAGE_STEPS)) == compare(OLD, NEW, work=Work(PAGE_STEPS))


@pytest.mark.usefixtures("elsewhere")
def test_a_budget_that_is_spent_there_is_spent_here() -> None:
    work = Work(1)

    assert [difference.origin for difference in compared(OLD, NEW, work=work)] == ["added", "removed", "same"]
    assert work.is_spent
