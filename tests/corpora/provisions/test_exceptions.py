"""Which sentences limit a rule, by their words, and which paragraphs they name."""

from time import perf_counter

import pytest

from corpora.provisions.exceptions import (
    conditions,
    excepted_by,
    excepts,
    lifts_requirements,
    numbers_named,
    sets_aside,
)


@pytest.mark.parametrize(
    "sentence",
    [
        "Section 8.1 does not prohibit Partner from disclosing Match Data if required by applicable law.",
        "Paragraph 34 does not prevent the Institute from keeping analysis code.",
        "Paragraph 3 shall not require an audible warning.",
        "The foregoing obligations will not restrict either Party from disclosing Confidential Information.",
        "This Section does not preclude a disclosure to the auditors.",
        "Nothing in Section 8.1 shall be construed to prohibit a disclosure to counsel.",
    ],
)
def test_a_sentence_by_which_another_provision_does_not_forbid_something_is_an_exception(sentence: str) -> None:
    assert excepts(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The label does not prohibit resale.",
        "Such a failure does not prevent the committee from deciding.",
        "Nothing in this Agreement shall be construed as a partnership.",
    ],
)
def test_a_sentence_that_only_denies_something_is_no_exception(sentence: str) -> None:
    assert not excepts(sentence)


@pytest.mark.parametrize(
    ("sentence", "numbers"),
    [
        ("Except as provided in paragraph (3) of this subsection, the recipient shall return all copies.", {"3"}),
        ("Except in the cases referred to in paragraphs 3 and 5, a permit is needed.", {"3", "5"}),
        ("Copies shall be returned, unless otherwise provided in Section 12.3.", {"12.3"}),
        ("Except as set forth in Section 3, the recipient shall not copy the data.", set()),  # not the paragraph beside
        ("Except as provided in paragraph (c)(2), a permit is needed.", set()),
        ("A permit is needed unless this is obvious from the point of view of a user.", set()),
    ],
)
def test_a_rule_points_to_its_exceptions_by_their_numbers(sentence: str, numbers: set[str]) -> None:
    assert excepted_by(sentence) == numbers


def test_an_article_after_a_number_is_no_number_of_a_point() -> None:
    assert numbers_named("By derogation from paragraph 2, a host may be away.") == {"2"}
    assert numbers_named("points a, b and c") == {"a", "b", "c"}


def test_what_a_sentence_sets_aside_is_at_its_beginning() -> None:
    assert sets_aside("Notwithstanding the requirements of paragraphs (2) and (3) of subdivision (b), it may.") == {
        "2",
        "3",
    }
    assert sets_aside("However, the period in paragraph 2 is a month.") == set()


def test_only_requirements_are_lifted_where_they_alone_are_named() -> None:
    assert lifts_requirements("Notwithstanding the requirements of subdivision (a), test data may be used.")
    assert not lifts_requirements("Notwithstanding subdivision (a), test data may be used.")


def test_a_duty_of_those_who_use_a_permission_is_its_condition() -> None:
    duty = "Where such a category is excluded, the summary of results must include the justification."

    assert conditions(duty, "An auditor may exclude a category that represents less than 2% of the data.")
    assert not conditions(duty, "An auditor excludes a category that represents less than 2% of the data.")


def test_a_duty_that_names_in_the_same_words_what_is_allowed_is_its_condition() -> None:
    allowed = "An employer may rely on a bias audit that uses test data if insufficient historical data is available."

    assert conditions("If a bias audit uses test data, the summary of results must explain why.", allowed)
    assert not conditions("If a bias audit uses other data, the summary of results must explain why.", allowed)
    assert not conditions("Where available, the summary of results shall explain why.", allowed)
    assert not conditions("In this regard, the summary of results shall explain why.", allowed)


@pytest.mark.parametrize(
    "words", ["except ", "paragraph 2, ", "Section 8.1 does ", "where such ", "nothing in section 1 "]
)
def test_long_texts_are_read_in_no_time(words: str) -> None:
    text = words * (4_000 // len(words))
    start = perf_counter()
    for read in (excepts, excepted_by, sets_aside, numbers_named):
        read(text)
    assert not conditions(text, text)
    assert perf_counter() - start < 0.5
