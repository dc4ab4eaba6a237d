"""A journey whose every word is marked: no mark reaches the log, and one number ties the log together."""

import json
import logging.config
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from corpora.services import document_ingest
from legalqa.accounts.models import User
from legalqa.accounts.scopes import ALL_SCOPES
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import token_create
from legalqa.common.logs import logging_settings
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_run
from tests.ingestion import make_corpus
from tests.people import Firm, make_firm

MARK = "Zanzibarite"
REQUEST = "ab" * 16


@pytest.fixture
def log(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """The log as an installation writes it, with every query slow enough to be in it."""
    settings.FILES_ROOT, settings.SLOW_QUERY_MS = tmp_path / "files", 1
    wanted = logging_settings(to_file=True, is_json=True, folder=tmp_path / "log", max_bytes=10_000_000)
    handlers = list(logging.getLogger().handlers)
    logging.config.dictConfig(wanted)
    yield tmp_path / "log" / "legalqa.jsonl"
    logging.config.dictConfig(project.LOGGING)
    for handler in handlers:
        logging.getLogger().addHandler(handler)


@pytest.fixture
def firm(committed_db: None) -> Firm:
    return make_firm("harding", "Harding & Stone")


def failing(lease: Any) -> bool:
    raise ValueError(f"the text of a document: {MARK}")


def call(token: str, address: str, body: dict[str, str]) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    Client().post(address, json.dumps(body), content_type="application/json", headers=headers)


def travel(firm: Firm, browser: Client) -> Job:
    """Upload, read, search, ask, mistype, fail: every word that a person gives carries the mark."""
    corpus = make_corpus(firm, f"{MARK} corpus")
    page = {"slug": "harding", "corpus_id": corpus.pk}
    file = SimpleUploadedFile(f"{MARK}.txt", f"The {MARK} penalty is five hundred dollars.".encode())
    browser.post(reverse("document_upload", kwargs=page), {"files": file}, headers={"X-Request-ID": REQUEST})
    [job] = Job.objects.all()
    document_ingest(job_id=job.pk)
    with organization_scope(firm.organization, user=firm.lawyer):
        _, token = token_create(**firm.by_lawyer, name=MARK, valid_days=1, scopes=ALL_SCOPES)
    question = f"What is the {MARK} penalty?"
    browser.post(reverse("question_ask", kwargs={"slug": "harding"}), {"corpus": corpus.pk, "text": question})
    call(token, "/api/v1/questions/", {"corpus_id": str(corpus.pk), "text": question})
    call(token, "/api/v1/search/", {"corpus_id": str(corpus.pk), "query": MARK, "k": MARK})
    call(token, "/api/v1/search/", {"corpus_id": str(corpus.pk), "query": MARK})
    Client().post("/sign-in/", {"username": f"{MARK}@law.example", "password": f"{MARK} password"})
    Client().get(f"/sign-in/link/{MARK}/?q={MARK}")
    Client().get(f"/{MARK}/", headers={"X-Request-ID": MARK, "User-Agent": MARK, "Referer": MARK})
    Client().get("/", headers={"Host": f"{MARK}.example"})
    Job.objects.filter(pk=job.pk).update(state="queued", lease=None, lease_until=None)
    job_run(job_id=job.pk, work=failing)
    return job


def test_no_word_of_a_person_is_in_the_log_and_one_number_follows_the_work(
    log: Path, firm: Firm, client_of: Callable[[User], Client], capfd: pytest.CaptureFixture[str]
) -> None:
    job = travel(firm, client_of(firm.manager))

    text = log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert MARK.lower() not in (text + "".join(capfd.readouterr())).lower()
    assert firm.lawyer.email not in text
    assert sum(line["message"] == "request" for line in lines) >= 8
    assert any(line["message"] == "slow query" and "%s" in line["sql"] for line in lines)
    assert any("builtins.ValueError" in json.dumps(line.get("exceptions", [])) for line in lines)
    followed = [line for line in lines if line.get("request_id") == REQUEST]
    assert {line["message"] for line in followed} >= {"request", "job slice"}
    assert {line["job"] for line in followed if "job" in line} == {str(job.pk)}
    assert {line["organization"] for line in followed if "organization" in line} == {str(firm.organization.pk)}
    assert any(line.get("user") == str(firm.manager.pk) for line in followed)
