"""Uploads in a storage that is not a folder of this machine: everything works that works with the local one."""

import tarfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from corpora.files import folder_names, stored_names
from corpora.models import DocumentVersion
from corpora.parsers.reasons import FileRefused
from corpora.services import corpus_remove, files_sweep, removal_work, version_unlock
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import DiskFull
from legalqa.jobs.models import JobState
from legalqa.operations.checks.storage import documents_have_files, no_orphans, writable
from legalqa.operations.checks.types import Level
from legalqa.operations.services.backup import backup_make
from legalqa.operations.services.restore import restore_run
from tests.database import empty_test_database
from tests.ingestion import ingest, make_corpus, run_job, upload
from tests.people import Firm, make_firm

LEASE = "The tenant pays the rent on the first day of each month."
LOCKED = Path(__file__).parents[1] / "data" / "pdfs" / "encrypted_user_password.pdf"


@pytest.fixture(autouse=True)
def elsewhere(settings: Settings, tmp_path: Path) -> Iterator[Path]:
    """A storage in memory; the local folder must stay empty."""
    settings.FILES_ROOT = tmp_path / "files"
    settings.STORAGES = settings.STORAGES | {"corpora": {"BACKEND": "django.core.files.storage.InMemoryStorage"}}
    yield tmp_path
    assert not settings.FILES_ROOT.exists()


def names_of(firm: Firm) -> list[str]:
    with organization_scope(firm.organization, user=None):
        return sorted(f"{firm.organization.pk}/{v.file_id}" for v in DocumentVersion.objects.all())


def test_a_file_is_uploaded_read_and_downloaded(firm: Firm, client_of: Callable[[User], Client]) -> None:
    done = ingest(firm, make_corpus(firm), "lease.txt", LEASE)
    answer = client_of(firm.lawyer).get(reverse("document_file", args=["harding", done.document.pk]))

    assert done.version.state == "ready"
    assert stored_names() == names_of(firm)
    assert b"".join(answer.streaming_content) == LEASE.encode()  # type: ignore[attr-defined]  # a streaming response


def test_a_refused_upload_and_a_full_disk_leave_nothing(firm: Firm) -> None:
    corpus = make_corpus(firm)
    with pytest.raises(FileRefused):
        upload(firm, corpus, "empty.txt", "")
    with patch.object(type(storages["corpora"]), "save", side_effect=OSError(28, "No space left on device")):
        with pytest.raises(DiskFull):
            upload(firm, corpus, "lease.txt", LEASE)

    assert stored_names() == []


def test_a_locked_file_is_replaced_by_the_opened_one(
    firm: Firm, django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    locked = ingest(firm, make_corpus(firm), "locked.pdf", LOCKED.read_bytes())
    given: dict[str, Any] = {"organization": firm.organization, "user": firm.manager, "document_id": locked.document.pk}
    with pytest.raises(FileRefused):
        version_unlock(**given, password="battery-staple")
    assert stored_names() == names_of(firm)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[attr-defined]  # pytest-django's
        job = version_unlock(**given, password="correct-horse")

    assert run_job(job).state == JobState.DONE
    assert stored_names() == names_of(firm)
    assert b"/Encrypt" not in storages["corpora"].open(stored_names()[0]).read()


@override_settings(CORPUS_REMOVAL_DELAY_S=0)
def test_a_removed_corpus_takes_its_files_with_it(firm: Firm) -> None:
    corpus = make_corpus(firm, files={"lease.txt": LEASE})
    with organization_scope(firm.organization, user=firm.manager):
        job = corpus_remove(**firm.by_manager, corpus_id=corpus.pk, name=corpus.name)
    removal_work(job_id=job.pk)

    assert stored_names() == []


def test_an_orphan_is_put_aside_and_removed_a_week_later(firm: Firm) -> None:
    done = upload(firm, make_corpus(firm), "lease.txt", LEASE)
    with organization_scope(firm.organization, user=None):
        DocumentVersion.objects.filter(pk=done.version.pk).update(file_id=firm.organization.pk)
    later = timezone.now() + timedelta(hours=2)
    with patch("corpora.services.orphans.timezone.now", return_value=later):  # two hours go by
        assert (no_orphans().level, files_sweep(), stored_names()) == (Level.WARN, 1, [])
    assert folder_names(".orphans") == [str(firm.organization.pk)]
    with patch("corpora.services.orphans.timezone.now", return_value=later + timedelta(days=8)):  # a week goes by
        files_sweep()
    assert storages["corpora"].listdir(f".orphans/{firm.organization.pk}") == ([], [])


def test_a_backup_brings_the_uploads_back(committed_db: None, elsewhere: Path) -> None:
    firm = make_firm("harding", "Harding & Stone")
    ingest(firm, make_corpus(firm), "lease.txt", LEASE)
    names = stored_names()
    archive = backup_make(path=elsewhere / "copy.tar", progress=lambda _: None).path
    with tarfile.open(archive) as tar:
        assert [f"files/{name}" for name in names] == [m for m in tar.getnames() if m.startswith("files/")]
    empty_test_database()
    storages["corpora"].delete(names[0])
    storages["corpora"].save("stranger/later", ContentFile(b"uploaded after the backup"))

    restore_run(path=archive, is_replacing=True, progress=lambda _: None)

    assert stored_names() == names
    assert storages["corpora"].open(names[0]).read() == LEASE.encode()
    assert [check().level for check in (writable, documents_have_files, no_orphans)] == [Level.OK] * 3
