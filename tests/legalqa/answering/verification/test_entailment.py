"""Claim support by rules and a reader: words that decide stay decided, paraphrases are read, a denial is a verdict."""

from collections.abc import Sequence

import pytest

from legalqa.answering.verification import Claim, Reads, prose_check, support_check, support_checks
from legalqa.answering.verification.entailment import WINDOW_WORDS, evidence_windows

FIVE = "A tenant who pays late owes interest of five percent a year."
SUBLET = "The tenant may sublet a room, unless the landlord has refused within two weeks."
FILLER = "The lease was signed in the office of the agent, and both parties had read it before."


def reader(supported: float, contradicted: float) -> Reads:
    """A reader that says the same of every pair."""

    def reads(pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float, float]]:
        return [(supported, contradicted, 1 - supported - contradicted)] * len(pairs)

    return reads


SURE, DENIES, SILENT = reader(0.95, 0.02), reader(0.02, 0.95), reader(0.02, 0.03)


def test_a_paraphrase_that_the_rules_withhold_is_supported_where_the_reader_says_so() -> None:
    claim = "A tenant who is behind with rent has to pay extra on top."

    assert prose_check(claim, [FIVE]).verdict == "unsupported"
    assert support_check(claim, [FIVE], reads=SURE).verdict == "supported"
    assert support_check(claim, [FIVE], reads=SILENT).verdict == "unsupported"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (FIVE.replace("five", "six"), FIVE),
        (FIVE.replace("tenant", "landlord"), FIVE),
        (SUBLET.replace("may", "must"), SUBLET),
        (SUBLET.replace("may", "may not"), SUBLET),
        ("The tenant may sublet a room.", SUBLET),
        ("Rent that is behind costs 9 percent more.", FIVE),
    ],
)
def test_a_changed_word_that_decides_stays_caught_whatever_the_reader_says(claim: str, source: str) -> None:
    assert support_check(claim, [source], reads=SURE).verdict != "supported"


OWED = "Interest of eight percent is owed by anybody who is late with the rent."


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("A tenant who pays late owes no interest.", OWED),
        ("A tenant who pays late doesn't owe interest.", OWED),
        ("A tenant who pays late owes interest.", OWED.replace("Interest of eight percent", "No interest")),
    ],
)
def test_a_negation_that_only_one_side_has_takes_a_surer_reader(claim: str, source: str) -> None:
    """What passes for a paraphrase of "owes interest" may be its denial."""
    assert support_check(claim, [source], reads=reader(0.6, 0.1)).verdict == "unsupported"
    assert support_check(claim, [source], reads=reader(0.75, 0.1)).verdict == "supported"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("A tenant who pays late owes interest.", OWED),
        ("The keeper hands the report in within thirty days.", "The keeper submits it no later than 30 days after."),
        (
            "A renter gets the money back after one month. Dogs are not welcome.",
            "Pets are not allowed. The deposit is refunded to the renter after one month.",
        ),
    ],
)
def test_what_denies_nothing_else_takes_no_surer_one(claim: str, source: str) -> None:
    assert support_check(claim, [source], reads=reader(0.6, 0.1)).verdict == "supported"


@pytest.mark.parametrize("evidence", [[], [""], ["  "]])
def test_where_nothing_is_cited_nothing_is_read(evidence: list[str]) -> None:
    assert support_check("The fee is ten euros.", evidence, reads=SURE).verdict == "unsupported"


def test_contradicted_is_a_verdict_with_the_sentence_that_denies_the_claim() -> None:
    check = support_check("A tenant who pays late owes no interest.", [FIVE], reads=DENIES)

    assert check.verdict == "contradicted"
    assert FIVE.rstrip(".") in check.reasons[0]


def test_what_the_rules_find_word_for_word_is_not_read() -> None:
    assert support_check(FIVE, [FIVE], reads=DENIES).verdict == "supported"


def test_without_a_reader_the_rules_decide_alone() -> None:
    claims = [FIVE, FIVE.replace("five", "six"), "The tenant may sublet a room."]
    checks = support_checks([Claim(text, [FIVE, SUBLET]) for text in claims], reads=None)

    assert checks == [prose_check(text, [FIVE, SUBLET]) for text in claims]


def test_of_long_evidence_the_nearest_sentences_are_read() -> None:
    windows = list(evidence_windows(FIVE, [*[FILLER] * 60, FIVE, *[FILLER] * 60, SUBLET]))

    assert FIVE in windows[0]
    assert all(len(window.split()) <= WINDOW_WORDS for window in windows)


@pytest.mark.parametrize(
    ("claim", "evidence", "words"),
    [
        ("The tenant may sublet a room.", [SUBLET], "unless the landlord has refused"),
        (
            "Ad hoc deletion of records is prohibited.",
            ["Ad hoc deletion of records is prohibited, except where the Legal department has authorised it."],
            "except where the Legal department",
        ),
        (
            "Providers shall register the system before its use.",
            ["Providers shall register the system before its use. This paragraph shall not apply to law enforcement."],
            "This paragraph shall not apply",
        ),
    ],
)
def test_a_rule_without_its_exception_is_partly_supported_and_the_exception_is_named(
    claim: str, evidence: list[str], words: str
) -> None:
    check = support_check(claim, evidence, reads=SURE)

    assert check.verdict == "partly"
    assert f"leaves out the exception “{words}" in check.reasons[0]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "The Board must adopt the plan before its first meeting.",
            "The Board shall adopt the plan prior to its first meeting.",
        ),
        (
            "Providers shall give the documents to the authority under Article 12.",
            "Providers shall provide the documents to the authority pursuant to Article 12.",
        ),
        ("Records must be kept for no less than six months.", "Records must be kept for at least six months."),
        (
            "Destruction shall be logged, with type, volume, date, and the name of the employee.",
            "Destruction must be logged, with type, volume, date, and the name of the employee.",
        ),
    ],
)
def test_legal_english_in_plain_words_is_supported_without_a_reader(claim: str, source: str) -> None:
    assert prose_check(claim, [source]).verdict == "supported"
