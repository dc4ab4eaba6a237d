"""An overview begins with its outline: the provisions on the subject, in the order of the document."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from legalqa.answering.pages.answer import answer_document, answer_page
from legalqa.answering.pages.passages import outline
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from tests.ingestion import ingest, make_corpus
from tests.pages import one_line
from tests.people import Firm

RULES = """# Rules of the office

## 1 Passwords of staff

Staff shall choose a password of at least twelve characters.

## 2 Visitors

Visitors shall wear a badge in the building.

## 3 Passwords of administrators

Administrators shall change their password every ninety days.
"""


def overview(firm: Firm, corpus: Corpus) -> Answer:
    question = Question(
        organization=firm.organization,
        user=firm.lawyer,
        corpus_id=corpus.pk,
        text="What do the rules say about passwords?",
        preset=preset_get(DEFAULT_PRESET),
    )
    return question_ask(question=question)


@pytest.mark.django_db
def test_an_overview_names_the_provisions_on_its_subject_with_a_link_to_each(firm: Firm) -> None:
    corpus = make_corpus(firm, "Office")
    ingest(firm, corpus, "rules.md", RULES)
    answer = overview(firm, corpus)

    with organization_scope(firm.organization, user=firm.lawyer):
        page = answer_page(answer=answer, slug=firm.organization.slug)
        document = answer_document(answer=answer)
    assert [row["heading"] for row in page["outline"]] == ["1 Passwords of staff", "3 Passwords of administrators"]
    assert all(row["url"] for row in page["outline"])
    assert document["composition"]["outline"] == [row["rank"] for row in page["outline"]]


def test_a_provision_without_a_heading_of_its_own_is_named_by_its_first_words() -> None:
    answer = Answer(composition={"outline": [1, 2, 3]})
    rows = [
        {
            "rank": 1,
            "document_title": "Terms",
            "heading": "",
            "text": "8.1 Either party may terminate on thirty days' notice.",
        },
        {"rank": 2, "document_title": "Terms", "heading": "8.2 Effect", "text": "All data is returned."},
        {"rank": 3, "document_title": "Terms", "heading": "", "text": "9. Survival."},
    ]

    assert [row["name"] for row in outline(answer, rows)] == [
        "8.1 Either party may terminate on thirty days' …",
        "8.2 Effect",
        "9. Survival.",
    ]


def test_two_provisions_under_one_heading_are_told_apart_by_their_words() -> None:
    rows = [
        {"rank": n, "document_title": "Terms", "heading": "Term", "text": text}
        for n, text in enumerate(["It runs a year.", "It ends at once on breach."])
    ]

    names = [row["name"] for row in outline(Answer(composition={"outline": [0, 1]}), rows)]
    assert names == ["Term: It runs a year.", "Term: It ends at once on breach."]


@pytest.mark.django_db
@pytest.mark.parametrize("n_documents", [1, 2])
def test_the_title_is_said_once_where_all_provisions_are_of_one_document(
    n_documents: int, firm: Firm, client_of: Callable[[User], Client]
) -> None:
    corpus = make_corpus(firm, "Office")
    for number in range(n_documents):
        text = RULES.replace("of the office", f"of house {number}").replace("twelve", ("twelve", "twenty")[number])
        ingest(firm, corpus, f"rules-{number}.md", text)
    answer = overview(firm, corpus)
    page = client_of(firm.lawyer).get(reverse("answer_detail", args=(firm.organization.slug, answer.pk)))

    said = one_line(page.content.decode()).split('id="outline"')[1].split("</nav>")[0]
    assert ("Provisions on this in Rules of house 0" in said) == (n_documents == 1)
    assert said.count("Rules of house 0") == (1 if n_documents == 1 else 2)
