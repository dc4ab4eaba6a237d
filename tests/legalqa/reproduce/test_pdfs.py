"""The row of difficult PDFs: what counts as expected, and how words are compared."""

import json
from pathlib import Path

import pytest

from legalqa.reproduce.rows.pdfs import WANTED, FileIntake, words_right

MANIFEST = Path(__file__).parents[2] / "data" / "pdfs" / "manifest.jsonl"
READY_SCAN = FileIntake(is_ready=True, warnings=frozenset({"recognised", "pages_to_check"}), n_pages=4)


@pytest.mark.parametrize(
    ("name", "taken", "fits"),
    [
        ("scan_final_rule_4p.pdf", READY_SCAN, True),
        ("scan_final_rule_4p.pdf", FileIntake(is_ready=True, n_pages=4), False),  # words from nowhere
        ("scan_final_rule_4p.pdf", FileIntake(is_ready=False, reason="no_text"), True),
        ("encrypted_user_password.pdf", FileIntake(is_ready=False, reason="password_needed"), True),
        ("encrypted_user_password.pdf", FileIntake(is_ready=True, n_pages=4), False),
        ("scotus_slip_opinion_2012.pdf", FileIntake(is_ready=True, n_pages=30), True),
        ("scotus_slip_opinion_2012.pdf", FileIntake(is_ready=True, n_pages=29), False),
        ("fuzzed_395.pdf", FileIntake(is_ready=False, reason="crashed"), False),
        ("truncated_final_rule.pdf", FileIntake(is_ready=True, n_pages=7), False),  # partial, and nobody was told
    ],
)
def test_a_file_is_as_expected_or_not(name: str, taken: FileIntake, fits: bool) -> None:
    assert WANTED[name].fits(taken) == fits


def test_every_file_that_may_be_redistributed_has_its_expectation() -> None:
    names = {json.loads(line)["file"] for line in MANIFEST.read_text("utf-8").splitlines()}

    assert names <= set(WANTED)


def test_words_are_compared_in_order_without_case_and_signs() -> None:
    assert words_right("The Bias Audit, “annual”.", "the bias audit annual") == 1.0
    assert words_right("one two three four", "one two thrce four") == pytest.approx(2 * 3 / 8)
    assert words_right("one two", "two one") == pytest.approx(0.5)
