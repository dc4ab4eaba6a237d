"""Contracts of different parties do not contradict; a merger clause replaces what its own parties agreed before."""

from datetime import date
from typing import Any

import pytest

from legalqa.answering.conflicts.contracts import Contract
from legalqa.answering.conflicts.finding import finding_of
from legalqa.answering.conflicts.resolving import Provision, Resolution, replaces
from legalqa.answering.services.conflicts import contract_read

TEN = "Invoices for the pumps must be paid within ten days of receipt."
SIXTY = "Invoices for the pumps must be paid within sixty days of receipt."
MERGER = (
    "This Agreement supersedes all prior agreements and understandings between the parties relating to its subject "
    "matter."
)
ACME, BOLT, CRANE = ("acme", "pump"), ("bolt", "trading"), ("crane", "works")


def contract(title: str, *parties: tuple[str, ...], wording: str = "", **other: Any) -> Provision:
    text = other.pop("text", TEN)
    return Provision(title, text, title, title, kind="contract", contract=Contract(title, parties, wording), **other)


def resolution(a: Provision, b: Provision) -> Resolution | None:
    found = finding_of(a, b)
    assert found is not None
    return found.resolution


def rule(a: Provision, b: Provision) -> str:
    found = resolution(a, b)
    return found.rule if found else "open"


def test_contracts_of_different_parties_are_for_different_cases() -> None:
    supply = contract("Supply Agreement", ACME, BOLT, notices=(MERGER,))
    service = contract("Service Agreement", ACME, CRANE, text=SIXTY)

    found = resolution(supply, service)

    assert found is not None
    assert found.rule == "scope"
    assert found.sentence == "“Supply Agreement” and “Service Agreement” are separate contracts of different parties."


def test_contracts_of_the_same_parties_are_compared_even_where_one_party_was_not_recognised() -> None:
    both = contract("Supply Agreement", ACME, BOLT)

    assert rule(both, contract("Side Letter", ("acme",), ("bolt", "trading"), text=SIXTY)) == "open"
    assert rule(both, contract("Side Letter", BOLT, text=SIXTY)) == "open"


@pytest.mark.parametrize(
    "wording",
    [
        "Acme Pumps Ltd has agreed with Bolt Trading Ltd to deliver the pumps, and Crane Works is to build them.",
        "Crane Works carries out what the Supply Agreement of 2 May 2020 asks for.",
    ],
)
def test_a_subcontract_that_names_the_other_contract_or_its_party_is_compared_with_it(wording: str) -> None:
    supply = contract("Supply Agreement", ACME, BOLT)

    assert rule(supply, contract("Works Contract", ACME, CRANE, text=SIXTY, wording=wording)) == "open"


def test_a_contract_that_calls_itself_by_the_title_of_another_does_not_name_it() -> None:
    one = contract("Supply Agreement", ACME, BOLT)
    other = contract("Bolt", ACME, CRANE, text=SIXTY, wording="This Supply Agreement is made by the parties.")

    assert rule(one, other) == "scope"


def test_a_merger_clause_replaces_what_the_same_parties_agreed_on_the_same_subject() -> None:
    old = contract("Supply Agreement", ACME, BOLT)
    new = contract("Master Supply Agreement", ACME, BOLT, text=SIXTY, notices=(MERGER,))

    found = resolution(old, new)

    assert found is not None
    assert (found.rule, found.holds) == ("supersedes", "b")


@pytest.mark.parametrize(
    "other",
    [
        contract("Lease of the Yard", ACME, BOLT),  # another subject
        contract("Supply Agreement", ACME, BOLT, effective=date(2024, 1, 1)),  # made after it
        contract("Supply Agreement"),  # nobody knows of whom
        Provision("p", TEN, "p", "Payment Policy", kind="policy"),
        Provision("n", TEN, "n", "Notes"),
    ],
)
def test_a_merger_clause_replaces_nothing_else(other: Provision) -> None:
    one = contract("Supply Agreement", ACME, BOLT, effective=date(2020, 1, 1))

    assert not replaces(MERGER, one, other)


def test_two_merger_clauses_of_which_each_would_replace_the_other_leave_it_open() -> None:
    one = contract("Supply Agreement", ACME, BOLT, notices=(MERGER,))

    assert rule(one, contract("Supply Contract", ACME, BOLT, text=SIXTY, notices=(MERGER,))) == "open"


def test_a_merger_clause_that_names_the_other_contract_by_its_kind_replaces_it() -> None:
    notice = "This Agreement supersedes any previous non-disclosure agreement."

    assert replaces(notice, contract("Frame Contract"), contract("Mutual Non-Disclosure Agreement"))
    assert not replaces(notice, contract("Frame Contract"), contract("Consulting Agreement"))


@pytest.mark.parametrize(
    ("notice", "title"),
    [
        ("This handbook supersedes all previous versions of the staff manual.", "Rules for Travel"),
        ("These hours supersede Section 2 of the Staff Handbook.", "Staff Handbook"),
    ],
)
def test_a_policy_replaces_earlier_ones_but_no_contract(notice: str, title: str) -> None:
    policy = Provision("p", TEN, "p", "Handbook 2024", kind="policy")

    assert replaces(notice, policy, Provision("o", SIXTY, "o", title, kind="policy"))
    assert not replaces(notice, policy, contract("Supply Agreement", ACME, BOLT))


def test_the_later_of_two_contracts_goes_before_the_earlier_only_between_the_same_parties() -> None:
    old = contract("Supply Agreement", ACME, BOLT, effective=date(2020, 1, 1))
    dated: dict[str, Any] = {"text": SIXTY, "effective": date(2024, 1, 1)}

    assert rule(old, contract("Order", ACME, BOLT, **dated)) == "later"
    assert rule(old, contract("Order", **dated)) == "open"


def test_a_document_of_unknown_kind_is_a_contract_where_it_names_two_parties() -> None:
    opening = 'This deed is made between Anna Meyer ("Tenant") and Old Mill Ltd (the "Landlord").'

    found = contract_read(title="Deed", kind="", opening=opening, notices=())

    assert found is not None
    assert found.parties == (("anna", "meyer"), ("old", "mill"))
    assert contract_read(title="Deed", kind="", opening="Nobody is named.", notices=()) is None
    assert contract_read(title="Deed", kind="policy", opening=opening, notices=()) is None
