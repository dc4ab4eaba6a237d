"""What a person is told where a question finds no answer: places with names, and words that are really not there."""

import re
from typing import Any

import pytest

from corpora.models import Corpus
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, AnswerState
from legalqa.answering.pages.history import silence
from legalqa.answering.pages.passages import passages_of
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import preset_get
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

AGREEMENT = """# Content License Agreement

## Safeguards

The Recipient shall protect all data by these safeguards:

(a) encryption of each disk;

(b) locked rooms.

## Exhibit 10.27

The license ends when the last film was shown in the cinemas of the Licensee.
"""
pytestmark = pytest.mark.django_db


@pytest.fixture
def agreements(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Agreements")
    ingest(firm, corpus, "agreement.md", AGREEMENT)
    return corpus


def ask(firm: Firm, corpus: Corpus, text: str) -> Answer:
    of: dict[str, Any] = {"organization": firm.organization, "user": firm.lawyer, "corpus_id": corpus.pk}
    return question_ask(question=Question(**of, text=text, preset=preset_get("cited-or-silent")))


def missing(answer: Answer, words: str) -> list[str]:
    """The words of the question that the passage with some words is said not to mention."""
    found: list[list[str]] = [row["missing"] for row in answer.evidence if words in row["text"]]
    return found[0]


def test_a_passage_mentions_the_title_the_headings_and_the_stem_above_it(firm: Firm, agreements: Corpus) -> None:
    answer = ask(firm, agreements, "Do the safeguards for data in the Content License ask for a helicopter?")

    assert missing(answer, "encryption of each disk") == ["helicopter"]


def test_one_spelling_counts_as_the_other(firm: Firm, agreements: Corpus) -> None:
    answer = ask(firm, agreements, "Does the licence ask the licensee for a helicopter?")

    assert missing(answer, "The license ends") == ["helicopter"]


@pytest.mark.parametrize("order", ["Compare", "Summarise", "List", "Explain", "Contrast"])
def test_words_that_instruct_or_join_are_not_missed(order: str, firm: Firm, agreements: Corpus) -> None:
    answer = ask(firm, agreements, f"{order} the difference between helicopter and data versus disk")

    assert missing(answer, "encryption of each disk") == ["helicopter"]


def test_a_silence_names_document_and_clause_and_offers_no_exhibit_number(firm: Firm, agreements: Corpus) -> None:
    answer = ask(firm, agreements, "How many cinemas does the Licensee own?")
    with organization_scope(firm.organization, user=firm.lawyer):
        offered = silence(organization=firm.organization, corpus=agreements, answer=answer)["suggestions"]

    assert answer.state == AnswerState.INSUFFICIENT_EVIDENCE
    assert re.search(r"“Content License Agreement, [^”]+”", answer.why)
    assert offered == ["What is said under “Safeguards”?"]


def test_a_clause_that_is_offered_has_its_document_beside_it_where_there_are_several(
    firm: Firm, agreements: Corpus
) -> None:
    ingest(firm, agreements, "lease.md", "# Lease\n\n## Helicopters\n\nThe tenant keeps no helicopter on the roof.\n")
    answer = ask(firm, agreements, "Who repaints the helicopter in the year 2050?")
    with organization_scope(firm.organization, user=firm.lawyer):
        offered = silence(organization=firm.organization, corpus=agreements, answer=answer)["suggestions"]

    assert "What is said under “Helicopters” in “Lease”?" in offered


def test_a_passage_under_an_item_letter_is_headed_by_its_clause(firm: Firm, agreements: Corpus) -> None:
    answer = ask(firm, agreements, "Who repaints the helicopter of the Licensee?")
    rows = [answer.evidence[0] | {"heading": "4. Fees › (b)"}]
    with organization_scope(firm.organization, user=firm.lawyer):
        (passage,) = passages_of(answer, rows, [], firm.organization.slug)

    assert passage["heading"] == "4. Fees (b)"
