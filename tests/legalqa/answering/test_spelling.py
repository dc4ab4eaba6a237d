"""British and American spelling are one where words are compared."""

import pytest

from legalqa.answering.spelling import one_spelling


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("licence", "license"),
        ("defences", "defenses"),
        ("practised", "practiced"),
        ("organisation", "organization"),
        ("authorised", "authorized"),
        ("analyse", "analyze"),
        ("favourable behaviour", "favorable behavior"),
        ("centre", "center"),
        ("catalogue", "catalog"),
        ("cancelled", "canceled"),
        ("instalment", "installment"),
        ("fulfil", "fulfill"),
        ("judgement", "judgment"),
        ("programme", "program"),
        ("cheques", "checks"),
    ],
)
def test_both_spellings_of_a_word_are_one(british: str, american: str) -> None:
    assert one_spelling(british.title()) == one_spelling(american)


@pytest.mark.parametrize(("one", "other"), [("four", "for"), ("hour", "hor"), ("fee", "free"), ("advice", "advise")])
def test_words_that_differ_stay_apart(one: str, other: str) -> None:
    assert one_spelling(one) != one_spelling(other)
