"""Everyday words are put as the documents put them, and the person is told so."""

import re
from collections.abc import Callable

import pytest

from legalqa.answering.everyday import in_words_of_documents
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question, question_notice
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from tests.ingestion import ingest, make_corpus
from tests.people import Firm


def only(known: str) -> Callable[[str], bool]:
    """Whether a word is missing in documents that have these words alone, as a search would tell."""
    return lambda words: not set(re.findall(r"\w+", words)) <= set(known.split())


@pytest.mark.parametrize(
    ("question", "known", "put"),
    [
        ("Can I be sacked?", "dismissed", "Can I be dismissed?"),
        ("Can I be sacked?", "terminated", "Can I be terminated?"),
        ("My phone was nicked.", "stolen phone", "My phone was stolen."),
        ("Who is farming out work?", "subcontracting", "Who is subcontracting work?"),
        ("Is a bug covered?", "error malfunction", "Is a malfunction covered?"),
        ("Is a bug covered?", "error", "Is an error covered?"),
        ("Two memory sticks", "USB storage devices", "Two USB storage devices"),
        ("A memory stick", "USB storage device", "A USB storage device"),
        ("Can I sue you?", "bring an action against", "Can I bring an action against you?"),
    ],
)
def test_an_everyday_word_is_put_in_the_same_form(question: str, known: str, put: str) -> None:
    assert in_words_of_documents(question, [], only(known)) == put


def test_of_nouns_the_one_counts_that_the_documents_use_most() -> None:
    rarity = {"manufacturer": 5.0, "provider": 0.4}.__getitem__

    put = in_words_of_documents("What must the maker do?", [], only("manufacturer provider"), rarity)
    assert put == "What must the provider do?"


@pytest.mark.parametrize(
    ("short", "texts", "long"),
    [
        ("FRIA", [f"{a} Fundamental Rights Impact Assessment" for a in "ab"], "fundamental rights impact assessment"),
        ("GPAI", ["providers of general-purpose AI models", "a general-purpose AI model"], "general-purpose AI"),
        ("FRIA", ["of the final rule independent auditors"], "FRIA"),  # by chance
        ("MFA", [f"{n} multi-factor authentication" for n in range(4)], "multi-factor authentication"),
        ("MFA", ["multi-factor authentication"] * 4, "MFA"),  # the same place four times
        ("ISO", ["an information security officer", "the information security officer"], "ISO"),  # twice is chance
        ("AOLS", ["so as of law said", "and as of law said"], "AOLS"),  # words of grammar are no name
    ],
)
def test_a_short_form_is_put_as_what_it_is_short_for(short: str, texts: list[str], long: str) -> None:
    asked = f"What is the {short}?"
    assert in_words_of_documents(asked, texts, {short}.__contains__) == f"What is the {long}?"


def test_a_word_that_the_documents_have_stays() -> None:
    assert in_words_of_documents("Can I be sacked?", [], only("sacked dismissed")) == "Can I be sacked?"


def test_a_word_stays_where_the_documents_have_none_for_it() -> None:
    assert in_words_of_documents("Can I be sacked?", [], only("rent")) == "Can I be sacked?"


def test_an_expression_of_known_words_is_put_otherwise_where_nothing_found_has_it() -> None:
    asked, known = "Who must sign off travel?", only("Who must sign off travel approve")

    assert in_words_of_documents(asked, ["Sign here. Travel off site."], known) == "Who must approve travel?"
    assert in_words_of_documents(asked, ["Managers sign off travel."], known) == asked


@pytest.mark.django_db
def test_a_question_in_everyday_words_is_answered_and_says_how_it_was_read(firm: Firm) -> None:
    corpus = make_corpus(firm, "Handbook")
    ingest(
        firm, corpus, "handbook.md",
        "# Handbook\n\nA stolen device must be reported to IT Security within 2 hours.\n\nMeetings begin on time.\n",
    )  # fmt: skip
    preset = preset_get(DEFAULT_PRESET)
    text = "By when must I report a nicked device?"
    answer = question_ask(question=Question(firm.organization, firm.lawyer, corpus.pk, text, preset))

    assert (answer.state, answer.question.text) == ("answered", text)
    assert answer.why.endswith("Read as “By when must I report a stolen device?”, as the documents put it.")
    assert question_notice(answer.composition) == answer.composition["read_as"]
