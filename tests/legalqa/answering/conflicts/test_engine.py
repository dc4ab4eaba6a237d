"""Two provisions and what they differ in: by words, by words and vectors, on pairs that were written for this."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from legalqa.answering.conflicts.engine import conflict_of
from legalqa.answering.conflicts.finding import Finding, evidence_conflicts, finding_of, notices_of
from legalqa.answering.conflicts.measures import measures
from legalqa.answering.conflicts.resolving import Provision
from legalqa.answering.conflicts.subjects import stems_in
from legalqa.answering.services.conflicts import pairs_judged

PAIRS = Path(__file__).parents[3] / "data" / "conflicts" / "pairs.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]


@cache
def judged() -> list[Finding | None]:
    return pairs_judged(pairs=[(row["a"], row["b"]) for row in ROWS])


def called() -> list[bool]:
    return [found is not None and found.is_open for found in judged()]


def test_six_of_seven_contradictions_of_our_own_pairs_are_found() -> None:
    hits = [is_called for row, is_called in zip(ROWS, called(), strict=True) if row["label"] == "conflict"]

    assert len(hits) >= 120
    assert sum(hits) >= 0.85 * len(hits)


def test_hardly_any_consistent_pair_or_pair_of_different_scope_is_called_a_contradiction() -> None:
    wrong = [
        row["id"] for row, is_called in zip(ROWS, called(), strict=True) if is_called and row["label"] != "conflict"
    ]

    assert len(wrong) <= 2


def test_the_kind_of_the_difference_is_named() -> None:
    wrong = [
        row["id"]
        for row, found in zip(ROWS, judged(), strict=True)
        if row["label"] == "conflict" and found is not None and found.conflict.kind != row["kind"]
    ]

    assert wrong == []


def test_figures_of_other_things_do_not_name_a_contradiction() -> None:
    a = "Visitors must wear a badge in the building, which costs $5."
    [found] = pairs_judged(pairs=[(a, "Visitors must not wear a badge in the building, and parking costs $20.")])

    assert found is not None
    assert (found.conflict.kind, found.conflict.a.words) == ("duty against prohibition", "must")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Records are kept for at least six years.", "Records are kept for seven years."),
        ("Backups are tested quarterly.", "Backups are tested every three months."),
        ("Payment is due within 30 days of receipt.", "Payment is due within one month of receipt."),
    ],
)
def test_what_one_value_can_obey_is_no_contradiction(a: str, b: str) -> None:
    assert conflict_of(a, b) is None


def test_the_words_that_differ_have_their_offsets_on_both_sides() -> None:
    a = "General. The landlord must return the deposit of the tenant within 14 days."
    b = "The landlord must return the deposit of the tenant within 30 days."

    found = conflict_of(a, b)

    assert found is not None
    assert (a[found.a.start : found.a.end], b[found.b.start : found.b.end]) == ("14 days", "30 days")
    assert a[found.sentence_a.start : found.sentence_a.end].startswith("The landlord")


def test_what_is_forbidden_until_a_duty_is_done_does_not_contradict_the_duty() -> None:
    """§ 5-301(a) of the rule on automated tools, and its own example."""
    forbidden = (
        "(a) An employer or employment agency may not use or continue to use an AEDT if more than one year has passed "
        "since the most recent bias audit of the AEDT."
    )
    ordered = (
        "To do so, the employer must ensure that a bias audit of the AEDT was conducted no more than a year before the "
        "use of the AEDT."
    )

    assert pairs_judged(pairs=[(forbidden, ordered), (ordered, forbidden)]) == [None, None]


def test_a_prohibition_with_an_exception_for_it_forbids_nothing() -> None:
    a = "The licensee may copy the software for backup."
    b = "The licensee shall not copy the software except for backup."

    assert conflict_of(a, b) is None
    assert conflict_of(a, "The licensee shall not copy the software for backup.") is not None


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Meals in London are reimbursed up to £40 a day.", "Meals in Paris are reimbursed up to £55 a day."),
        ("Appeals in civil cases are filed within 30 days.", "Appeals in criminal cases are filed within 14 days."),
        ("The first instalment is due within 10 days.", "The final instalment is due within 90 days."),
    ],
)
def test_sentences_built_alike_about_different_things_apply_to_different_cases(a: str, b: str) -> None:
    found = conflict_of(a, b, likeness=lambda *_: 0.9)

    assert found is not None
    assert found.scope is not None


def test_another_word_for_what_is_done_makes_no_other_case() -> None:
    a, b = "The deposit is repaid within 10 days.", "The deposit is refunded within 30 days."

    found = conflict_of(a, b, likeness=lambda *_: 0.9)

    assert found is not None
    assert found.scope is None


def test_only_one_may_and_nobody_else_may_say_the_same() -> None:
    a = "Only the security officer may open the safe."

    assert conflict_of(a, "The safe may not be opened by anyone but the security officer.") is None
    assert conflict_of(a, "The safe may not be opened by the security officer.") is not None


def test_a_time_that_obeys_the_longest_one_allowed_is_no_difference() -> None:
    set_time = "Workstations lock after 10 minutes of inactivity."
    allowed = "Workstations must lock after up to 30 minutes of inactivity."

    assert conflict_of(set_time, allowed, likeness=lambda *_: 0.9) is None


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Codes are no shorter than 14 characters.", "Codes are at least 10 characters long.", "different number"),
        ("A purchase of software needs no approval.", "A purchase of software needs approval.", "yes against no"),
        ("The clerk has no obligation to keep notes.", "The clerk must keep notes.", "yes against no"),
    ],
)
def test_bounds_and_denials_in_other_words_are_understood(a: str, b: str, kind: str) -> None:
    found = conflict_of(a, b, likeness=lambda *_: 0.9)

    assert found is not None
    assert (found.kind, found.scope) == (kind, None)


def test_a_reader_decides_on_an_order_and_a_prohibition_in_words_less_near() -> None:
    a, b = "The arbitrator may award costs.", "The arbitrator shall have no power to award costs."

    assert conflict_of(a, b, likeness=lambda *_: 0.54, denies=lambda *_: 0.99) is not None
    assert conflict_of(a, b, likeness=lambda *_: 0.54, denies=lambda *_: 0.5) is None


def test_what_a_rule_says_of_the_rule_before_it_is_no_rule() -> None:
    old = "Security training must be completed by all employees once a year."
    new = "Security training must be completed by all employees quarterly, superseding the annual requirement."

    found = conflict_of(old, new)

    assert found is not None
    assert found.kind == "different frequency"


@pytest.mark.parametrize(
    ("allowed", "forbidden"),
    [
        ("Data may be sent out only if a contract has been signed.", "Do not send data out if no contract is signed."),
        (
            "You may use your phone for work if it is enrolled.",
            "Phones that are not enrolled may not be used for work.",
        ),
        ("You can accept a gift worth $50 or less.", "Gifts above $50 may not be accepted."),
    ],
)
def test_what_is_allowed_in_one_case_and_forbidden_in_all_others_is_one_rule(allowed: str, forbidden: str) -> None:
    assert conflict_of(allowed, forbidden, likeness=lambda *_: 0.9, denies=lambda *_: 0.99) is None


def test_limits_of_an_exemption_and_a_duty_that_overlap_differ_in_the_amount() -> None:
    a, b = "Purchases under $500 need no approval.", "Any purchase over $250 needs approval by a manager."

    found = conflict_of(a, b, likeness=lambda *_: 0.9)

    assert found is not None
    assert (found.kind, found.a.words[:3], found.b.words[:3]) == ("different amount", "500", "250")


def test_what_a_clause_denies_is_not_what_the_sentence_does() -> None:
    a = "Developers can copy production data to the test system when a sample would not show the fault."
    b = "Developers must not copy production data to the test system."

    found = conflict_of(a, b, likeness=lambda *_: 0.9)

    assert found is not None
    assert found.kind == "permission against prohibition"


@pytest.mark.parametrize(
    "until", ["no later than one hour after it was noticed", "by the end of the next business day", "inside 24 hours"]
)
def test_deadlines_in_other_words_are_compared(until: str) -> None:
    found = conflict_of(f"Report a lost badge {until}.", "Report a lost badge within 30 days.", likeness=lambda *_: 0.9)

    assert found is not None
    assert found.kind == "different deadline"


def provision(key: str, text: str, **other: Any) -> Provision:
    return Provision(key, text, **{"document": key, "title": key} | other)


SEVEN = "Records of customers are kept for seven years after the contract has ended."
SIX = "Records of customers are kept for six years after the contract has ended."


def test_a_document_that_replaces_the_other_resolves_the_difference() -> None:
    notices = notices_of([f"{SIX} This directive supersedes the Retention Rule."])

    found = finding_of(
        provision("a", SEVEN, title="Retention Rule"), provision("b", SIX, title="Directive 2", notices=notices)
    )

    assert found is not None
    assert found.resolution is not None
    assert (found.resolution.rule, found.resolution.holds) == ("supersedes", "b")


def test_law_takes_precedence_over_a_policy() -> None:
    found = finding_of(provision("a", SEVEN, title="Staff Handbook"), provision("b", SIX, title="Records Act"))

    assert found is not None
    assert found.resolution is not None
    assert (found.resolution.rule, found.resolution.holds) == ("rank", "b")


@pytest.mark.parametrize(
    ("a", "b", "holds"),
    [
        ({"title": "Records", "kind": "policy"}, {"title": "Records", "kind": "law"}, "b"),
        ({"title": "Records", "kind": "regulation"}, {"title": "Staff Handbook"}, "a"),
        ({"title": "Records Act", "kind": "policy"}, {"title": "Staff Handbook", "kind": "law"}, "b"),
        ({"title": "Records Act", "kind": "other"}, {"title": "Staff Handbook"}, None),
        ({"title": "Records Act"}, {"title": "Staff Handbook", "kind": "contract"}, None),
    ],
)
def test_the_kind_of_a_document_overrides_the_words_of_its_title(
    a: dict[str, str], b: dict[str, str], holds: str | None
) -> None:
    found = finding_of(provision("a", SEVEN, **a), provision("b", SIX, **b))

    assert found is not None
    assert (found.resolution and (found.resolution.rule, found.resolution.holds)) == (holds and ("rank", holds))


def test_two_rules_of_one_rank_are_an_open_contradiction() -> None:
    found = finding_of(provision("a", SEVEN), provision("b", SIX))

    assert found is not None
    assert found.is_open


def test_passages_of_one_document_are_not_held_against_each_other() -> None:
    one, other = provision("a", SEVEN), provision("b", SIX)

    assert len(evidence_conflicts([one, other])) == 1
    assert evidence_conflicts([one, provision("c", SIX, document="a")]) == ()


def test_passages_of_hundreds_of_sentences_keep_no_page_waiting_and_the_others_are_compared() -> None:
    filler = " ".join(f"Box {n} holds {n} files." for n in range(400))
    badge = "Badges of visitors are returned to the gate within {} days of the visit."
    long = [provision(name, f"{badge.format(n)} {filler}", document=name) for name, n in (("a", "two"), ("b", "five"))]
    short = [provision("c", SEVEN, document="c"), provision("d", SIX, document="d")]

    found = evidence_conflicts([*long, *short])

    assert {frozenset((one.a.key, one.b.key)) for one in found} == {frozenset(("c", "d"))}


def test_what_may_be_done_with_something_else_denies_no_prohibition() -> None:
    forbidden = (
        "An employer or employment agency may not use or continue to use a tool if more than one year has passed since "
        "the most recent bias audit of the tool."
    )
    data = (
        "The historical data used to conduct a bias audit may be from one or more employers or employment agencies "
        "that use the tool."
    )
    banned = "An employer or employment agency may not use the tool."

    assert conflict_of(forbidden, data) is None
    assert conflict_of("An employer or employment agency may use the tool in each year.", banned) is not None


def test_the_term_of_a_contract_is_not_the_terms_of_payment_nor_is_an_exception_a_subject() -> None:
    term = "The term of this lease begins on the first of May and lasts ten years, unless sooner ended."
    terms = "Unless otherwise agreed, the terms of payment are Net 45 days."

    assert not stems_in(term) & stems_in(terms)
    assert stems_in("Successive terms of one year follow.") & stems_in(term)
    assert [(one.kind, one.is_deadline) for one in measures(terms)] == [("time", True)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("“Short-term rental.”", "A host sends a copy of the clause that forbids short-term rentals."),
        (
            "The office shall decide on an application within 60 days after it is complete.",
            "If the host files an application within those 120 days, the host may continue until the office decides.",
        ),
    ],
)
def test_the_heading_of_a_definition_and_a_period_that_is_pointed_back_to_contradict_nothing(
    one: str, other: str
) -> None:
    assert conflict_of(one, other) is None
