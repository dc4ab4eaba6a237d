"""The page of a file of which there is nothing to read, and its row in the list: what happened, and what to do."""

from collections.abc import Callable
from pathlib import Path

from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.jobs.services import job_cancel
from tests.ingestion import ingest, upload
from tests.pages import one_line
from tests.people import Firm

ClientOf = Callable[[User], Client]
LOCKED = Path(__file__).parents[1] / "data" / "pdfs" / "encrypted_user_password.pdf"


def page_of(client: Client, document_id: object, query: str = "") -> str:
    return client.get(reverse("document_detail", args=["harding", document_id]) + query).content.decode()


def test_a_refused_first_version_says_refused_why_and_what_to_do(
    firm: Firm, corpus: Corpus, client_of: ClientOf
) -> None:
    refused = ingest(firm, corpus, "scan.pdf", b"%PDF-1.4 nothing")
    page = page_of(client_of(firm.manager), refused.document.pk)

    assert "Older version" not in page
    assert "cannot be read yet" not in page
    assert "This file was rejected" in page
    assert refused.version.detail in page
    assert "Upload a corrected file under the same name." in page


def test_a_file_that_waits_is_being_read_and_a_cancelled_one_can_be_tried_again(
    firm: Firm, corpus: Corpus, client_of: ClientOf
) -> None:
    waiting = upload(firm, corpus, "note.txt", "A note.")
    client = client_of(firm.manager)
    assert "This file is being read" in page_of(client, waiting.document.pk)
    job_cancel(organization=firm.organization, job_id=waiting.job.pk)
    page = page_of(client, waiting.document.pk)
    assert "Reading this file was cancelled" in page
    assert "Try again" in page


def test_only_a_version_that_was_replaced_is_called_older(firm: Firm, corpus: Corpus, client_of: ClientOf) -> None:
    first = ingest(firm, corpus, "note.txt", "The tenant pays 900 euros.")
    ingest(firm, corpus, "note.txt", "The tenant pays 950 euros.")
    client = client_of(firm.manager)
    assert "Older version" in page_of(client, first.document.pk, "?v=1")
    assert "Older version" not in page_of(client, first.document.pk)


def test_a_wrong_password_is_told_in_the_row_of_the_file(firm: Firm, corpus: Corpus, client_of: ClientOf) -> None:
    locked = ingest(firm, corpus, "locked.pdf", LOCKED.read_bytes())
    client = client_of(firm.manager)
    client.post(reverse("document_password", args=["harding", locked.document.pk]), {"password": "sesame"})

    [row] = client.get(reverse("corpus_detail", args=["harding", corpus.pk])).context["rows"]
    assert (row["state"], row["reason"]) == (
        "password_needed",
        "The password does not open the file: check it and try again.",
    )
    client.post(reverse("document_password", args=["harding", locked.document.pk]), {"password": "correct-horse"})
    [row] = client.get(reverse("corpus_detail", args=["harding", corpus.pk])).context["rows"]
    assert (row["state"], row["reason"]) == ("waiting", "")


def test_the_upload_form_names_the_limit_of_this_installation(
    firm: Firm, corpus: Corpus, client_of: ClientOf, settings: object
) -> None:
    settings.MAX_UPLOAD_BYTES = 7 * 2**20  # type: ignore[attr-defined]  # Django's settings
    page = client_of(firm.manager).get(reverse("corpus_detail", args=["harding", corpus.pk])).content.decode()
    assert "Up to 7&nbsp;MB each" in one_line(page)
