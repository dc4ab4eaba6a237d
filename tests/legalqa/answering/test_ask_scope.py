"""A question of some documents only: by their fields, dates or ticks; on the page, in the API, by command."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus, Document
from corpora.services.describing import document_describe
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.models import Answer
from retrieval.types import FilterError, Filters
from tests.ingestion import ingest, make_corpus
from tests.pages import one_line, path_of
from tests.people import Firm

pytestmark = pytest.mark.django_db
POLICY = "# Rent policy\n\nThe tenant pays a rent of 900 euros each month.\n"
LEASE = "# Lease agreement\n\nThe tenant pays a rent of 700 euros each month.\n"
QUESTION = "What rent does the tenant pay each month?"


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    corpus = make_corpus(firm, "Rents")
    ingest(firm, corpus, "policy.md", POLICY)
    ingest(firm, corpus, "lease.md", LEASE)
    return corpus


def document(firm: Firm, name: str) -> Document:
    with organization_scope(firm.organization, user=firm.lawyer):
        return Document.objects.get(name=name)


def describe(firm: Firm, name: str, *, by: User | None = None, **changes: str) -> None:
    user = by or firm.manager
    with organization_scope(firm.organization, user=user):
        one = Document.objects.get(name=name)
        document_describe(organization=firm.organization, user=user, document_id=one.pk, changes=dict(changes))


def cited(firm: Firm, answer_id: str) -> str:
    with organization_scope(firm.organization, user=firm.lawyer):
        return " ".join(str(row["document"]) for row in Answer.objects.get(pk=answer_id).evidence)


def asked(client: Client, corpus: Corpus, **fields: object) -> str:
    reply = client.post(
        reverse("question_ask", args=["harding"]), {"text": QUESTION, "corpus": str(corpus.pk), **fields}
    )
    assert reply.status_code == 302, reply.content.decode()
    return path_of(reply["Location"]).rstrip("/").rsplit("/", 1)[-1]


def test_a_ticked_document_is_the_only_one_asked_and_the_follow_up_keeps_the_tick(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    client, lease = client_of(firm.lawyer), document(firm, "lease.md")
    first = asked(client, corpus, documents=[str(lease.pk)])
    assert set(cited(firm, first).split("  ")) == {"Lease agreement"}

    page = client.get(reverse("question_ask", args=["harding"]), {"corpus": str(corpus.pk), "like": first})
    ticked = f'value="{lease.pk}"'
    assert "checked" in page.content.decode().split(ticked)[1].split(">")[0]
    second = asked(client, corpus, like=first)
    assert "Rent policy" not in cited(firm, second)


def test_a_kind_of_document_is_asked(firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]) -> None:
    answer = asked(client_of(firm.lawyer), corpus, kind=["policy"])
    assert "Lease" not in cited(firm, answer)


def test_only_documents_of_an_authority_are_asked_and_the_follow_up_keeps_it(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    client, parties = client_of(firm.lawyer), "Acme, Inc. and Beta LLC"
    describe(firm, "lease.md", authority=parties)
    page = client.get(reverse("question_ask", args=["harding"]), {"corpus": str(corpus.pk)}).content.decode()
    assert f'<option value="{parties}">' in page

    first = asked(client, corpus, authority=parties)
    assert "Rent policy" not in cited(firm, first)
    again = client.get(reverse("question_ask", args=["harding"]), {"corpus": str(corpus.pk), "like": first})
    assert f'<option value="{parties}" selected' in again.content.decode()
    assert "Rent policy" not in cited(firm, asked(client, corpus, like=first))


def test_an_authority_that_no_document_has_is_not_offered_and_is_refused(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    secret = make_corpus(firm, "Secret", is_walled=True)
    ingest(firm, secret, "merger.md", "# Merger agreement\n\nThe price is secret.\n")
    describe(firm, "merger.md", by=firm.manager, authority="Hidden Holdings")
    client, form = client_of(firm.lawyer), {"text": QUESTION, "corpus": str(corpus.pk), "authority": "Hidden Holdings"}
    reply = client.post(reverse("question_ask", args=["harding"]), form)
    assert (reply.status_code, 'value="Hidden Holdings"' in reply.content.decode()) == (422, False)


def test_what_other_corpora_are_filled_with_is_not_offered(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    ingest(firm, make_corpus(firm, "Statutes"), "act.md", "# Act\n\nThe minister decides.\n")
    describe(firm, "act.md", jurisdiction="Ruritania")
    describe(firm, "lease.md", jurisdiction="Illyria")
    page = client_of(firm.lawyer).get(reverse("question_ask", args=["harding"]), {"corpus": str(corpus.pk)})
    assert '<option value="Illyria">' in page.content.decode()
    assert "Ruritania" not in page.content.decode()


def test_dates_in_the_wrong_order_are_told_in_the_words_of_the_form(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    form = {"text": QUESTION, "corpus": str(corpus.pk), "effective_from": "2024-01-01", "effective_to": "2020-01-01"}
    reply = client_of(firm.lawyer).post(reverse("question_ask", args=["harding"]), form)
    said = one_line(reply.content.decode())
    assert reply.status_code == 422
    assert "This day is before “In effect from”." in said
    assert "date_from" not in said


FAR_OFF = "Which vaccines must a sea captain carry?"


def test_a_silence_counts_only_the_documents_that_were_asked_and_a_number_opens_what_it_counts(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    client, lease = client_of(firm.lawyer), document(firm, "lease.md")
    whole, one = (
        client.get(reverse("answer_detail", args=["harding", asked(client, corpus, text=FAR_OFF, **fields)]))
        for fields in ({}, {"documents": [str(lease.pk)]})
    )
    documents = f'<a href="{reverse("corpus_detail", args=["harding", corpus.pk])}">'
    said = one_line(whole.content.decode()).partition('id="silence-title"')[2].partition("</section>")[0]
    assert f'Searched {documents}<strong class="num">2</strong> documents</a>' in said
    assert "passages</span>" not in said
    assert f'Searched <strong class="num">1</strong> document of {documents}Rents</a>' in one_line(one.content.decode())


def test_filters_that_no_document_meets_are_said_to_be_the_reason(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    client = client_of(firm.lawyer)
    page = client.get(reverse("answer_detail", args=["harding", asked(client, corpus, kind=["decision"])]))
    assert "No document of Rents fits your choice, so nothing was searched." in one_line(page.content.decode())


def test_documents_are_searched_without_script_and_ticks_stay(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    policy, lease = document(firm, "policy.md"), document(firm, "lease.md")
    form = {"text": "", "corpus": str(corpus.pk), "find": "agreement", "documents": [str(policy.pk)], "look": "1"}
    reply = client_of(firm.lawyer).post(reverse("question_ask", args=["harding"]), form)
    html = reply.content.decode()

    assert (reply.status_code, 'id="ask-error"' in html) == (200, False)
    assert (f'value="{policy.pk}"' in html, f'value="{lease.pk}"' in html) == (True, True)
    form["find"] = "nothing of the kind"
    html = client_of(firm.lawyer).post(reverse("question_ask", args=["harding"]), form).content.decode()
    assert (f'value="{policy.pk}"' in html, f'value="{lease.pk}"' in html) == (True, False)


def test_documents_of_a_corpus_behind_a_wall_are_not_offered(
    firm: Firm, corpus: Corpus, client_of: Callable[[User], Client]
) -> None:
    secret = make_corpus(firm, "Secret", is_walled=True)
    hidden = ingest(firm, secret, "merger.md", "# Merger agreement\n\nThe price is secret.\n").document
    form = {"corpus": str(secret.pk), "find": "merger", "documents": [str(hidden.pk)], "look": "1"}
    html = client_of(firm.lawyer).post(reverse("question_ask", args=["harding"]), form).content.decode()
    assert "Merger" not in html
    refused = client_of(firm.lawyer).post(
        reverse("question_ask", args=["harding"]),
        {"text": QUESTION, "corpus": str(corpus.pk), "documents": [str(hidden.pk)]},
    )
    assert refused.status_code == 422


def test_a_program_filters_by_kind(firm: Firm, corpus: Corpus) -> None:
    headers: Any = firm.bearer(firm.lawyer, TokenScope.SEARCH)
    body = {"corpus_id": str(corpus.pk), "query": QUESTION, "filters": {"kind": ["contract"]}}
    hits = Client().post(reverse("api_search"), json.dumps(body), "application/json", headers=headers).json()["hits"]
    assert {hit["document"] for hit in hits} == {"Lease agreement"}


def test_a_program_and_a_command_filter_by_authority_in_any_case(
    firm: Firm, corpus: Corpus, capsys: pytest.CaptureFixture[str]
) -> None:
    describe(firm, "lease.md", authority="Acme, Inc. and Beta LLC")
    headers: Any = firm.bearer(firm.lawyer, TokenScope.SEARCH)
    body = {"corpus_id": str(corpus.pk), "query": QUESTION, "filters": {"authority": "acme, inc. and beta llc"}}
    hits = Client().post(reverse("api_search"), json.dumps(body), "application/json", headers=headers).json()["hits"]
    assert {hit["document"] for hit in hits} == {"Lease agreement"}

    call_command("search", "Rents", QUESTION, "--filter", "authority=Acme, Inc. and Beta LLC", "--json")
    assert {hit["document"] for hit in json.loads(capsys.readouterr().out)["hits"]} == {"Lease agreement"}


def test_a_kind_that_does_not_exist_is_refused() -> None:
    with pytest.raises(FilterError, match="'poem' is no kind of document"):
        Filters.parse({"kind": "poem"})
