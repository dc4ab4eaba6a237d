"""Folders that feed a corpus: every file once, none half-written, nothing from outside."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from corpora.management.commands import ingest as ingest_command
from corpora.models import Corpus, Document, DocumentVersion, WatchedFile, WatchedFolder
from corpora.services import (
    document_upload,
    folder_look,
    folder_unwatch,
    folder_watch,
    folders_available,
    folders_look,
    watching,
)
from corpora.services.handles import FolderEntry, file_parts
from corpora.services.missing_files import files_missing
from corpora.services.watching import Look
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.jobs.models import Job
from tests.ingestion import make_corpus, run_job
from tests.people import Firm

LEASE = "# Lease\n\nThe tenant pays a rent of 900 euros each month.\n"


def watch(firm: Firm, corpus: Corpus, path: str = "leases", *, removes_missing: bool = False) -> WatchedFolder:
    with organization_scope(firm.organization, user=firm.manager):
        return folder_watch(**firm.by_manager, corpus_id=corpus.pk, path=path, removes_missing=removes_missing)


def look(firm: Firm, folder: WatchedFolder, *, times: int = 1) -> Look:
    done = Look()
    for _ in range(times):
        looked = folder_look(organization=firm.organization, folder_id=folder.pk)
        assert looked is not None
        done = looked
    for job_id in done.job_ids:
        run_job(Job.objects.get(pk=job_id))
    return done


def documents(firm: Firm) -> dict[str, int]:
    """Names of the documents that are there, with the number of their current version."""
    with organization_scope(firm.organization, user=None):
        found = Document.objects.filter(removed_at=None).exclude(current=None)
        return dict(found.values_list("name", "current__number"))


def documents_of_any_state(firm: Firm) -> list[str]:
    """Names of the documents that are there, read or not."""
    with organization_scope(firm.organization, user=None):
        return list(Document.objects.filter(removed_at=None).order_by("name").values_list("name", flat=True))


def test_a_file_is_taken_at_the_second_look_and_never_again(firm: Firm, corpus: Corpus, home: Path) -> None:
    folder = watch(firm, corpus)
    (home / "leases" / "2024").mkdir()
    (home / "leases" / "2024" / "lease.md").write_text(LEASE)

    assert look(firm, folder).waiting == ("2024/lease.md",)
    assert look(firm, folder).taken == ("2024/lease.md",)
    assert look(firm, folder) == Look()
    assert documents(firm) == {"2024 – lease.md": 1}


def test_a_file_that_is_still_being_written_waits(firm: Firm, corpus: Corpus, home: Path) -> None:
    folder, file = watch(firm, corpus), home / "leases" / "lease.md"
    for part in ("# Lease\n", "# Lease\n\nThe tenant", LEASE):
        file.write_text(part)
        assert look(firm, folder).waiting == ("lease.md",)
    assert documents(firm) == {}

    assert look(firm, folder).taken == ("lease.md",)
    with organization_scope(firm.organization, user=None):
        assert DocumentVersion.objects.get().size == len(LEASE)


def test_a_file_that_grows_while_it_is_read_is_not_taken(
    firm: Firm, corpus: Corpus, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, file = watch(firm, corpus), home / "leases" / "lease.md"
    file.write_text(LEASE)
    look(firm, folder)

    with monkeypatch.context() as patched:
        # Between two reads of one file, which no test could hit from outside.
        patched.setattr(watching, "file_parts", after(lambda: file.write_text(LEASE + "And more.\n")))
        assert look(firm, folder).waiting == ("lease.md",)
    assert documents(firm) == {}
    assert look(firm, folder, times=2).taken == ("lease.md",)


def after(change: Callable[[], object]) -> Callable[..., Iterator[bytes]]:
    """Reading of a file that begins after somebody has changed something: between the look and the opening."""

    def parts(*, folder: int, file: FolderEntry) -> Iterator[bytes]:
        change()
        return file_parts(folder=folder, file=file)

    return parts


def theirs_with_the_look_of(file: Path, folder: Path) -> Path:
    """A file of another organisation that has the size and the time of ours."""
    theirs = folder / "secret.md"
    theirs.write_text(LEASE.replace("900", "777"))
    about = file.stat()
    os.utime(theirs, ns=(about.st_atime_ns, about.st_mtime_ns))
    return theirs


@pytest.mark.parametrize("swapped", ["leases/2024/lease.md", "leases/2024"])
def test_a_link_put_in_the_place_of_a_file_or_folder_after_the_look_is_not_followed(
    swapped: str, firm: Firm, corpus: Corpus, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, file = watch(firm, corpus), home / "leases" / "2024" / "lease.md"
    file.parent.mkdir()
    file.write_text(LEASE)
    rivals = tmp_path / "rivals"
    rivals.mkdir()
    theirs = theirs_with_the_look_of(file, rivals).rename(rivals / "lease.md")
    look(firm, folder)

    def swap() -> None:
        (home / swapped).rename(home / "away")
        (home / swapped).symlink_to(theirs if swapped.endswith(".md") else rivals)

    with monkeypatch.context() as patched:
        patched.setattr(watching, "file_parts", after(swap))  # the moment between the look and the opening
        assert look(firm, folder).waiting == ("2024/lease.md",)
    look(firm, folder, times=2)
    assert documents(firm) == {}


def test_a_file_replaced_by_another_of_its_size_is_not_taken_for_it(
    firm: Firm, corpus: Corpus, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, file = watch(firm, corpus), home / "leases" / "lease.md"
    file.write_text(LEASE)
    look(firm, folder)

    def pipe() -> None:
        file.unlink()
        os.mkfifo(file)

    with monkeypatch.context() as patched:
        patched.setattr(watching, "file_parts", after(pipe))  # as above
        assert look(firm, folder).waiting == ("lease.md",)
    file.unlink()
    file.write_text(LEASE.replace("900", "950"))
    assert look(firm, folder, times=2).taken == ("lease.md",)
    assert documents(firm) == {"lease.md": 1}


def n_handles() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_no_handle_is_left_open(firm: Firm, corpus: Corpus, home: Path) -> None:
    folder = watch(firm, corpus)
    (home / "leases" / "2024").mkdir()
    (home / "leases" / "2024" / "lease.md").write_text(LEASE)
    look(firm, folder)
    n_open = n_handles()

    folder_look(organization=firm.organization, folder_id=folder.pk)
    folders_available(organization=firm.organization)

    assert n_handles() == n_open


def test_a_changed_file_becomes_a_new_version(firm: Firm, corpus: Corpus, home: Path) -> None:
    folder, file = watch(firm, corpus), home / "leases" / "lease.md"
    file.write_text(LEASE)
    look(firm, folder, times=2)
    file.write_text(LEASE.replace("900", "950"))

    assert look(firm, folder, times=2).taken == ("lease.md",)
    assert documents(firm) == {"lease.md": 2}


def test_a_kill_after_taking_a_file_takes_it_once(
    firm: Firm, corpus: Corpus, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = watch(firm, corpus)
    (home / "leases" / "lease.md").write_text(LEASE)
    look(firm, folder)

    def killed(*_args: Any, **_more: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(watching, "_note", killed)  # a kill there, in this process: it must live to look again
        look(firm, folder)
    look(firm, folder)

    with organization_scope(firm.organization, user=None):
        assert DocumentVersion.objects.count() == 1
        assert WatchedFile.objects.get().document_id == Document.objects.get().pk


def test_a_refused_file_says_why_and_is_not_tried_again_until_it_changes(
    firm: Firm, corpus: Corpus, home: Path
) -> None:
    folder, file = watch(firm, corpus), home / "leases" / "empty.txt"
    file.write_bytes(b"")

    assert look(firm, folder, times=2).refused == ("empty.txt",)
    with organization_scope(firm.organization, user=None):
        assert "empty" in WatchedFile.objects.get().reason
    assert look(firm, folder) == Look()
    file.write_text(LEASE)
    assert look(firm, folder, times=2).taken == ("empty.txt",)


@pytest.mark.parametrize(
    "path",
    [
        "..",
        "../rivals",
        "/etc",
        "leases/../..",
        "leases/..",
        "link",
        "link/inner",
        "nowhere",
        "\x00",
        ".hidden",
        ".hidden/inner",
        "a" * 5_000,
        "a/" * 2_500,
    ],
    ids=lambda path: path[:12],
)
def test_no_folder_outside_the_organisation_s_own_can_be_watched(
    path: str, firm: Firm, corpus: Corpus, home: Path
) -> None:
    (home.parent / "rivals").mkdir()
    (home / "link").symlink_to(home.parent / "rivals")
    (home.parent / "rivals" / "inner").mkdir()
    (home / ".hidden" / "inner").mkdir(parents=True)

    with pytest.raises(ApplicationError) as refused:
        watch(firm, corpus, path)
    assert refused.value.code == "folder_not_allowed"


def test_links_and_hidden_files_are_not_followed(firm: Firm, corpus: Corpus, home: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text(LEASE)
    (home / "leases" / "link.md").symlink_to(secret)
    (home / "leases" / ".hidden.md").write_text(LEASE)
    (home / "leases" / "folder").symlink_to(tmp_path)
    folder = watch(firm, corpus)

    (home / "leases" / "2024").mkdir()
    (home / ".git" / "objects").mkdir(parents=True)
    (home / "folder").symlink_to(tmp_path)

    assert look(firm, folder, times=2) == Look()
    assert folders_available(organization=firm.organization) == [".", "leases", "leases/2024"]


def test_a_folder_that_becomes_a_link_outside_is_no_longer_read(
    firm: Firm, corpus: Corpus, home: Path, tmp_path: Path
) -> None:
    folder = watch(firm, corpus)
    (home / "leases").rmdir()
    (home / "leases").symlink_to(tmp_path)

    assert "links are not followed" in look(firm, folder).problem


def test_a_folder_that_is_gone_says_so_and_removes_nothing(firm: Firm, corpus: Corpus, home: Path) -> None:
    folder = watch(firm, corpus, removes_missing=True)
    (home / "leases" / "lease.md").write_text(LEASE)
    look(firm, folder, times=2)
    (home / "leases").rename(home / "elsewhere")

    assert "cannot be read" in look(firm, folder).problem
    assert documents(firm) == {"lease.md": 1}


def test_background_work_looks_at_the_folders_of_every_organisation(
    firm: Firm, rivals: Firm, corpus: Corpus, home: Path
) -> None:
    (home.parent / "rivals").mkdir()
    watch(firm, corpus)
    theirs = watch(rivals, make_corpus(rivals), ".")

    assert folders_look() == 2
    with organization_scope(rivals.organization, user=rivals.manager):
        folder_unwatch(**rivals.by_manager, folder_id=theirs.pk)
    assert folders_look() == 1


def test_a_fault_in_one_folder_stops_no_other_and_is_said_and_logged_once(
    firm: Firm,
    rivals: Firm,
    corpus: Corpus,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    ours, theirs = watch(firm, corpus), home.parent / "rivals"
    theirs.mkdir()
    watch(rivals, make_corpus(rivals), ".")
    for place in (home / "leases", theirs):
        (place / "lease.md").write_text(LEASE)

    def look_at_theirs(*, folder: WatchedFolder, **more: Any) -> Any:
        if folder.pk == ours.pk:
            raise RuntimeError("lease.md")
        return files_missing(folder=folder, **more)

    # A fault that we do not know of yet.
    monkeypatch.setattr(watching, "files_missing", look_at_theirs)
    assert [folders_look(), folders_look()] == [1, 1]

    assert documents_of_any_state(rivals) == ["lease.md"]
    with organization_scope(firm.organization, user=None):
        folder = WatchedFolder.objects.get()
    assert (folder.problem, folder.busy_until) == (watching.FAULT, None)
    said = [record.getMessage() for record in caplog.records if record.name == "corpora.services.watching"]
    assert said == [f"watched folder {ours.pk}: RuntimeError"]


def test_two_processes_do_not_look_at_once(firm: Firm, corpus: Corpus, home: Path) -> None:
    folder = watch(firm, corpus)
    with organization_scope(firm.organization, user=None):
        WatchedFolder.objects.update(busy_until="2999-01-01T00:00Z")

    assert folder_look(organization=firm.organization, folder_id=folder.pk) is None


def test_the_command_watches_until_it_is_ended(
    firm: Firm, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lease.md").write_text(LEASE)
    looks = iter(range(2))

    def sleep(_seconds: float) -> None:
        if next(looks, None) is None:
            raise KeyboardInterrupt

    monkeypatch.setattr(ingest_command, "sleep", sleep)  # the command would wait for minutes, and end by a key
    call_command("ingest", "policies", str(tmp_path), organization="harding", watch=True, json=True)

    [file] = json.loads(capsys.readouterr().out)["files"]
    assert (file["name"], file["status"]) == ("lease.md", "taken")
    assert documents(firm) == {"lease.md": 1}


@pytest.mark.parametrize("name", ["nowhere", "a" * 5_000], ids=["missing", "too long"])
def test_the_command_refuses_to_watch_what_is_no_folder(name: str, firm: Firm, corpus: Corpus, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no folder") as refused:
        call_command("ingest", "policies", str(tmp_path / name), organization="harding", watch=True)
    assert refused.value.returncode == 2


@pytest.mark.parametrize("path", ["a" * 5_000, ".hidden"], ids=["too long", "hidden"])
def test_the_page_refuses_such_a_folder_in_one_sentence(
    path: str, firm: Firm, corpus: Corpus, home: Path, client: Client
) -> None:
    (home / ".hidden").mkdir()
    client.force_login(firm.manager)
    address = reverse("folder_watch", args=[firm.organization.slug, corpus.pk])

    response = client.post(address, {"path": path})

    assert response.status_code == 400
    assert "This folder cannot be watched" in response.content.decode()


def test_a_folder_of_large_files_is_taken_in_over_several_looks(
    firm: Firm, corpus: Corpus, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [0.0]

    def upload_slowly(**more: Any) -> Any:
        seconds[0] += 10
        return document_upload(**more)

    # A clock of our own: files that take ten seconds each would take them here, too.
    monkeypatch.setattr("corpora.services.watching.monotonic", lambda: seconds[0])
    monkeypatch.setattr("corpora.services.watching.document_upload", upload_slowly)
    for number in range(3):
        (home / "leases" / f"{number}.md").write_text(f"{LEASE}\nLease number {number}.\n")
    folder = watch(firm, corpus)
    assert [look(firm, folder).taken for _ in range(4)] == [(), ("0.md",), ("1.md",), ("2.md",)]


def test_a_folder_waits_for_the_next_day_where_the_bytes_of_this_one_are_used_up(
    firm: Firm, corpus: Corpus, home: Path, settings: Any
) -> None:
    settings.DAY_UPLOAD_BYTES = 1
    (home / "leases" / "one.md").write_text(LEASE)
    folder = watch(firm, corpus)
    assert "a day" in look(firm, folder, times=2).problem
    settings.DAY_UPLOAD_BYTES = 1_000_000
    assert look(firm, folder).taken == ("one.md",)
