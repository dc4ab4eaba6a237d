"""What a person is told where nothing answers: no subject, a word that is misspelt, a name that is an initial."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer, AnswerState
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from tests.ingestion import ingest, make_corpus, upload
from tests.pages import one_line
from tests.people import Firm

AGREEMENT = """MUTUAL NON-DISCLOSURE AGREEMENT

1. Secrets. Each party shall keep the confidential information of the other party secret for five years.

2. Return. Each party shall return all documents within ten days of the end of this Agreement.
"""
AFFILIATE = """MARKETING AFFILIATE AGREEMENT

1. Reports. The affiliate shall send a report of its sales to the company on the first day of each month.
"""


@pytest.fixture
def contracts(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Contracts")
    ingest(firm, corpus, "nda.txt", AGREEMENT)
    ingest(firm, corpus, "affiliate.txt", AFFILIATE)
    return corpus


def ask(firm: Firm, corpus: Corpus, text: str, *, former: tuple[str, ...] = ()) -> Answer:
    return question_ask(
        question=Question(
            organization=firm.organization,
            user=firm.lawyer,
            corpus_id=corpus.pk,
            text=text,
            preset=preset_get(DEFAULT_PRESET),
            former=former,
        )
    )


def unknown(answer: Answer) -> set[str]:
    return {word for row in answer.evidence for word in row["unknown"]}


def test_a_question_without_a_subject_is_too_vague_however_likely_a_passage_seems(
    firm: Firm, contracts: Corpus
) -> None:
    answers_all(firm, contracts)

    assert ask(firm, contracts, "Must each party do it?").state != AnswerState.INSUFFICIENT_EVIDENCE
    answer = ask(firm, contracts, "Is it?")
    assert answer.state == AnswerState.INSUFFICIENT_EVIDENCE
    assert answer.composition["silence"] == "vague"
    follow_up = ask(firm, contracts, "Is it?", former=("Is the confidential information kept secret?",))
    assert follow_up.state != AnswerState.INSUFFICIENT_EVIDENCE


def test_a_place_to_be_filled_in_is_no_evidence(firm: Firm) -> None:
    forms = make_corpus(firm, "Forms")
    ingest(firm, forms, "form.txt", "[ENTER TITLE: ____]\n\n[ENTER DATE: ____]\n")
    answers_all(firm, forms)

    assert ask(firm, forms, "Which title shall I enter?").state == AnswerState.INSUFFICIENT_EVIDENCE


def answers_all(firm: Firm, corpus: Corpus) -> None:
    """Make a corpus give an answer however unlikely it is."""
    with organization_scope(firm.organization, user=firm.manager):
        Corpus.objects.filter(pk=corpus.pk).update(answer_threshold=0.001)


@pytest.mark.parametrize("name", ["NDA", "nda", "NDA's", "NDAs"])
def test_the_initials_of_a_title_are_mentioned_by_the_document(firm: Firm, contracts: Corpus, name: str) -> None:
    assert not unknown(ask(firm, contracts, f"For how many penguins does the {name} bind the parties?")) & {name}
    assert "GDPR" in unknown(ask(firm, contracts, "Does the GDPR bind the parties?"))


def test_a_word_that_is_put_right_is_missing_in_no_document(
    firm: Firm, contracts: Corpus, client_of: Callable[[User], Client]
) -> None:
    answer = ask(firm, contracts, "Which penguins of the marketng affilate are insured?")
    page = client_of(firm.lawyer).get(reverse("answer_detail", args=[firm.organization.slug, answer.pk]))
    html = page.content.decode()

    assert answer.composition["suggestion"] == "Which penguins of the marketing affiliate are insured?"
    assert "A document that mentions “penguins”" in html
    assert "A document that mentions “marketng”" not in html


def test_the_number_of_documents_that_are_not_ready_opens_them(
    firm: Firm, contracts: Corpus, client_of: Callable[[User], Client]
) -> None:
    upload(firm, contracts, "waiting.txt", "A note that waits.")
    ingest(firm, contracts, "empty.pdf", b"%PDF-1.4 nothing")
    upload(firm, contracts, "nda.txt", AGREEMENT + "3. Penguins. Each party shall keep its penguins well.\n")
    answer = ask(firm, contracts, "Which penguins are insured?")
    client = client_of(firm.lawyer)
    page = one_line(client.get(reverse("answer_detail", args=(firm.organization.slug, answer.pk))).content.decode())
    address = reverse("corpus_detail", args=(firm.organization.slug, contracts.pk)) + "?state=not_searched"
    listed = client.get(address)

    assert f'<a href="{address}"><span class="num">2</span> documents</a> not ready and not searched' in page
    assert [row["document"].name for row in listed.context["rows"]] == ["empty.pdf", "waiting.txt"]
    assert [(chip["label"], chip["count"]) for chip in listed.context["filters"] if chip["is_active"]] == [
        ("Not searched", 2)
    ]
