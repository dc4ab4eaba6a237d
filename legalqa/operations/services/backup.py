"""One file with everything: the database as of one moment, the uploads, and, on request, secrets."""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic, sleep
from typing import Any

import dj_database_url
import psycopg
from django.conf import settings
from django.utils import timezone
from psycopg import sql

from corpora.files import file_at_hand, stored_names
from legalqa.common.database.clients import client_command, client_environment, conninfo
from legalqa.common.database.embedded import embedded_home, ensure, socket_folder
from legalqa.common.database.refusals import refusal_of
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.operations.archive import DUMP, FILES, SECRET_NAMES, SECRETS, ArchiveWriter, Manifest, Progress

WITHOUT_ROWS = ("accounts_session", "django_session")  # everyone signs in again after a restore
_PART = ".legalqa-part"
_EXPORTED = "SELECT pg_export_snapshot(), current_setting('server_version')"
_BYPASSES = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"


@dataclass(frozen=True, slots=True)
class Backup:
    """A finished backup: where it is, its size in bytes, what is in it, and the seconds it took."""

    path: Path
    size: int
    manifest: Manifest
    seconds: float


def backup_make(*, path: Path | None = None, with_secrets: bool = False, progress: Progress) -> Backup:
    """Write a backup while the product runs; the file gets its final name only once it is complete.

    Database and counts are read in one snapshot. Uploads are copied after it: they never change, so every row has its
    file, and a file uploaded in the meantime does no harm. `path` defaults to a name with the time in it, in
    `backups/` of the data folder.

    Raises:
        ApplicationError: the file exists, the folder cannot be written, or no role may read the whole database.
    """
    started = monotonic()
    target = path or Path(settings.VAR) / "backups" / f"legalqa-{timezone.now():%Y%m%d-%H%M%S}.tar"
    if target.exists():
        raise Conflict(f"{target} already exists. Choose another name, or remove it first.", code="backup_exists")
    database = reading_database()
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _leftovers_remove(target.parent)
        with _half(target) as (half, scratch):
            manifest = _write(half, Path(scratch), database, with_secrets=with_secrets, progress=progress)
            half.rename(target)
    except OSError as error:
        raise ApplicationError(
            f"The backup cannot be written to {target}: {error.strerror or error}. Choose another place.",
            code="backup_place",
        ) from None
    return Backup(target, target.stat().st_size, manifest, monotonic() - started)


def reading_database() -> dict[str, Any]:
    """The connection of a role that bypasses row-level security, which also applies to the owner of the tables.

    Raises:
        ApplicationError: the server is external and DATABASE_BACKUP_URL is not set.
    """
    owner = settings.DATABASES["owner"]
    if settings.EMBEDDED_POSTGRES:
        home = embedded_home(settings.VAR)
        ensure(home)
        return owner | {"HOST": str(socket_folder(home)), "USER": "postgres"}
    if not settings.DATABASE_BACKUP_URL:
        raise ApplicationError(
            "A backup of an external database needs a role that reads every row: create one with BYPASSRLS and "
            "pg_read_all_data, and set DATABASE_BACKUP_URL.",
            code="backup_role",
        )
    return dict(dj_database_url.parse(settings.DATABASE_BACKUP_URL))


def _write(
    half: Path, scratch: Path, database: Mapping[str, Any], *, with_secrets: bool, progress: Progress
) -> Manifest:
    dump = scratch / DUMP
    with _snapshot(database) as (connection, snapshot, server):
        counts, migrations, uploads = _contents(connection)
        _dump(database, snapshot, dump, progress)
    with half.open("wb") as handle:
        archive = ArchiveWriter(handle)
        archive.add(DUMP, dump)
        dump.unlink()
        _add_files(archive, progress)
        for name in SECRET_NAMES if with_secrets else ():
            if (file := Path(settings.VAR) / name).is_file():
                archive.add(SECRETS + name, file)
        manifest = Manifest(
            version=version("legalqa"),
            created_at=timezone.now().isoformat(timespec="seconds"),
            server=server,
            migrations=migrations,
            tables=counts,
            files_missing=sorted(uploads - {name.removeprefix(FILES) for name in archive.members}),
            members=archive.members,
        )
        archive.finish(manifest)
        handle.flush()
        os.fsync(handle.fileno())
    return manifest


@contextmanager
def _snapshot(database: Mapping[str, Any]) -> Iterator[tuple["psycopg.Connection[Any]", str, str]]:
    """A transaction that keeps one state of the database readable, its name for others, and the server's version."""
    try:
        connection = psycopg.connect(conninfo(database, with_password=True), connect_timeout=10)
    except psycopg.OperationalError as error:
        raise refusal_of(error) or error from None
    with connection:
        if not connection.execute(_BYPASSES).fetchone() == (True,):
            raise ApplicationError(
                "The role of DATABASE_BACKUP_URL is subject to row-level security and would miss rows. "
                "Give it BYPASSRLS.",
                code="backup_role",
            )
        connection.rollback()
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        connection.execute("SET LOCAL row_security = off")  # an error if rows would be left out
        connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        row = connection.execute(_EXPORTED).fetchone()
        assert row is not None
        yield connection, str(row[0]), str(row[1])


def _contents(connection: "psycopg.Connection[Any]") -> tuple[dict[str, int], dict[str, list[str]], set[str]]:
    """Rows of each table, applied migrations of each app, and the uploads that rows refer to."""
    counts = {}
    for (table,) in connection.execute(_TABLES).fetchall():
        if table in WITHOUT_ROWS:
            counts[table] = 0
            continue
        count = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone()
        counts[table] = int(count[0]) if count else 0
    if "django_migrations" not in counts:
        raise ApplicationError("The database is empty: run `manage.py migrate` first.", code="database_empty")
    migrations: dict[str, list[str]] = {}
    for app, name in connection.execute("SELECT app, name FROM django_migrations ORDER BY app, name").fetchall():
        migrations.setdefault(app, []).append(name)
    uploads = connection.execute("SELECT organization_id, file_id FROM corpora_documentversion").fetchall()
    return counts, migrations, {f"{organization}/{file}" for organization, file in uploads}


def _dump(database: Mapping[str, Any], snapshot: str, dump: Path, progress: Progress) -> None:
    """pg_dump of that snapshot, without extensions, owners and rights: the target has its own."""
    emptied = [f"--exclude-table-data=public.{table}" for table in WITHOUT_ROWS]
    options = ("--format=custom", "--no-owner", "--no-privileges", "--exclude-extension=*", "--lock-wait-timeout=60s")
    command = client_command("pg_dump", database, *options, *emptied, f"--snapshot={snapshot}", f"--file={dump}")
    with (dump.with_suffix(".log")).open("w+b") as log:
        process = subprocess.Popen(
            command, env=client_environment(database), stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        try:
            while process.poll() is None:
                progress(f"database: {dump.stat().st_size / 1e6:.0f} MB" if dump.exists() else "database")
                sleep(0.05)
        finally:
            process.kill()
            process.wait()
        log.seek(0)
        if process.returncode:
            lines = log.read().decode(errors="replace").strip().splitlines() or ["no reason given"]
            raise ApplicationError(f"The database could not be dumped: {lines[0]}", code="dump_failed")


def _add_files(archive: ArchiveWriter, progress: Progress) -> None:
    for name in stored_names():
        try:
            with file_at_hand(name) as file:
                archive.add(FILES + name, file)
        except FileNotFoundError:
            continue  # moved aside meanwhile; the manifest names it if a row refers to it
        progress(f"files: {len(archive.members)}")


@contextmanager
def _half(target: Path) -> Iterator[tuple[Path, str]]:
    """A file and a scratch folder next to the target, removed after the block; a killed backup's hold no lock."""
    scratch = mkdtemp(prefix=".", suffix=_PART, dir=target.parent)
    with (Path(scratch) / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            half = Path(scratch) / target.name
            half.touch(mode=0o600)
            yield half, scratch
        finally:
            shutil.rmtree(scratch)


def _leftovers_remove(folder: Path) -> None:
    for scratch in folder.glob(f".*{_PART}"):
        with (scratch / "lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue  # another backup is running
            shutil.rmtree(scratch)
