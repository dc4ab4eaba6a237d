"""Titles of documents and names of corpora that people change: what shows them, and what keeps the old ones."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus, Document
from corpora.services import corpus_update, document_rename
from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.errors import ApplicationError, Conflict
from retrieval.pipelines.presets import preset_get
from tests.ingestion import ingest, make_corpus
from tests.people import Firm

ClientOf = Callable[[User], Client]
LEASE = (
    "<html><head><title>European Parliament</title></head><body><h1>Rent</h1>"
    "<p>The tenant pays a rent of 900 euros on the first day of each month.</p></body></html>"
)
OURS, THEIRS = "AI Act, as adopted", "European Parliament"


def retitle(firm: Firm, document: Document, title: str = OURS) -> Document:
    with organization_scope(firm.organization, user=firm.manager):
        return document_rename(**firm.by_manager, document_id=document.pk, title=title)


def actions(firm: Firm) -> list[str]:
    with organization_scope(firm.organization, user=firm.owner):
        return list(AuditEvent.objects.order_by("-sequence").values_list("action", flat=True))


def test_a_title_that_a_person_gave_stays_through_new_versions_and_readings(firm: Firm, corpus: Corpus) -> None:
    document = ingest(firm, corpus, "act.html", LEASE).document
    assert document.title == THEIRS
    retitle(firm, document, f"  {OURS}\u202e\n ")

    again = ingest(firm, corpus, "act.html", LEASE.replace("900", "950"))

    assert (again.version.number, again.document.title) == (2, OURS)
    assert actions(firm)[1:2] == ["document.renamed"]


def test_a_title_that_nobody_gave_follows_the_newest_version(firm: Firm, corpus: Corpus) -> None:
    ingest(firm, corpus, "act.html", LEASE)
    assert ingest(firm, corpus, "act.html", LEASE.replace(THEIRS, "AI Act")).document.title == "AI Act"


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("  –  ", "A title needs at least one letter or digit. Enter a title."),
        ("x" * 301, "The title has 301 characters, and the limit is 300. Shorten it."),
    ],
)
def test_a_title_that_cannot_be_shown_is_refused_in_a_sentence(
    firm: Firm, corpus: Corpus, title: str, says: str
) -> None:
    document = ingest(firm, corpus, "act.html", LEASE).document
    with pytest.raises(ApplicationError) as refused:
        retitle(firm, document, title)
    assert refused.value.message == says


def test_an_answer_cites_the_new_title_at_once_and_its_evidence_pack_keeps_the_old_one(
    firm: Firm, corpus: Corpus, client_of: ClientOf
) -> None:
    document = ingest(firm, corpus, "act.html", LEASE).document
    answer = question_ask(
        question=Question(
            organization=firm.organization,
            user=firm.lawyer,
            corpus_id=corpus.pk,
            text="What rent does the tenant pay?",
            preset=preset_get("cited-or-silent"),
        )
    )
    assert answer.state == "answered"
    page = client_of(firm.manager).post(reverse("document_rename", args=["harding", document.pk]), {"title": OURS})
    assert page.status_code == 302
    lawyer = client_of(firm.lawyer)

    shown = lawyer.get(reverse("answer_detail", args=["harding", answer.pk])).content.decode()
    assert OURS in shown
    assert THEIRS not in shown
    header = firm.bearer(firm.lawyer, TokenScope.ANSWERS_READ)
    api = Client().get(reverse("api_answer_detail", args=[answer.pk]), headers=header).json()
    assert {c["document"] for claim in api["claims"] for c in claim["citations"]} == {OURS}

    pack = lawyer.get(reverse("answer_pack_json", args=["harding", answer.pk])).json()
    assert {c["document"] for claim in pack["answer"]["claims"] for c in claim["citations"]} == {THEIRS}
    assert {row["document"] for row in pack["evidence"]} == {THEIRS}
    printed = lawyer.get(reverse("answer_pack", args=["harding", answer.pk])).content.decode()
    assert THEIRS in printed
    assert OURS not in printed


def test_a_program_gives_a_document_a_title(firm: Firm, corpus: Corpus) -> None:
    document = ingest(firm, corpus, "act.html", LEASE).document
    header = firm.bearer(firm.manager, TokenScope.DOCUMENTS_WRITE)
    address = reverse("api_document_detail", args=[document.pk])

    reply = Client().post(address, {"title": OURS}, content_type="application/json", headers=header)
    assert (reply.status_code, reply.json()["title"]) == (200, OURS)
    refused = Client().post(address, {"title": ""}, content_type="application/json", headers=header)
    assert (refused.status_code, refused.json()["code"]) == (400, "title_needed")


def test_a_corpus_is_renamed_on_its_page_and_by_a_program(firm: Firm, corpus: Corpus, client_of: ClientOf) -> None:
    client = client_of(firm.manager)
    client.post(reverse("corpus_update", args=["harding", corpus.pk]), {"name": "Leases", "description": "All leases"})
    page = client.get(reverse("corpus_detail", args=["harding", corpus.pk])).content.decode()
    assert "<h1> Leases" in " ".join(page.split())
    assert actions(firm)[:2] == ["corpus.updated", "corpus.renamed"]

    reply = Client().post(
        reverse("api_corpus_detail", args=[corpus.pk]),
        {"name": "Leases 2026"},
        content_type="application/json",
        headers=firm.bearer(firm.manager, TokenScope.CORPORA_WRITE),
    )
    assert reply.status_code == 200
    assert (reply.json()["name"], reply.json()["slug"]) == ("Leases 2026", "leases-2026")
    assert reply.json()["description"] == "All leases"


def test_a_name_that_is_taken_is_refused_beside_what_was_typed(firm: Firm, corpus: Corpus, client_of: ClientOf) -> None:
    make_corpus(firm, "Leases")
    address = reverse("corpus_update", args=["harding", corpus.pk])
    page = client_of(firm.manager).post(address, {"name": "Leases", "description": "Typed with care"})

    assert page.status_code == 422
    assert "A corpus already has the name &#x27;Leases&#x27;. Choose another name." in page.content.decode()
    assert "Typed with care" in page.content.decode()
    assert "<h1> Policies" in " ".join(page.content.decode().split())


def test_a_walled_corpus_may_take_a_name_that_is_in_use(firm: Firm, corpus: Corpus) -> None:
    walled = make_corpus(firm, "Matter", is_walled=True)
    with organization_scope(firm.organization, user=firm.manager):
        of: Any = {"organization": firm.organization, "user": firm.manager}
        assert corpus_update(**of, corpus_id=walled.pk, name=corpus.name).is_walled
        with pytest.raises(Conflict):
            corpus_update(**of, corpus_id=walled.pk, is_walled=False)
