"""Measures of quoting answers, by hand: a rule with an exception, beside another party's rule in the same words."""

from typing import Any

import pytest

from judging.measures.quotations import SILENT, Quoted, quoted

RULE = "1. Fines shall be up to EUR 1 500 000 for any breach of this Article."
EXCEPTION = "This does not apply to micro- enterprises with fewer than 10 persons."
OTHER = "Fines shall be up to EUR 35 000 000 for any breach of this Article."
REPORT = "Member States shall report the fines every year."
ROW: dict[str, Any] = {
    "answerable": True,
    "must": [{"quote": "Fines shall be up to EUR 1 500 000 for any breach of this Article."}],
    "exception": [{"quote": "This does not apply to micro-\nenterprises with fewer than 10 persons."}],
    "may": [{"quote": REPORT}],
    "misleading": [{"quote": OTHER}],
}
UNANSWERABLE: dict[str, Any] = {"answerable": False, "misleading": [{"quote": REPORT}]}


def judged(*claims: str, row: dict[str, Any] = ROW) -> Quoted:
    return quoted(row, is_answered=True, claims=claims)


def test_the_rule_with_its_exception_is_complete_precise_and_direct() -> None:
    found = judged(RULE, EXCEPTION)

    assert (found.complete, found.precise, found.direct) == (True, 1, 1)
    assert (found.misled, found.wrong, found.bare_rule) == (False, False, 0)


def test_the_rule_alone_is_bare_and_not_wrong() -> None:
    found = judged(RULE)

    assert (found.complete, found.bare_rule, found.wrong) == (False, 1, False)


def test_another_number_is_another_rule() -> None:
    found = judged(OTHER)

    assert (found.misled, found.wrong, found.complete) == (True, True, False)
    assert (found.precise, found.direct) == (0, 0), "nearer to the misleading passage than to the right one"
    assert not judged(OTHER, RULE, EXCEPTION).misled, "beside the rule it does not mislead"


def test_pieces_of_a_quote_cover_it_together() -> None:
    assert judged("Fines shall be up to EUR 1 500 000", "for any breach of this Article.", EXCEPTION).complete
    assert judged("shall be up to something of this kind", "EUR 1 500 000 was paid by 10 persons").wrong


def test_an_opening_that_does_not_answer_is_not_direct() -> None:
    found = judged("Something quite different stands here.", RULE, EXCEPTION)

    assert found.complete
    assert found.precise == pytest.approx(2 / 3)
    assert found.direct == 0


def test_passages_that_say_the_same_count_as_well() -> None:
    ceiling = "The ceiling is 1.5 million euros in all cases."
    row = ROW | {"must": [{**ROW["must"][0], "or": [{"quote": ceiling}]}], "exception": []}

    assert judged(ceiling, row=row).complete


def test_key_words_tell_two_provisions_in_nearly_the_same_words_apart() -> None:
    must = [{"quote": "A complaint shall be reasoned and name the provider.", "key": ["complaint"]}]
    row = ROW | {"must": must, "exception": []}

    assert judged("An alert shall be reasoned and name the provider.", row=row).wrong
    assert judged("(2) A complaint shall be reasoned and name the provider.", row=row).complete


def test_a_silence_is_incomplete_and_not_wrong() -> None:
    found = quoted(ROW, is_answered=False, claims=[RULE])

    assert (found.complete, found.wrong, found.precise) == (False, False, SILENT)


def test_an_answer_to_what_no_document_says_misleads() -> None:
    assert judged(REPORT, row=UNANSWERABLE).misled
    assert not quoted(UNANSWERABLE, is_answered=False, claims=()).misled
