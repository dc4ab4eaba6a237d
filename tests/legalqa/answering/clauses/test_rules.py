"""Titles, dates, parties and governing law read by rule, from openings of contracts that were made up or rewritten."""

from time import process_time

import pytest

from legalqa.answering.clauses.library import library
from legalqa.answering.clauses.rules import RULES, answer_words, rule_find

PREAMBLE = (
    "THIS AGREEMENT is made and entered into as of the 3rd day of May, 2019 (the “Effective Date”), by and between "
    "Acme Widgets, Inc., a Utah corporation with offices in Provo (“Acme”), and Bee Lines Limited, of Malta (“Bee”)."
)


def answers(key: str, *texts: str) -> str | None:
    """The answer's words in what the rule found; None where it found nothing."""
    hit = rule_find(key, texts)
    return answer_words(key, texts[hit.place][hit.start : hit.end]) if hit else None


@pytest.mark.parametrize(
    ("texts", "title"),
    [
        (("Exhibit 10.4", "RESELLER AGREEMENT", PREAMBLE), "RESELLER AGREEMENT"),
        (("Exhibit 2.1 EXECUTION VERSION DEED OF TRUST among A CORP. and B CORP.",), "DEED OF TRUST"),
        (("Annex 3 - Hosting and Support Agreement", "Between:"), "Hosting and Support Agreement"),
        (("March 1, 2020", "This Bulk Sale Agreement (the “Agreement”) is made."), "Bulk Sale Agreement"),
        (("This Agreement is made today.", "The Supplier delivers. The Lease is separate."), None),
    ],
)
def test_the_title_is_a_line_or_what_the_preamble_calls_the_contract(texts: tuple[str, ...], title: str | None) -> None:
    assert answers("document-name", *texts) == title


@pytest.mark.parametrize(
    ("texts", "date"),
    [
        ((PREAMBLE,), "3rd day of May, 2019"),
        (("LEASE", "dated as of December 1, 2020", "by and between"), "December 1, 2020"),
        (("LEASE", "14 February 2021", "between"), "14 February 2021"),
        (("THIS AGREEMENT is made on [date]",), None),
        (("The parties signed that certain Loan Agreement dated as of May 5, 2011.",), None),
        (("Payment is due on May 5, 2011.",), None),
    ],
)
def test_the_date_of_the_agreement_is_not_that_of_another_one(texts: tuple[str, ...], date: str | None) -> None:
    assert answers("agreement-date", *texts) == date


@pytest.mark.parametrize(
    ("texts", "parties"),
    [
        ((PREAMBLE,), "Acme Widgets, Inc. and Bee Lines Limited"),
        (("This Lease, between Jane Roe and John Doe, is made today.",), "Jane Roe and John Doe"),
        (("The parties agree as follows. Time passes between the parties and others.",), None),
    ],
)
def test_the_parties_are_those_of_the_preamble(texts: tuple[str, ...], parties: str | None) -> None:
    assert answers("parties", *texts) == parties


def test_parties_on_lines_of_their_own_are_found_in_the_paragraph_of_the_first() -> None:
    texts = ("DEED", "BETWEEN:", "(1) ACME LIMITED, of London (“Acme”); and", "(2) BEE LIMITED, of Leeds (“Bee”).")

    hit = rule_find("parties", texts)

    assert hit is not None and hit.place == 2


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("This Lease is governed by and construed under the laws of the State of Ohio.", "the State of Ohio"),
        ("This Deed is governed by English law, without regard to French law.", "English law"),
        ("The validity of this Agreement shall be governed by the law of the state of Utah.", "the state of Utah"),
        ("THIS LEASE SHALL BE CONSTRUED UNDER THE LAWS OF MAINE WITHOUT REGARD TO CONFLICTS.", "MAINE"),
        ("This Agreement is accepted in Iowa and is governed by the laws thereof.", ""),
        ("The duties of directors are governed by the laws of Delaware.", None),
    ],
)
def test_the_governing_law_is_named_of_the_contract_itself(text: str, law: str | None) -> None:
    assert answers("governing-law", "Payment is due.", text) == law


def test_the_effective_date_is_the_one_that_is_called_so() -> None:
    assert answers("effective-date", PREAMBLE) == "3rd day of May, 2019"
    assert answers("effective-date", "Dated May 5, 2011.") is None
    assert rule_find("insurance", [PREAMBLE]) is None
    assert RULES.keys() <= {one.key for one in library()}


@pytest.mark.parametrize(
    "piece", ["Agreement governed by the laws ", "A, B and ", "(Between A ", "THE AND OF ", "dated 1 "]
)
def test_long_texts_are_read_in_time(piece: str) -> None:
    texts = [piece * 2000] * 20
    started = process_time()

    for key in RULES:
        rule_find(key, texts)

    assert process_time() - started < 10
