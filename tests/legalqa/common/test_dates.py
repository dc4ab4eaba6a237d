"""What is no day is refused for what it is, and every day has an end."""

from datetime import UTC, date, datetime

import pytest

from legalqa.common.dates import day_begins, day_ends, day_sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("2024-02-30", "2024-02-30 does not exist; choose another day."),
        ("2023-02-29T09:30:00Z", "2023-02-29 does not exist; choose another day."),
        ("0000-01-01", "0000-01-01 does not exist; choose another day."),
        ("2024-01-31 at noon", "'2024-01-31 at noon' is not a date; write it as 2024-01-31."),
        ("2024-01-311", "'2024-01-311' is not a date; write it as 2024-01-31."),
        ("31/1/2024", "'31/1/2024' is not a date; write it as 2024-01-31."),
    ],
)
def test_what_is_no_day_is_refused_for_what_it_is(text: str, sentence: str) -> None:
    assert day_sentence(text) == sentence


def test_a_day_ends_where_the_next_one_begins_and_the_last_one_at_its_end() -> None:
    assert day_ends(date(2024, 2, 29)) == day_begins(date(2024, 3, 1)) == datetime(2024, 3, 1, tzinfo=UTC)
    assert day_begins(date.max) < day_ends(date.max)
