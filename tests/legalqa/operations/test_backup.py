"""A backup of the embedded database: whole or not there, brought back whole or not at all."""

import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connections
from django.urls import reverse
from psycopg import sql
from pytest_django import Settings

from legalqa.accounts.models import Organization, Session
from legalqa.common.database.embedded import embedded_home, superuser_uri
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.jobs.supervisor import Address, Supervisor
from legalqa.operations.archive import DUMP, MANIFEST
from legalqa.operations.services import backup_make, restore_run
from tests.crash_points import RESTORE_CRASH_POINTS
from tests.database import KEPT_TABLES, NAME, empty_test_database
from tests.ingestion import ingest, make_corpus
from tests.people import PASSWORD, Firm, make_firm, signed_in

Contents = tuple[dict[str, str], dict[str, bytes]]


def quietly(_text: str) -> None:
    """Nobody watches the progress."""


@pytest.fixture
def house(committed_db: None, tmp_path: Path, settings: Settings) -> Iterator[Firm]:
    """A firm with one document, in the test database, with a data folder of its own for files and keys."""
    real = settings.VAR
    settings.FILES_ROOT = tmp_path / "files"
    firm = make_firm("harding", "Harding & Stone")
    ingest(firm, make_corpus(firm), "policy.txt", "Notice must be given ten days before.\n\nThe fine is $500.")
    yield firm
    settings.VAR = real


def contents() -> Contents:
    """A digest of every row of every table, read by the superuser, and every upload."""
    digests = {}
    with psycopg.connect(superuser_uri(embedded_home(settings.VAR), NAME)) as connection:
        for (table,) in connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall():
            query = sql.SQL("SELECT t::text FROM {} t ORDER BY 1").format(sql.Identifier(table))
            digests[table] = hashlib.sha256(repr(connection.execute(query).fetchall()).encode()).hexdigest()
    root = Path(settings.FILES_ROOT)
    return digests, {str(f.relative_to(root)): f.read_bytes() for f in root.rglob("*") if f.is_file()}


def wipe() -> None:
    for connection in connections.all():
        connection.close()
    empty_test_database()
    shutil.rmtree(settings.FILES_ROOT)


def rewritten(archive: Path, target: Path, change: dict[str, bytes]) -> Path:
    """The archive with other contents for some members, and nothing else changed."""
    with tarfile.open(archive) as old, tarfile.open(target, "w") as new:
        for info in old:
            content = old.extractfile(info)
            assert content is not None
            data = change.get(info.name, content.read())
            info.size = len(data)
            new.addfile(info, io.BytesIO(data))
    return target


def manifest_of(archive: Path) -> dict[str, Any]:
    with tarfile.open(archive) as tar:
        handle = tar.extractfile(MANIFEST)
        assert handle is not None
        found: dict[str, Any] = json.load(handle)
    return found


def test_backup_wipe_restore_gives_back_every_row_and_every_file(house: Firm, tmp_path: Path) -> None:
    archive = backup_make(path=tmp_path / "copy.tar", progress=quietly).path
    before = contents()
    wipe()
    assert contents() != before

    restored = restore_run(path=archive, progress=quietly)

    after = contents()
    assert after[1] == before[1]
    assert {t: d for t, d in after[0].items() if t not in KEPT_TABLES} == {
        t: d for t, d in before[0].items() if t not in KEPT_TABLES
    }
    assert restored.n_migrations == 0
    [chain] = restored.chains
    assert chain.broken is None
    assert chain.n_rows >= 2, "the corpus and the upload"
    assert Organization.objects.get().slug == "harding", "the application's role may read what was restored"


def test_an_installation_that_holds_something_is_kept_unless_it_is_to_be_replaced(house: Firm, tmp_path: Path) -> None:
    archive = backup_make(path=tmp_path / "copy.tar", progress=quietly).path
    make_firm("later", "Founded after the backup")
    orphan = Path(settings.FILES_ROOT) / "later" / "upload"
    orphan.parent.mkdir()
    orphan.write_text("uploaded after the backup")

    with pytest.raises(Conflict, match="already contains organisations or people"):
        restore_run(path=archive, progress=quietly)
    assert Organization.objects.count() == 2
    restore_run(path=archive, is_replacing=True, progress=quietly)

    assert [o.slug for o in Organization.objects.all()] == ["harding"]
    assert not orphan.exists()


def test_a_damaged_archive_is_refused_in_one_sentence_and_nothing_is_changed(house: Firm, tmp_path: Path) -> None:
    archive = backup_make(path=tmp_path / "copy.tar", progress=quietly).path
    data = archive.read_bytes()
    member = next(name for name in manifest_of(archive)["members"] if name.startswith("files/"))
    bad = {
        "cut": data[: len(data) // 2],
        "flipped": data[:9000] + bytes([data[9000] ^ 1]) + data[9001:],
        "no archive": b"something else entirely",
        "empty": b"",
    }
    before = contents()
    archives = {name: tmp_path / f"{name}.tar" for name in bad}
    for name, path in archives.items():
        path.write_bytes(bad[name])
    archives["another file"] = rewritten(archive, tmp_path / "another.tar", {member: b"another text"})

    for path in archives.values():
        with pytest.raises(ApplicationError, match=r"^This is not a complete LegalQA backup: .*Nothing was changed"):
            restore_run(path=path, is_replacing=True, progress=quietly)

    assert contents() == before


def test_names_that_lead_out_of_the_folder_are_refused(tmp_path: Path, house: Firm) -> None:
    archive = tmp_path / "evil.tar"
    with tarfile.open(archive, "w") as tar:
        info = tarfile.TarInfo("files/../../../evil")
        info.size = 4
        tar.addfile(info, io.BytesIO(b"evil"))

    with pytest.raises(ApplicationError, match="which no LegalQA backup contains"):
        restore_run(path=archive, is_replacing=True, progress=quietly)

    assert not list(tmp_path.rglob("evil"))


def test_a_backup_of_a_later_version_is_refused_by_what_it_holds(house: Firm, tmp_path: Path) -> None:
    archive = backup_make(path=tmp_path / "copy.tar", progress=quietly).path
    manifest = manifest_of(archive)
    manifest["version"] = "9.0"
    manifest["migrations"]["corpora"].append("9999_of_the_future")
    later = rewritten(archive, tmp_path / "later.tar", {MANIFEST: json.dumps(manifest).encode()})

    with pytest.raises(ApplicationError, match=r"made by version 9\.0 .*corpora 9999_of_the_future"):
        restore_run(path=later, is_replacing=True, progress=quietly)


def test_rows_that_do_not_add_up_undo_the_whole_restore(house: Firm, tmp_path: Path) -> None:
    from legalqa.operations.services import RestoreFailed

    archive = backup_make(path=tmp_path / "copy.tar", progress=quietly).path
    manifest = manifest_of(archive)
    manifest["tables"]["corpora_paragraph"] += 1
    other = rewritten(archive, tmp_path / "other.tar", {MANIFEST: json.dumps(manifest).encode()})
    before = contents()

    with pytest.raises(RestoreFailed, match="corpora_paragraph"):
        restore_run(path=other, is_replacing=True, progress=quietly)

    assert contents() == before


def killed_at(point: str, archive: Path) -> None:
    """Restore in a process that is killed with -9 at the point."""
    for connection in connections.all():
        connection.close()
    if (child := os.fork()) == 0:
        os.environ["LEGALQA_CRASH"] = f"{point}:{archive.with_name(point)}"
        with suppress(BaseException):
            restore_run(path=archive, progress=quietly)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL


@pytest.mark.parametrize("point", RESTORE_CRASH_POINTS)
def test_a_killed_restore_is_run_again_and_nothing_starts_before(point: str, house: Firm, tmp_path: Path) -> None:
    archive = backup_make(path=tmp_path / "copy.tar", with_secrets=True, progress=quietly).path
    before = contents()
    wipe()
    killed_at(point, archive)
    with pytest.raises(Conflict, match="A restore was killed before it finished"):
        Supervisor(Address("127.0.0.1", 8000), workers=1, announce=quietly).run()

    restore_run(path=archive, progress=quietly)

    after = contents()
    assert after[1] == before[1]
    assert {t: d for t, d in after[0].items() if t not in KEPT_TABLES} == {
        t: d for t, d in before[0].items() if t not in KEPT_TABLES
    }
    assert not (Path(settings.VAR) / "restore.new").exists()
    with pytest.raises(Conflict, match="contains organisations"):
        restore_run(path=archive, progress=quietly)


def test_who_is_signed_in_is_not_in_a_backup(house: Firm, tmp_path: Path) -> None:
    client = signed_in(house.lawyer)
    assert client.get(reverse("security")).status_code == 200
    archive = backup_make(path=tmp_path / "copy.tar", progress=quietly).path
    assert manifest_of(archive)["tables"]["accounts_session"] == 0
    restore_run(path=archive, is_replacing=True, progress=quietly)

    assert Session.objects.count() == 0
    assert client.get(reverse("security")).status_code == 302
    assert client.post(reverse("login"), {"username": house.lawyer.email, "password": PASSWORD}).status_code == 302


def test_keys_are_in_an_archive_only_when_asked_for(house: Firm, tmp_path: Path) -> None:
    plain = backup_make(path=tmp_path / "plain.tar", progress=quietly)
    full = backup_make(path=tmp_path / "full.tar", with_secrets=True, progress=quietly)

    assert plain.manifest.secrets == []
    assert "secret_key" in full.manifest.secrets
    assert plain.path.stat().st_mode & 0o077 == 0
    assert settings.SECRET_KEY.encode() not in plain.path.read_bytes()


def test_an_existing_file_is_not_overwritten(house: Firm, tmp_path: Path) -> None:
    (tmp_path / "copy.tar").write_text("precious")

    with pytest.raises(Conflict, match="already exists"):
        backup_make(path=tmp_path / "copy.tar", progress=quietly)


def test_a_killed_backup_leaves_nothing_under_its_name_and_the_next_one_cleans_up(house: Firm, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    program = (
        "import sys, django; from django.conf import settings;"
        "[database.update(NAME=sys.argv[2]) for database in settings.DATABASES.values()]; django.setup();"
        "from pathlib import Path; from django.db import connections;"
        "from legalqa.operations.services import backup_make;"
        "import time;"
        "backup_make(path=Path(sys.argv[1]), progress=lambda _: (print('at work', flush=True), time.sleep(60)))"
    )
    killed = subprocess.Popen(
        [sys.executable, "-c", program, str(folder / "copy.tar"), connections["owner"].settings_dict["NAME"]],
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "legalqa.settings"},
        stdout=subprocess.PIPE,
        cwd=settings.BASE_DIR,
    )
    assert killed.stdout is not None
    assert killed.stdout.readline() == b"at work\n"
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    killed.stdout.close()
    left = [entry.name for entry in folder.iterdir()]
    time.sleep(0.1)

    backup_make(path=folder / "copy.tar", progress=quietly)

    assert len(left) == 1, "what it had begun"
    assert left[0].startswith(".")
    assert [entry.name for entry in folder.iterdir()] == ["copy.tar"]
    with tarfile.open(folder / "copy.tar") as tar:
        assert tar.getnames()[0] == DUMP
