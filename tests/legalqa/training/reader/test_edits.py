"""Edits of legal sentences: each changes what it is named after and nothing else, or says that it cannot."""

import random
import re

import pytest

from legalqa.training.reader.edits import (
    EDITS,
    date_changed,
    exception_dropped,
    modality_changed,
    negation_changed,
    number_changed,
    party_changed,
    said_otherwise,
)

DRAWS = 40


def drawn(edit: object, text: str) -> set[str]:
    """Whatever the edit makes of a text, over many draws."""
    assert callable(edit)
    return {edit(text, random.Random(seed)) for seed in range(DRAWS)}


def test_another_number_is_in_the_place_of_the_old_one_and_in_its_writing() -> None:
    made = drawn(number_changed, "The tenant pays 1,500 euros within 30 days.")

    assert len(made) > 5
    for text in made:
        found = re.fullmatch(r"The tenant pays ([\d,]+) euros within ([\d,]+) days\.", text)
        assert found is not None, text
        assert sum(new != old for new, old in zip(found.groups(), ("1,500", "30"), strict=True)) == 1


def test_numbers_in_words_are_changed_where_there_are_no_figures_with_their_capital_letter() -> None:
    made = drawn(number_changed, "Thirty days after the notice the lease ends.")

    assert "Thirty days after the notice the lease ends." not in made
    assert all(re.fullmatch(r"[A-Z][a-z]+ days after the notice the lease ends\.", text) for text in made)


@pytest.mark.parametrize("text", ["Section § 20-871 applies.", "See 3.2.1 and A-12.", "The parties agree."])
def test_numbers_of_provisions_are_no_numbers_to_change(text: str) -> None:
    assert drawn(number_changed, text) == {""}


def test_a_number_never_becomes_itself() -> None:
    for text in ("It costs 1 euro.", "It costs 2 euros.", "It costs 0.5 euros.", "It costs 5 euros."):
        assert text not in drawn(number_changed, text)


def test_a_month_becomes_another_month_and_a_year_one_nearby() -> None:
    months, years = drawn(date_changed, "It ends on 3 March."), drawn(date_changed, "It ends in 2024.")

    assert len(months) > 5
    assert all(re.fullmatch(r"It ends on 3 [A-Z][a-z]+\.", text) for text in months)
    assert "It ends on 3 March." not in months
    assert years == {f"It ends in {2024 + by}." for by in (-3, -2, -1, 1, 2, 3)}


def test_may_is_a_month_only_beside_a_day() -> None:
    assert drawn(date_changed, "The tenant may leave.") == {""}
    assert "" not in drawn(date_changed, "It ends on 3 May.")


def test_parties_change_places_everywhere_with_their_number_and_their_capitals() -> None:
    text = "The Landlord pays the tenants, and no LANDLORD pays twice."

    assert drawn(party_changed, text) == {"The Tenant pays the landlords, and no TENANT pays twice."}
    assert drawn(party_changed, "The court decides.") == {""}


def test_a_duty_becomes_a_permission_or_a_prohibition() -> None:
    assert drawn(modality_changed, "The tenant shall pay.") == {
        "The tenant may pay.",
        "The tenant shall not pay.",
        "The tenant need not pay.",
    }


def test_a_prohibition_becomes_a_permission_or_a_duty() -> None:
    assert drawn(modality_changed, "The tenant must not sublet.") == {
        "The tenant may sublet.",
        "The tenant must sublet.",
    }
    assert drawn(modality_changed, "Smoking is prohibited.") == {"Smoking is permitted.", "Smoking are permitted."}


def test_what_governs_or_is_deemed_is_no_duty() -> None:
    assert drawn(modality_changed, "It shall be governed by the law of Utah.") == {""}


def test_not_is_taken_out_where_it_is_and_put_in_where_it_is_not() -> None:
    assert drawn(negation_changed, "The fee is not due.") == {"The fee is due."}
    assert drawn(negation_changed, "The fee is due.") == {"The fee is not due."}
    assert drawn(negation_changed, "A fee of ten euros.") == {""}


def test_a_rule_loses_its_exception_and_keeps_its_full_stop() -> None:
    text = "The tenant pays the rent each month, unless the landlord agrees in writing."

    assert drawn(exception_dropped, text) == {"The tenant pays the rent each month."}


def test_a_sentence_that_is_all_exception_is_left_alone() -> None:
    assert drawn(exception_dropped, "Unless the landlord agrees in writing, the rent is due.") == {""}
    assert drawn(exception_dropped, "The tenant pays the rent each month.") == {""}


@pytest.mark.parametrize("kind", EDITS)
def test_no_edit_gives_the_sentence_back_as_it_was(kind: str) -> None:
    text = "The tenant shall not leave before 3 March 2024, unless the landlord is paid 500 euros in advance."

    made = drawn(EDITS[kind], text)
    assert "" not in made
    assert text not in made


@pytest.mark.parametrize("kind", EDITS)
def test_the_same_draw_makes_the_same_edit(kind: str) -> None:
    text = "The tenant shall not leave before 3 March 2024, unless the landlord is paid 500 euros in advance."

    assert EDITS[kind](text, random.Random(9)) == EDITS[kind](text, random.Random(9))


def test_other_words_keep_numbers_parties_and_negations() -> None:
    text = "(a) The tenant shall not terminate the lease prior to 3 March 2024 pursuant to this clause."
    made = drawn(said_otherwise, text)

    assert len(made) > 1
    for said in made:
        assert not said.startswith("(a)")
        assert "not" in said.split()
        assert {"tenant", "3", "March", "2024"} <= set(said.split())


def test_an_opening_is_dropped_and_the_sentence_begins_with_a_capital() -> None:
    made = drawn(said_otherwise, "Subject to clause 4, the fee is due.")

    assert made == {"The fee is due."}


def test_a_number_said_twice_is_said_once_or_twice_and_never_as_another() -> None:
    made = drawn(said_otherwise, "The rent is due in thirty (30) days.")

    assert made == {
        "The rent is due in thirty (30) days.",
        "The rent is due in thirty days.",
        "The rent is due in 30 days.",
    }
