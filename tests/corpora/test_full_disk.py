"""While the disk has too little room, documents are refused and wait; nothing is lost, and with room it all goes on."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings as product
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from corpora.models import Corpus, Document, DocumentVersion, WatchedFile
from corpora.services import containers, document_ingest, folder_look
from legalqa.accounts.models import User
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import DiskFull
from legalqa.jobs.models import Job, JobState
from tests.corpora.test_containers import archive, states, work_off
from tests.corpora.test_watching import watch
from tests.ingestion import run_job, upload
from tests.people import Firm
from tests.uploads import file_path

LEASE = "# Lease\n\nThe tenant pays a rent of 900 euros each month.\n"
NEVER_ENOUGH = 10**18


def stored(firm: Firm) -> list[str]:
    folder = Path(product.FILES_ROOT) / str(firm.organization.pk)
    return sorted(file.name for file in folder.iterdir()) if folder.exists() else []


def test_a_document_is_refused_while_too_little_is_free_and_taken_with_room(
    firm: Firm, corpus: Corpus, settings: Settings
) -> None:
    settings.MIN_FREE_BYTES = NEVER_ENOUGH
    with pytest.raises(DiskFull, match="too little room"):
        upload(firm, corpus, "lease.md", LEASE)
    assert stored(firm) == []
    settings.MIN_FREE_BYTES = 0
    assert run_job(upload(firm, corpus, "lease.md", LEASE).job).state == JobState.DONE


def test_a_disk_that_fills_up_during_an_upload_leaves_nothing_behind(
    firm: Firm, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("corpora.files.os.fsync", no_room)  # a disk cannot be filled by a test
    with pytest.raises(DiskFull):
        upload(firm, corpus, "lease.md", LEASE)
    monkeypatch.undo()
    assert stored(firm) == []
    with organization_scope(firm.organization, user=None):
        assert not Document.objects.exists()


def test_page_and_api_say_so_in_one_sentence(
    firm: Firm, corpus: Corpus, settings: Settings, client_of: Callable[[User], Client]
) -> None:
    settings.MIN_FREE_BYTES = NEVER_ENOUGH
    page = client_of(firm.manager).post(
        reverse("document_upload", args=(firm.organization.slug, corpus.pk)),
        {"files": SimpleUploadedFile("lease.md", LEASE.encode())},
    )
    assert "There is too little room left on the server" in page.content.decode()
    assert "lease.md" in page.content.decode()
    answer = Client().post(
        reverse("api_document_list", args=(corpus.pk,)),
        {"file": SimpleUploadedFile("lease.md", LEASE.encode())},
        headers=firm.bearer(firm.manager, TokenScope.DOCUMENTS_WRITE),
    )
    assert (answer.status_code, answer.json()["code"]) == (507, "disk_full")


def test_what_was_taken_in_waits_unread_and_no_try_is_counted(firm: Firm, corpus: Corpus, settings: Settings) -> None:
    taken = upload(firm, corpus, "lease.md", LEASE)
    settings.MIN_FREE_BYTES = NEVER_ENOUGH
    for _ in range(settings.JOB_ATTEMPTS + 1):
        Job.objects.update(lease_until=None)
        document_ingest(job_id=taken.job.pk)
    job = Job.objects.get(pk=taken.job.pk)
    assert (job.state, job.attempts, job.stage) == (JobState.QUEUED, 0, "")
    settings.MIN_FREE_BYTES = 0
    Job.objects.update(lease_until=None)
    assert run_job(job).state == JobState.DONE


def test_files_of_an_archive_are_not_given_up_for_want_of_room(
    firm: Firm, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = upload(firm, corpus, "matter.zip", archive({"lease.md": LEASE, "note.md": LEASE + "\nSigned.\n"}))

    def full(**_: object) -> None:
        raise DiskFull

    with monkeypatch.context() as patched:
        patched.setattr(containers, "file_accept", full)  # a disk cannot be filled by a test
        document_ingest(job_id=taken.job.pk)
    job = Job.objects.get(pk=taken.job.pk)
    assert (job.state, job.attempts) == (JobState.QUEUED, 0)
    Job.objects.update(lease_until=None)
    work_off(firm)
    assert {name: state for name, (state, _) in states(firm).items()} == {
        "matter.zip": "ready",
        "matter.zip – lease.md": "ready",
        "matter.zip – note.md": "ready",
    }


def test_a_watched_file_is_taken_when_there_is_room_again(
    firm: Firm, corpus: Corpus, settings: Settings, tmp_path: Path
) -> None:
    settings.WATCH_ROOT = str(tmp_path)
    home = tmp_path / "harding" / "leases"
    home.mkdir(parents=True)
    (home / "lease.md").write_text(LEASE)
    folder = watch(firm, corpus)
    folder_look(organization=firm.organization, folder_id=folder.pk)
    settings.MIN_FREE_BYTES = NEVER_ENOUGH
    looked = folder_look(organization=firm.organization, folder_id=folder.pk)
    assert looked is not None
    assert "too little room" in looked.problem
    settings.MIN_FREE_BYTES = 0
    looked = folder_look(organization=firm.organization, folder_id=folder.pk)
    assert looked is not None
    assert looked.taken == ("lease.md",)
    with organization_scope(firm.organization, user=None):
        assert WatchedFile.objects.get().state == "taken"
        assert DocumentVersion.objects.count() == 1


def test_uploads_are_closed_to_others_whatever_the_umask(firm: Firm, corpus: Corpus) -> None:
    before = os.umask(0)
    try:
        taken = upload(firm, corpus, "lease.md", LEASE)
    finally:
        os.umask(before)
    path = file_path(organization_id=firm.organization.pk, file_id=taken.version.file_id)
    modes = [f"{place.stat().st_mode & 0o777:o}" for place in (path, path.parent, path.parent.parent)]
    assert modes == ["600", "700", "700"]
