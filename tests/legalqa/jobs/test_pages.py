"""The background work on a corpus, in its list and over the API."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from corpora.models import Corpus
from corpora.services import corpus_remove
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job, JobState
from tests.ingestion import ingest, make_corpus, upload
from tests.people import Firm

ClientOf = Callable[[User], Client]


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm)


@pytest.fixture
def address(corpus: Corpus) -> str:
    return reverse("job_list", args=["harding", corpus.pk])


def test_an_empty_corpus_says_what_the_list_is_for(firm: Firm, address: str, client_of: ClientOf) -> None:
    page = client_of(firm.lawyer).get(address)
    assert "Uploads, index rebuilds and trainings of this corpus are listed here." in page.content.decode()


def test_a_job_names_its_work_its_document_and_its_state(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf
) -> None:
    ingest(firm, corpus, "lease.txt", b"The rent is due on the first day of each month.")
    upload(firm, corpus, "waiting.txt", "A note that waits.")
    rows = client_of(firm.manager).get(address).context["rows"]
    assert [(row["label"], row["document"].name, row["job"].state) for row in rows] == [
        ("Read a document", "waiting.txt", JobState.QUEUED),
        ("Read a document", "lease.txt", JobState.DONE),
    ]


def test_the_list_shows_one_state_when_asked_to(firm: Firm, corpus: Corpus, address: str, client_of: ClientOf) -> None:
    ingest(firm, corpus, "lease.txt", b"The rent is due on the first day of each month.")
    upload(firm, corpus, "waiting.txt", "A note that waits.")
    page = client_of(firm.manager).get(address, {"state": "done"})
    assert [row["document"].name for row in page.context["rows"]] == ["lease.txt"]


def test_a_job_that_is_cancelled_leads_back_to_the_page_of_the_button_and_never_to_another_site(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf
) -> None:
    job = upload(firm, corpus, "waiting.txt", "A note that waits.").job
    client = client_of(firm.manager)
    assert address in client.get(address).content.decode().partition(f"{job.pk}/cancel/")[2].partition("</form>")[0]
    answer = client.post(reverse("job_cancel", args=["harding", job.pk]), {"back": address})
    assert answer.headers["Location"] == address
    for elsewhere in ("https://example.org/", "//example.org/", "jobs", ""):
        answer = client.post(reverse("job_retry", args=["harding", job.pk]), {"back": elsewhere})
        assert answer.headers["Location"] == reverse("corpus_detail", args=["harding", corpus.pk])
        client.post(reverse("job_cancel", args=["harding", job.pk]))
    job.refresh_from_db()
    assert job.state == JobState.CANCELLED


def test_the_removal_of_a_corpus_is_listed_but_not_stopped_here(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf
) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        job = corpus_remove(**firm.by_owner, corpus_id=corpus.pk, name=corpus.name)
    client = client_of(firm.owner)
    page = client.get(address)
    assert "Remove the corpus" in page.content.decode()
    assert f"cancel-{job.pk}" not in page.content.decode()
    refused = client.post(reverse("job_cancel", args=["harding", job.pk]))
    assert (refused.status_code, Job.objects.get(pk=job.pk).cancel_requested_at) == (409, None)
    assert "cannot be stopped or retried here" in refused.content.decode()


def test_the_api_lists_the_same_jobs_and_refuses_an_unknown_state(firm: Firm, corpus: Corpus) -> None:
    job = upload(firm, corpus, "waiting.txt", "A note that waits.").job
    bearer, address = firm.bearer(firm.lawyer, TokenScope.JOBS_READ), reverse("api_job_list", args=[corpus.pk])
    listed = Client().get(address, {"state": "queued"}, headers=bearer).json()
    assert [row["id"] for row in listed["results"]] == [str(job.pk)]
    refused = Client().get(address, {"state": "sleeping"}, headers=bearer)
    assert refused.status_code == 400


@pytest.mark.parametrize(
    ("task", "reason", "words"),
    [
        ("legalqa.training.tasks.ranker_train", "gold_set_removed", "A gold set that it learns from was removed."),
        ("legalqa.training.tasks.ranker_train", "crashed", "It stopped several times without making progress."),
        ("judging.tasks.generation_work", "gold_set_removed", "The gold set was removed."),
        ("corpora.tasks.document_ingest", "crashed", "Reading was interrupted several times and was abandoned."),
    ],
)
def test_work_that_failed_says_why_in_the_list_in_the_words_of_its_kind(
    firm: Firm, corpus: Corpus, address: str, client_of: ClientOf, task: str, reason: str, words: str
) -> None:
    Job.objects.create(
        organization_id=firm.organization.pk,
        corpus_id=corpus.pk,
        task=task,
        subject_id=corpus.pk,
        state=JobState.FAILED,
        reason=reason,
    )
    assert words in client_of(firm.manager).get(address).content.decode()
