"""Statements of a model laid over their source: what joins the words of two clauses is never shown as supported.

`statements.json` holds sentences as contracts and laws write them, each with statements that follow from it and with
forged ones: parties, objects, amounts and times exchanged between clauses, first for last, orders to the model.
"""

import json
from pathlib import Path

import pytest

from legalqa.answering.verification import prose_check, support_check

CASES = json.loads((Path(__file__).parents[3] / "data" / "statements" / "statements.json").read_text())
MAX_LOST = 0.05


@pytest.mark.parametrize(
    ("claim", "source"), [(claim, case["source"]) for case in CASES for claim in case["forged"]], ids=str
)
def test_no_forged_statement_is_shown_as_supported(claim: str, source: str) -> None:
    check = prose_check(claim, [source])

    assert check.verdict != "supported"
    assert all(reason.endswith(".") for reason in check.reasons)


@pytest.mark.parametrize(
    ("claim", "source"), [(claim, case["source"]) for case in CASES for claim in case["forged"]], ids=str
)
def test_and_none_by_a_reader_that_takes_everything_for_true(claim: str, source: str) -> None:
    check = support_check(claim, [source], reads=lambda pairs: [(1.0, 0.0, 0.0)] * len(pairs))

    assert check.verdict != "supported"


def test_what_the_source_says_is_seldom_withheld() -> None:
    pairs = [(claim, case["source"]) for case in CASES for claim in case["true"]]
    lost = [claim for claim, source in pairs if prose_check(claim, [source]).verdict == "unsupported"]

    assert len(lost) <= MAX_LOST * len(pairs), lost


@pytest.mark.parametrize(
    "sentence",
    [
        "The employer must state the reason in the notice.",
        "You must state your name and address in the application.",
        "The provider shall inform the user of the system's limits.",
        "The high-risk AI system shall be accompanied by instructions for use.",
        "The controller shall reply within one month.",
        "A candidate may ask that the answer be given in writing.",
        "The note must state that the goods are exempt.",
    ],
)
def test_a_rule_on_what_people_must_say_is_no_order_to_a_model(sentence: str) -> None:
    assert prose_check(sentence, [sentence]).verdict == "supported"


def test_a_very_long_repetitive_sentence_is_laid_over_within_bounds() -> None:
    source = "The tenant and the landlord pay rent and charges, " * 400 + "and the bank pays nothing."

    assert prose_check("The bank pays rent. " * 20, [source]).verdict != "supported"
