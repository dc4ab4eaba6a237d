"""A question about all contracts of a corpus is put to each, those too of which the search finds nothing."""

from typing import Any

import pytest

from corpora.models import Corpus, Document
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from retrieval.pipelines.presets import preset_get
from retrieval.types import Filters
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

pytestmark = pytest.mark.django_db
ASSIGNED = "This Agreement may be assigned without consent."
NAMES = ("Supply", "Licence", "Lease", "Loan", "Service", "Agency")


@pytest.fixture
def contracts(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Contracts")
    for number, name in enumerate(NAMES):
        rule = ASSIGNED if number < 2 else "The fee is 40 euros a month. Notices are given in writing."
        ingest(firm, corpus, f"{name.lower()}.md", f"# {name} agreement\n\nThis Agreement is made by two.\n\n{rule}\n")
    return corpus


def documents_asked(firm: Firm, corpus: Corpus, **more: Any) -> list[str]:
    preset = preset_get("fixed-3", {"answer.mode": "quoted", "evidence_k": "3"})
    of: Any = {"organization": firm.organization, "user": firm.lawyer, "corpus_id": corpus.pk, "preset": preset}
    answer = question_ask(question=Question(**of, text="Which of our contracts may be assigned?", **more))
    return [part["document"] for part in answer.composition.get("parts", [])]


def test_every_contract_is_asked(firm: Firm, contracts: Corpus) -> None:
    assert sorted(documents_asked(firm, contracts)) == sorted(f"{name} agreement" for name in NAMES)


def test_of_chosen_documents_these_are_asked(firm: Firm, contracts: Corpus) -> None:
    with organization_scope(firm.organization, user=firm.lawyer):
        chosen = Document.objects.filter(corpus=contracts, title__in=["Loan agreement", "Supply agreement"])
        filters = Filters(document_ids=tuple(str(pk) for pk in chosen.values_list("pk", flat=True)))

    assert sorted(documents_asked(firm, contracts, filters=filters)) == ["Loan agreement", "Supply agreement"]


def test_of_more_contracts_than_can_be_asked_one_by_one_none_is(
    firm: Firm, contracts: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Twelve documents would take the test a minute.
    monkeypatch.setattr("legalqa.answering.strategies.reading.MOST_COMPARED", 5)

    assert documents_asked(firm, contracts) == []
