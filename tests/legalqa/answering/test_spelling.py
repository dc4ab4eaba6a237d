"""British and American spelling are one where words are compared."""

import pytest

from legalqa.answering.services import question_ask
from legalqa.answering.spelling import one_spelling, respelled
from legalqa.answering.types import Question
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from tests.ingestion import ingest, make_corpus
from tests.people import Firm


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


def test_only_words_that_no_document_has_are_put_in_its_spelling() -> None:
    texts = ["The license is for the organization."]

    assert respelled("Is the licence of the organisation", texts, {"licence"}.__contains__) == (
        "Is the license of the organisation"
    )
    assert respelled("Is the mortgage due?", texts, {"mortgage"}.__contains__) == "Is the mortgage due?"


@pytest.mark.django_db
def test_a_question_in_the_other_spelling_is_answered_and_says_how_it_was_read(firm: Firm) -> None:
    corpus = make_corpus(firm, "Law")
    ingest(firm, corpus, "act.md", "# Act\n\n“Harmonised standard” means a standard that the Board has adopted.\n")
    preset = preset_get(DEFAULT_PRESET)
    answer = question_ask(
        question=Question(firm.organization, firm.lawyer, corpus.pk, "What are harmonized standards?", preset)
    )

    assert answer.state == "answered"
    assert answer.question.text == "What are harmonized standards?"
    assert answer.trace[0]["note"] == "Read as “What are harmonised standards?”, as the documents put it."
