"""A follow-up over the API is asked as the question before it, but for what it says itself."""

import json
from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus, Document
from corpora.services import version_date_set
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

pytestmark = pytest.mark.django_db
RENT = "# Lease\n\n## 1. Rent\n\nThe tenant pays the rent of 900 euros on the first day of each month.\n"
DAY = "2022-05-01"
DEFAULT = "cited-or-silent"


@pytest.fixture
def leases(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Leases")
    ingest(firm, corpus, "lease.md", RENT)
    with organization_scope(firm.organization, user=firm.manager):
        version_date_set(
            **firm.by_manager,
            document_id=Document.objects.get(corpus=corpus).pk,
            number=1,
            effective_date=date(2022, 1, 1),
        )
    return corpus


def asked(firm: Firm, corpus: Corpus, *, by: Any = None, **body: Any) -> Any:
    headers: Any = firm.bearer(by or firm.lawyer, TokenScope.QUESTIONS_WRITE)
    body = {"corpus_id": str(corpus.pk), "text": "When is the rent paid?"} | body
    return Client().post(reverse("api_question_list"), json.dumps(body), "application/json", headers=headers)


def first_of(firm: Firm, corpus: Corpus, **more: Any) -> dict[str, Any]:
    """A question with everything that can be chosen."""
    with organization_scope(firm.organization, user=firm.lawyer):
        document = Document.objects.get(corpus=corpus)
    settings = {"k": "4", "classifier": "3"}
    chosen = {"as_of": DAY, "filters": {"document_ids": [str(document.pk)]}, "preset": "fixed-3", "set": settings}
    first: dict[str, Any] = asked(firm, corpus, **chosen, temperature=0.5, complexity=1, **more).json()
    assert first.get("as_of") == DAY, first
    return first


def kept_of(firm: Firm, answer: dict[str, Any]) -> dict[str, Any]:
    with organization_scope(firm.organization, user=firm.lawyer):
        settings = Answer.objects.get(pk=UUID(answer["id"])).asked
    return {name: settings[name] for name in ("preset", "filters", "temperature", "complexity")}


def test_what_a_follow_up_does_not_say_is_as_it_was(firm: Firm, leases: Corpus) -> None:
    """The day, the documents and the method were lost: a conversation about the law of 2022 went on in today's."""
    first = first_of(firm, leases)
    second = asked(firm, leases, text="And how much?", follows=first["question_id"]).json()
    third = asked(firm, leases, text="And by whom?", follows=second["question_id"]).json()

    assert (second["as_of"], second["filters"]) == (DAY, first["filters"])
    assert kept_of(firm, first) == kept_of(firm, second) == kept_of(firm, third)


@pytest.mark.parametrize(
    ("sent", "changed"),
    [
        ({"as_of": "2023-05-01"}, {"day": "2023-05-01"}),
        ({"as_of": None}, {"day": None}),
        ({"filters": {"as_of": "2023-05-01"}}, {"day": "2023-05-01", "documents": []}),
        ({"filters": {"heading": "Rent"}}, {"documents": []}),
        ({"filters": None}, {"documents": []}),
        ({"filters": {}, "as_of": None}, {"day": None, "documents": []}),
        ({"preset": "fixed-5"}, {"preset": "fixed-5", "k": 5}),
        ({"preset": None}, {"preset": DEFAULT, "k": 30}),
        ({"set": {"k": "6"}}, {"k": 6}),
        ({"preset": "fixed-7", "set": {"k": "6"}}, {"preset": "fixed-7", "k": 6}),
        ({"temperature": 1.0}, {"temperature": 1.0}),
        ({"temperature": None, "complexity": None}, {"temperature": None, "complexity": None}),
    ],
)
def test_what_a_follow_up_says_counts_instead(
    sent: dict[str, Any], changed: dict[str, Any], firm: Firm, leases: Corpus
) -> None:
    first = first_of(firm, leases)
    second = asked(firm, leases, text="And how much?", follows=first["question_id"], **sent).json()

    was, now = (_chosen(kept_of(firm, answer)) for answer in (first, second))
    assert now == was | changed


def _chosen(kept: dict[str, Any]) -> dict[str, Any]:
    return {
        "day": kept["filters"].get("as_of"),
        "documents": kept["filters"].get("document_ids", []),
        "preset": kept["preset"]["name"],
        "k": kept["preset"]["answer"]["evidence_k"],
        "temperature": kept["temperature"],
        "complexity": kept["complexity"],
    }


def test_in_another_corpus_nothing_is_followed_up(firm: Firm, leases: Corpus) -> None:
    first, sales = first_of(firm, leases), make_corpus(firm, "Sales")
    ingest(firm, sales, "sale.md", RENT)
    second = asked(firm, sales, text="And how much?", follows=first["question_id"])
    assert (second.status_code, second.json()["code"]) == (400, "follows_another_corpus")


def test_a_colleagues_question_gives_nothing_to_a_follow_up(firm: Firm, leases: Corpus) -> None:
    first = first_of(firm, leases)
    for question_id in (first["question_id"], str(uuid4())):
        assert asked(firm, leases, by=firm.owner, follows=question_id).status_code == 404


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"temperature": 0.5, "set": {"answer.mode": "quoted"}}, "'temperature' changes nothing where the answer"),
        ({"set": {"max_claims": "3", "answer.mode": "quoted"}}, "'max_claims' changes nothing where the answer"),
        ({"complexity": 1}, "'complexity' changes nothing where it is not detected"),
        ({"complexity": 1, "preset": "pa-3", "set": {"classifier": "off"}}, "'complexity' changes nothing where it is"),
    ],
)
def test_a_setting_that_changes_nothing_is_refused_and_kept_ones_are_not(
    sent: dict[str, Any], words: str, firm: Firm, leases: Corpus
) -> None:
    refused = asked(firm, leases, **sent)
    first = first_of(firm, leases)
    quoted = {"answer.mode": "quoted", "classifier": "off"}

    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_setting")
    assert words in refused.json()["message"]
    assert asked(firm, leases, text="And how much?", follows=first["question_id"], set=quoted).status_code == 201
