"""What one organisation may use: refusals in a sentence, nothing lost, and a page that shows it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from corpora.models import Corpus, Document
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import Conflict
from legalqa.jobs.models import DayUse, Job
from legalqa.jobs.use import day_use_add, today, use_get
from tests.ingestion import make_corpus, run_job, upload
from tests.people import Firm

NOTE = "The tenant pays the rent."
ClientOf = Callable[[User], Client]


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm)


def n_documents(firm: Firm) -> int:
    with organization_scope(firm.organization, user=None):
        return Document.objects.count()


def test_an_upload_beyond_the_open_jobs_is_refused_until_one_is_done(
    firm: Firm, corpus: Corpus, settings: Settings
) -> None:
    settings.OPEN_JOBS = 1
    first = upload(firm, corpus, "first.txt", NOTE)
    with pytest.raises(Conflict, match="the limit is 1") as refused:
        upload(firm, corpus, "second.txt", f"{NOTE} Twice.")
    assert (refused.value.code, refused.value.status) == ("open_jobs_limit", 409)
    assert n_documents(firm) == 1
    run_job(first.job)
    upload(firm, corpus, "second.txt", f"{NOTE} Twice.")
    assert n_documents(firm) == 2


def test_the_jobs_of_another_organisation_take_no_room(
    firm: Firm, rivals: Firm, corpus: Corpus, settings: Settings
) -> None:
    settings.OPEN_JOBS = 1
    upload(firm, corpus, "first.txt", NOTE)
    upload(rivals, make_corpus(rivals), "first.txt", NOTE)
    assert n_documents(rivals) == 1


def test_bytes_beyond_those_of_a_day_are_refused_until_the_next_day(
    firm: Firm, corpus: Corpus, settings: Settings
) -> None:
    settings.DAY_UPLOAD_BYTES = len(NOTE) + 1
    upload(firm, corpus, "first.txt", NOTE)
    with pytest.raises(Conflict, match="a day") as refused:
        upload(firm, corpus, "second.txt", f"{NOTE} Twice.")
    assert refused.value.code == "bytes_today_limit"
    assert n_documents(firm) == 1
    assert use_get(organization=firm.organization).bytes_today == len(NOTE), "what was refused is not counted"
    DayUse.objects.update(day=today() - timedelta(days=1))
    upload(firm, corpus, "second.txt", NOTE[:10])


def test_a_limit_of_nought_is_none(firm: Firm, corpus: Corpus, settings: Settings) -> None:
    settings.OPEN_JOBS = settings.DAY_UPLOAD_BYTES = settings.DAY_PROCESSOR_S = 0
    upload(firm, corpus, "first.txt", NOTE)
    upload(firm, corpus, "second.txt", f"{NOTE} Twice.")
    assert not use_get(organization=firm.organization).is_waiting


def test_a_program_is_told_why_its_upload_is_refused(
    firm: Firm, corpus: Corpus, client: Client, settings: Settings
) -> None:
    settings.OPEN_JOBS = 1
    upload(firm, corpus, "first.txt", NOTE)
    reply = client.post(
        reverse("api_document_list", args=[corpus.pk]),
        {"file": SimpleUploadedFile("second.txt", b"Twice.")},
        headers=firm.bearer(firm.manager, TokenScope.DOCUMENTS_WRITE),
    )
    assert reply.status_code == 409
    assert reply.json()["code"] == "open_jobs_limit"


def test_the_page_shows_use_beside_each_limit(
    firm: Firm, corpus: Corpus, settings: Settings, client_of: ClientOf
) -> None:
    settings.OPEN_JOBS, settings.DAY_UPLOAD_BYTES, settings.DAY_PROCESSOR_S = 4, 2 * 1024 * 1024, 600
    upload(firm, corpus, "first.txt", "x" * 1024 * 1024)
    day_use_add(organization_id=firm.organization.pk, processor_ms=150_000)
    page = client_of(firm.manager).get(reverse("use_page", args=["harding"]))
    shown = [(row.name, row.used, row.limit, row.percent) for row in page.context["rows"]]
    assert shown == [
        ("Open background work", "1", "4 jobs", 25),
        ("Uploaded today", "1.0 MB", "2 MB a day", 50),
        ("Processor time today", "2.5 min", "10 min a day", 25),
    ]
    assert "is paused until tomorrow.</strong>" not in page.content.decode()


def test_the_page_says_that_work_waits_for_tomorrow(firm: Firm, settings: Settings, client_of: ClientOf) -> None:
    settings.DAY_PROCESSOR_S = 600
    day_use_add(organization_id=firm.organization.pk, processor_ms=600_000)
    page = client_of(firm.owner).get(reverse("use_page", args=["harding"])).content.decode()
    assert "Background work is paused until tomorrow." in page


def test_an_organisation_that_has_used_nothing_is_led_to_its_corpora(firm: Firm, client_of: ClientOf) -> None:
    page = client_of(firm.owner).get(reverse("use_page", args=["harding"])).content.decode()
    assert "Nothing used today" in page
    assert reverse("corpus_list", args=["harding"]) in page


def test_use_is_that_of_the_token_s_own_organisation(firm: Firm, rivals: Firm, client: Client) -> None:
    upload(rivals, make_corpus(rivals), "theirs.txt", NOTE)
    asked = {
        house: client.get(reverse("api_use"), headers=house.bearer(house.manager, TokenScope.JOBS_READ)).json()
        for house in (firm, rivals)
    }
    assert (asked[firm]["open_jobs"], asked[firm]["bytes_today"]) == (0, 0)
    assert (asked[rivals]["open_jobs"], asked[rivals]["bytes_today"]) == (1, len(NOTE))
    assert Job.objects.count() == 1
