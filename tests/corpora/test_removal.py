"""Removing a corpus: asked for with its name, called off in time, and closed to everybody once it has begun."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from django_q.brokers import get_broker

from corpora.models import Corpus, Document
from corpora.removal import removals
from corpora.services import corpus_removal_cancel, corpus_remove, removal_work
from corpora.services import removal as steps
from legalqa.accounts.models import AuditEvent, User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.answering.services import question_ask
from legalqa.answering.types import Question
from legalqa.common.errors import Conflict, NotFound
from legalqa.jobs.models import Job
from legalqa.jobs.turns import job_sweep
from retrieval.pipelines.presets import preset_get
from tests.ingestion import ingest, make_corpus, upload
from tests.people import Firm

ClientOf = Callable[[User], Client]
LEASE = "# Lease\n\nThe tenant pays a rent of 900 euros on the first day of each month.\n"

pytestmark = pytest.mark.django_db(databases=["default", "owner"])


@pytest.fixture
def corpus(firm: Firm) -> Corpus:
    return make_corpus(firm, files={"lease.md": LEASE})


def ask_for_removal(firm: Firm, corpus: Corpus, name: str = "Policies") -> Job:
    with organization_scope(firm.organization, user=firm.manager):
        return corpus_remove(**firm.by_manager, corpus_id=corpus.pk, name=name)


def cancel(firm: Firm, corpus: Corpus) -> Corpus:
    with organization_scope(firm.organization, user=firm.manager):
        return corpus_removal_cancel(**firm.by_manager, corpus_id=corpus.pk)


def is_there(firm: Firm, corpus: Corpus) -> bool:
    with organization_scope(firm.organization, user=None):
        return Corpus.objects.filter(pk=corpus.pk).exists()


def test_the_page_says_what_goes_and_takes_no_other_name(firm: Firm, corpus: Corpus, client_of: ClientOf) -> None:
    question_ask(
        question=Question(
            organization=firm.organization,
            user=firm.lawyer,
            corpus_id=corpus.pk,
            text="What rent does the tenant pay?",
            preset=preset_get("cited-or-silent"),
        )
    )
    client, address = client_of(firm.manager), reverse("corpus_removal", args=["harding", corpus.pk])
    page = client.get(address).content.decode()
    assert "<li>1 document</li>" in page
    assert "<li>1 answer</li>" in page

    refused = client.post(address, {"name": "policies"})
    assert refused.status_code == 400
    assert "This is not the name of the corpus. Type &#x27;Policies&#x27;" in refused.content.decode()
    assert 'value="policies"' in refused.content.decode()
    with organization_scope(firm.organization, user=firm.manager):
        assert not removals(organization=firm.organization)


def test_until_it_begins_the_corpus_works_and_the_removal_can_be_cancelled(
    firm: Firm, corpus: Corpus, client_of: ClientOf
) -> None:
    client = client_of(firm.manager)
    client.post(reverse("corpus_removal", args=["harding", corpus.pk]), {"name": " Policies "})
    job = Job.objects.get(task="corpora.tasks.corpus_remove")
    assert job_sweep() == 0
    removal_work(job_id=job.pk)  # a delivery that comes too early does nothing

    for name in ("corpus_detail", "corpus_removal"):
        assert "Keep" in client.get(reverse(name, args=["harding", corpus.pk])).content.decode()
    assert "Will be removed on" in client.get(reverse("corpus_list", args=["harding"])).content.decode()
    ingest(firm, corpus, "late.md", LEASE.replace("900", "950"))
    with pytest.raises(Conflict, match="already scheduled"):
        ask_for_removal(firm, corpus)

    client.post(reverse("corpus_removal_cancel", args=["harding", corpus.pk]))
    Job.objects.filter(pk=job.pk).update(lease_until=None)
    removal_work(job_id=job.pk)
    assert Job.objects.get(pk=job.pk).state == "cancelled"
    with organization_scope(firm.organization, user=firm.manager):
        assert Document.objects.filter(corpus=corpus).count() == 2
        log = AuditEvent.objects.filter(subject_id=corpus.pk).order_by("sequence")
        assert list(log.values_list("action", flat=True))[-2:] == ["corpus.removal_asked", "corpus.removal_cancelled"]
    with pytest.raises(Conflict, match="not scheduled"):
        cancel(firm, corpus)


def test_once_due_the_sweeper_rings_and_everything_goes(firm: Firm, corpus: Corpus) -> None:
    job = ask_for_removal(firm, corpus)
    Job.objects.filter(pk=job.pk).update(
        lease_until=timezone.now() - timedelta(seconds=1), enqueued_at=timezone.now() - timedelta(minutes=1)
    )
    get_broker().purge_queue()  # the reading of the lease is done and its delivery was taken
    assert job_sweep() == 1
    removal_work(job_id=job.pk)
    assert Job.objects.get(pk=job.pk).state == "done"
    assert not is_there(firm, corpus)


@override_settings(CORPUS_REMOVAL_DELAY_S=0, JOB_SLICE_S=0)
def test_from_its_first_step_on_nobody_reads_or_writes_and_its_progress_is_shown(
    firm: Firm, corpus: Corpus, client_of: ClientOf
) -> None:
    waiting = upload(firm, corpus, "waiting.txt", "A note that waits.")
    with organization_scope(firm.organization, user=firm.manager):
        document = Document.objects.get(name="lease.md")
    job = ask_for_removal(firm, corpus)
    removal_work(job_id=job.pk)
    assert is_there(firm, corpus)
    assert Job.objects.get(pk=waiting.job.pk).cancel_requested_at is not None

    client = client_of(firm.manager)
    assert client.get(reverse("corpus_detail", args=["harding", corpus.pk])).status_code == 409
    assert client.get(reverse("document_detail", args=["harding", document.pk])).status_code == 404
    with pytest.raises(Conflict, match="This corpus is being removed"):
        upload(firm, corpus, "new.txt", "A new note.")
    with pytest.raises(Conflict, match="can no longer be cancelled"):
        cancel(firm, corpus)
    listed = client.get(reverse("corpus_list", args=["harding"]))
    assert listed.context["corpora"] == []
    assert "Removing" in listed.content.decode()

    shares = []
    while Job.objects.get(pk=job.pk).is_open:
        with organization_scope(firm.organization, user=firm.manager):
            shares += [removal.percent for removal in removals(organization=firm.organization).values()]
        removal_work(job_id=job.pk)
    assert shares == sorted(shares)
    assert shares[-1] > shares[0]
    assert not is_there(firm, corpus)


@override_settings(CORPUS_REMOVAL_DELAY_S=0)
def test_a_removal_that_was_interrupted_for_good_is_continued_by_asking_again(
    firm: Firm, corpus: Corpus, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: object) -> None:
        raise OSError

    monkeypatch.setattr(steps, "indexes_drop_others", broken)  # a fault that lasts, at the last step
    job = ask_for_removal(firm, corpus)
    for _ in range(6):
        removal_work(job_id=job.pk)
    assert Job.objects.get(pk=job.pk).state == "failed"
    assert (
        "Continue the removal" in client_of(firm.manager).get(reverse("corpus_list", args=["harding"])).content.decode()
    )

    monkeypatch.undo()
    ask_for_removal(firm, corpus)
    removal_work(job_id=job.pk)
    assert not is_there(firm, corpus)


def test_outside_the_wall_nobody_removes_a_corpus_or_hears_of_it(firm: Firm, client_of: ClientOf) -> None:
    walled = make_corpus(firm, "Matter", is_walled=True, user=firm.owner)
    with pytest.raises(NotFound):
        ask_for_removal(firm, walled, "Matter")
    with organization_scope(firm.organization, user=firm.owner):
        corpus_remove(**firm.by_owner, corpus_id=walled.pk, name="Matter")
    page = client_of(firm.manager).get(reverse("corpus_list", args=["harding"])).content.decode()
    assert "Matter" not in page


def test_a_program_removes_a_corpus_and_calls_it_off(firm: Firm, corpus: Corpus) -> None:
    client, address = Client(), reverse("api_corpus_removal", args=[corpus.pk])
    headers = firm.bearer(firm.manager, TokenScope.CORPORA_READ, TokenScope.CORPORA_WRITE)
    assert client.get(address, headers=headers).json() == {
        "state": "none",
        "due_at": None,
        "percent": 0,
        "goes": {"documents": 1},
    }
    wrong = client.post(address, {"name": "Leases"}, content_type="application/json", headers=headers)
    assert (wrong.status_code, wrong.json()["code"]) == (400, "wrong_name")
    asked = client.post(address, {"name": "Policies"}, content_type="application/json", headers=headers)
    assert (asked.status_code, asked.json()["state"]) == (202, "due")
    assert client.delete(address, headers=headers).status_code == 204
    assert client.get(address, headers=headers).json()["state"] == "none"
