"""An overview begins with its outline: the provisions on the subject, in the order of the document."""

import pytest

from legalqa.accounts.scoping import organization_scope
from legalqa.answering.pages.answer import answer_document, answer_page
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import DEFAULT_PRESET, preset_get
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

RULES = """# Rules of the office

## 1 Passwords of staff

Staff shall choose a password of at least twelve characters.

## 2 Visitors

Visitors shall wear a badge in the building.

## 3 Passwords of administrators

Administrators shall change their password every ninety days.
"""


@pytest.mark.django_db
def test_an_overview_names_the_provisions_on_its_subject_with_a_link_to_each(firm: Firm) -> None:
    corpus = make_corpus(firm, "Office")
    ingest(firm, corpus, "rules.md", RULES)
    question = Question(
        organization=firm.organization,
        user=firm.lawyer,
        corpus_id=corpus.pk,
        text="What do the rules say about passwords?",
        preset=preset_get(DEFAULT_PRESET),
    )
    answer = question_ask(question=question)

    with organization_scope(firm.organization, user=firm.lawyer):
        page = answer_page(answer=answer, slug=firm.organization.slug)
        document = answer_document(answer=answer)
    assert [row["heading"] for row in page["outline"]] == ["1 Passwords of staff", "3 Passwords of administrators"]
    assert all(row["url"] for row in page["outline"])
    assert document["composition"]["outline"] == [row["rank"] for row in page["outline"]]
