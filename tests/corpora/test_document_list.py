"""The list of a corpus's documents: paged in the database, and asked about by one poll."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from corpora.models import Corpus, Document, DocumentVersion, VersionState
from corpora.pages import documents as presentation
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from tests.ingestion import ingest, make_corpus, upload
from tests.people import Firm

ClientOf = Callable[[User], Client]


def add_ready(firm: Firm, corpus: Corpus, n: int) -> None:
    """Documents that are ready, as many as a page shows and more, without reading files."""
    with organization_scope(firm.organization, user=None):
        for i in range(n):
            document = Document.objects.create(
                organization=firm.organization, corpus=corpus, name=f"lease {i:03}.txt", title=f"Lease {i:03}"
            )
            DocumentVersion.objects.create(
                organization=firm.organization,
                corpus=corpus,
                document=document,
                number=1,
                state=VersionState.READY,
                kind="txt",
                sha256=f"{i:064}",
                size=1,
                file_id=uuid4(),
            )


@pytest.fixture
def address(corpus: Corpus) -> str:
    return reverse("corpus_detail", args=["harding", corpus.pk])


def test_the_documents_are_grouped_and_counted_as_their_rows_say(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf
) -> None:
    add_ready(firm, corpus, 2)
    upload(firm, corpus, "Waiting.txt", "A note that waits.")
    ingest(firm, corpus, "empty.pdf", b"%PDF-1.4 nothing")
    client = client_of(firm.manager)
    page = client.get(address)

    assert [(f["label"], f["count"]) for f in page.context["filters"]] == [
        ("All", 4),
        ("Ready", 2),
        ("In progress", 1),
        ("Needs attention", 1),
    ]
    assert [row["document"].name for row in page.context["rows"]] == [
        "empty.pdf",
        "lease 000.txt",
        "lease 001.txt",
        "Waiting.txt",
    ]
    for group, names in (("working", ["Waiting.txt"]), ("attention", ["empty.pdf"])):
        rows = client.get(address, {"state": group}).context["rows"]
        assert [row["document"].name for row in rows] == names
    rows = client.get(address, {"order": "-state"}).context["rows"]
    assert [row["state"] for row in rows] == ["waiting", "ready", "ready", "refused"]
    [card] = client.get(reverse("corpus_list", args=["harding"])).context["corpora"]
    assert (card.n_documents, card.n_working, card.n_refused) == (4, 1, 1)


def test_a_page_reads_its_own_rows_and_no_others(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presentation, "ROWS_A_PAGE", 5)  # or it takes a hundred documents
    add_ready(firm, corpus, 12)
    client = client_of(firm.manager)
    names = [
        row["document"].name
        for number in ("1", "2", "3")
        for row in client.get(address, {"page": number}).context["rows"]
    ]

    assert names == [f"lease {i:03}.txt" for i in range(12)]
    with CaptureQueriesContext(connection) as queries:
        client.get(address, {"page": "3"})
    assert any("LIMIT 2 OFFSET 10" in query["sql"] for query in queries)


@pytest.mark.parametrize("state", ["", "?state=working"])
def test_the_ledger_is_read_once_and_joined_with_no_other_table(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf, state: str
) -> None:
    upload(firm, corpus, "Waiting.txt", "A note that waits.")
    client = client_of(firm.manager)
    with CaptureQueriesContext(connection) as queries:
        client.get(address + state)
    of_documents = [query["sql"] for query in queries if '"corpora_document"' in query["sql"]]

    assert of_documents
    assert not any("jobs_job" in query for query in of_documents)
    assert sum("'queued', 'running'" in query["sql"] for query in queries) == 1


def test_one_poll_asks_for_all_rows_that_are_at_work(
    firm: Firm, rivals: Firm, corpus: Corpus, address: str, client_of: ClientOf
) -> None:
    waiting = [upload(firm, corpus, f"{i}.txt", f"Note {i}.") for i in range(3)]
    theirs = upload(rivals, make_corpus(rivals), "theirs.txt", "A secret of the rivals.")
    client = client_of(firm.lawyer)
    page = client.get(address).content.decode()
    assert page.count('hx-trigger="every 2s"') == 1

    rows = reverse("document_rows", args=["harding", corpus.pk])
    ids = [str(taken.document.pk) for taken in (*waiting, theirs)]
    answer = client.get(rows, {"document": [*ids, "nonsense"]})
    assert answer.content.decode().count('hx-swap-oob="true"') == 3
    assert "theirs.txt" not in answer.content.decode()
    assert "HX-Trigger" not in answer.headers


def test_once_nothing_is_at_work_the_poll_ends_and_the_list_is_loaded_once_more(
    firm: Firm, corpus: Corpus, client_of: ClientOf
) -> None:
    done = ingest(firm, corpus, "lease.txt", "The tenant pays rent.")
    answer = client_of(firm.lawyer).get(
        reverse("document_rows", args=["harding", corpus.pk]), {"document": str(done.document.pk)}
    )

    assert answer.headers["HX-Trigger"] == "documents-changed"
    assert "every 2s" not in answer.content.decode()
    assert answer.content.decode().count("<tr") == 1


def documents(firm: Firm, corpus: Corpus, query: dict[str, str]) -> Any:
    """The reply of the API's list to a token of the owner's."""
    bearer = firm.bearer(firm.owner, TokenScope.DOCUMENTS_READ)
    address = f"/api/v1/corpora/{corpus.pk}/documents/"
    return Client().get(address, query, headers=bearer)


def titles(page: Any) -> list[str]:
    return [row["document"].title for row in page.context["rows"]]


@pytest.fixture
def three(firm: Firm, corpus: Corpus) -> None:
    """Of three documents: which came when, and with how many pages."""
    add_ready(firm, corpus, 3)
    with organization_scope(firm.organization, user=None):
        for i, (title, pages, days) in enumerate([("Bond", 3, 2), ("annex", 3, 1), ("Charter 100%", 1, 3)]):
            name = f"lease {i:03}.txt"
            Document.objects.filter(name=name).update(title=title)
            versions = DocumentVersion.objects.filter(document__name=name)
            versions.update(n_pages=pages, created_at=timezone.now() - timedelta(days=days))


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("", ["Bond", "annex", "Charter 100%"]),  # by file name
        ("title", ["annex", "Bond", "Charter 100%"]),
        ("-title", ["Charter 100%", "Bond", "annex"]),
        ("date", ["Charter 100%", "Bond", "annex"]),
        ("-pages", ["Bond", "annex", "Charter 100%"]),
        ("state", ["Bond", "annex", "Charter 100%"]),
    ],
)
def test_page_and_api_sort_alike(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf, order: str, expected: list[str]
) -> None:
    query = {"order": order} if order else {}
    reply = documents(firm, corpus, query)

    assert titles(client_of(firm.lawyer).get(address, query)) == expected
    assert [row["title"] for row in reply.json()["results"]] == expected


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("words", "expected"),
    [("BOND", ["Bond"]), ("100%", ["Charter 100%"]), ("%", ["Charter 100%"]), ("lease 001", ["annex"]), ("deed", [])],
)
def test_page_and_api_search_titles_and_file_names_alike(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf, words: str, expected: list[str]
) -> None:
    reply = documents(firm, corpus, {"search": words})

    assert titles(client_of(firm.lawyer).get(address, {"search": words})) == expected
    assert [row["title"] for row in reply.json()["results"]] == expected


@pytest.mark.usefixtures("three")
def test_links_of_the_table_keep_what_was_searched_and_how_it_is_sorted(
    firm: Firm, address: str, client_of: ClientOf
) -> None:
    page = client_of(firm.lawyer).get(address, {"search": "n", "order": "title", "page": "1"})
    shown = page.content.decode()

    assert [chip["url"] for chip in page.context["filters"]] == [
        "?search=n&order=title",
        "?search=n&order=title&state=ready",
    ]
    assert 'href="?search=n&amp;order=-title"' in shown  # the other way round, from the first page
    assert 'href="?search=n&amp;order=pages"' in shown
    assert 'aria-sort="ascending"' in shown


@pytest.mark.usefixtures("three")
def test_an_order_that_does_not_exist_is_passed_over_by_the_page_and_refused_by_the_api(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf
) -> None:
    reply, blank = documents(firm, corpus, {"order": "colour"}), documents(firm, corpus, {"search": ""})

    assert titles(client_of(firm.lawyer).get(address, {"order": "colour"})) == ["Bond", "annex", "Charter 100%"]
    assert reply.status_code == 400
    assert reply.json()["message"] == (
        "order: 'colour' does not exist; choose one of: title, -title, state, -state, date, -date, pages, -pages."
    )
    assert (blank.status_code, blank.json()["message"]) == (400, "search: Give a value, or leave it out.")
