"""What a piece speaks of."""

import pytest

from corpora.provisions.exceptions import limits
from corpora.provisions.features import facts_of


def test_a_fine_has_its_amounts_and_is_a_penalty() -> None:
    facts = facts_of(
        "shall be subject to administrative fines of up to 35 000 000 EUR or up to 7 % of its turnover, see § 5"
    )

    assert facts.amounts == ("35 000 000 EUR", "7 %")
    assert facts.is_penalty
    assert facts.references == ("§ 5",)


@pytest.mark.parametrize(
    ("text", "durations"),
    [
        ("no less than 10 business days before use", ("10 business days",)),
        ("within thirty (30) days and without undue delay", ("thirty (30) days", "without undue delay")),
        ("for one year", ("one year",)),
        ("the days of our lives", ()),
    ],
)
def test_periods_are_taken_as_printed(text: str, durations: tuple[str, ...]) -> None:
    assert facts_of(text).durations == durations


def test_dates_are_taken_as_printed() -> None:
    assert facts_of("takes effect on January 1, 2023, published 12/11/2021").dates == ("January 1, 2023", "12/11/2021")


@pytest.mark.parametrize(
    ("text", "duty", "permission", "prohibition"),
    [
        ("The deployer shall keep the logs.", True, False, False),
        ("The deployer may keep the logs.", False, True, False),
        ("An employer may not use a tool.", False, False, True),
        ("Mentor shall not disclose it.", False, False, True),
        ("It shall be unlawful to use a tool.", True, False, True),
        ("The report of May 2024 is public.", False, False, False),
    ],
)
def test_duty_permission_and_prohibition_are_told_apart(
    text: str, duty: bool, permission: bool, prohibition: bool
) -> None:
    facts = facts_of(text)

    assert (facts.duty, facts.permission, facts.prohibition) == (duty, permission, prohibition)


def test_a_sentence_that_limits_a_duty_in_one_case_limits_the_rule() -> None:
    artistic = (
        "Where the content forms part of a work of art, the obligations of this paragraph are limited to a notice."
    )

    assert limits(artistic)
    assert not limits("Where liability is insured, cover is limited to one million euros.")
