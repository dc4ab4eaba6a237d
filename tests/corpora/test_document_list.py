"""The list of a corpus's documents: paged in the database, and asked about by one poll."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from corpora.models import Corpus, Document, DocumentVersion, VersionState
from corpora.pages import documents as presentation
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from tests.ingestion import ingest, make_corpus, upload
from tests.people import Firm

ClientOf = Callable[[User], Client]


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm)


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
    [card] = client.get(reverse("corpus_list", args=["harding"])).context["corpora"]
    assert (card.n_documents, card.n_working, card.n_refused) == (4, 1, 1)


def test_a_page_reads_its_own_rows_and_no_others(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presentation, "ROWS_A_PAGE", 5)
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
