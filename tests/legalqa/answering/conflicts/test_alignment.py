"""How much two sentences have in common, word by word."""

import pytest

from legalqa.answering.conflicts.alignment import aligned, is_one_subject
from legalqa.answering.conflicts.subjects import words_in

KEPT = words_in("Audit logs are archived.")


def test_a_word_in_both_counts_whole_and_asks_for_no_vector() -> None:
    def never(one: str, other: str) -> float:
        raise AssertionError((one, other))

    assert aligned(words_in("Visitors"), words_in("visitor"), never) == 1.0


def test_a_word_counts_by_how_near_its_nearest_one_is() -> None:
    near = {("ledgers", "logs"): 0.7}

    found = aligned(words_in("ledgers"), words_in("logs"), lambda a, b: near.get((a, b), near.get((b, a), 0.0)))

    assert found == pytest.approx(0.5)


def test_words_that_are_far_have_nothing_in_common() -> None:
    assert aligned(words_in("Parental absence"), KEPT, lambda *_: 0.39) == 0.0


def test_what_says_nothing_has_nothing_in_common() -> None:
    assert aligned(words_in("It is."), KEPT, lambda *_: 1.0) == 0.0


def test_two_measures_are_the_more_surely_of_one_thing_the_more_is_in_common() -> None:
    assert is_one_subject(0.6, 1.0) < is_one_subject(0.6, 2.0) < is_one_subject(0.8, 2.0)
