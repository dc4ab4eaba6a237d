"""Which version of a document was in force on a day."""

from datetime import date
from uuid import UUID, uuid4

from corpora.in_force import DatedVersion, version_in_force

MARCH, JUNE, SEPTEMBER, NEXT_YEAR = date(2024, 3, 1), date(2024, 6, 1), date(2024, 9, 1), date(2025, 1, 1)


def version(number: int, *, effective: date | None = None, added: date = JUNE) -> DatedVersion:
    return DatedVersion(uuid4(), number, effective, added)


def in_force(*versions: DatedVersion, day: date) -> UUID | None:
    found = version_in_force(versions, day=day)
    return None if found is None else found.id


def test_the_last_version_that_has_taken_effect_counts() -> None:
    first, second = version(1, effective=MARCH), version(2, effective=SEPTEMBER)
    assert in_force(first, second, day=JUNE) == first.id
    assert in_force(first, second, day=SEPTEMBER) == second.id


def test_nothing_is_in_force_before_the_first_version() -> None:
    assert in_force(version(1, effective=JUNE), day=MARCH) is None


def test_a_version_without_a_date_counts_from_the_day_it_was_added() -> None:
    first, second = version(1, added=MARCH), version(2, added=SEPTEMBER)
    assert in_force(first, second, day=date(2024, 2, 29)) is None
    assert in_force(first, second, day=JUNE) == first.id
    assert in_force(first, second, day=NEXT_YEAR) == second.id


def test_a_later_version_replaces_one_without_a_date_even_if_it_took_effect_before_that_was_added() -> None:
    first, second = version(1, added=SEPTEMBER), version(2, effective=JUNE, added=NEXT_YEAR)
    assert in_force(first, second, day=NEXT_YEAR) == second.id


def test_of_two_that_take_effect_on_one_day_the_later_one_counts() -> None:
    first, second = version(1, effective=MARCH), version(2, effective=MARCH)
    assert in_force(first, second, day=JUNE) == second.id


def test_an_older_law_that_was_added_later_does_not_replace_the_newer_one() -> None:
    newer, older = version(1, effective=SEPTEMBER), version(2, effective=MARCH)
    assert in_force(newer, older, day=JUNE) == older.id
    assert in_force(newer, older, day=NEXT_YEAR) == newer.id
