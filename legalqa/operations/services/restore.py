"""Restoring a backup: checked before anything is written, then restored in full or not at all."""

import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from psycopg import sql

from corpora.files import ASIDE, file_names, file_place, file_storage, folder_names
from legalqa.accounts.management.commands.migrate import require_vector_extension
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit_verify
from legalqa.accounts.services.audit_chain import ChainReport
from legalqa.common.database.clients import client_command, client_environment
from legalqa.common.database.embedded import binaries
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.common.faults import crash_point
from legalqa.jobs.processes import dying_with_this_process
from legalqa.jobs.run_lock import restore_begun, restore_ended, restore_unfinished, run_lock
from legalqa.operations.archive import DUMP, FILES, SECRETS, Manifest, Progress, archive_check, archive_extract
from legalqa.operations.schema import migrations_known

LEAVING_S = 5.0
# Drops everything of ours in the schema, but nothing that belongs to an extension.
_EMPTY_SCHEMA = """
SET client_min_messages = warning;
SET lock_timeout = '10s';
SET statement_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
BEGIN;
DO $$
DECLARE found record;
BEGIN
    FOR found IN SELECT c.oid::regclass AS name, c.relkind AS kind FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
        ORDER BY c.relkind DESC
    LOOP
        IF found.kind IN ('r', 'p') THEN
            EXECUTE format('DROP TABLE IF EXISTS %s CASCADE', found.name);
        ELSIF found.kind = 'v' THEN
            EXECUTE format('DROP VIEW IF EXISTS %s CASCADE', found.name);
        ELSE
            EXECUTE format('DROP MATERIALIZED VIEW IF EXISTS %s CASCADE', found.name);
        END IF;
    END LOOP;
    FOR found IN SELECT p.oid::regprocedure AS name FROM pg_proc p
        WHERE p.pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    LOOP
        EXECUTE format('DROP ROUTINE IF EXISTS %s CASCADE', found.name);
    END LOOP;
END $$;
SET maintenance_work_mem = '256MB';
"""
# Run after the data and before row-level security, which would hide rows from the owner that restores.
_COUNT = """
DO $$ BEGIN
    IF (SELECT count(*) FROM public.{table}) <> {count} THEN
        RAISE EXCEPTION 'restored rows differ from the manifest: {table}';
    END IF;
END $$;
"""
_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND usename = ANY(%s)"
)


class RestoreFailed(Exception):
    """The database refused the restore; everything is as it was before."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was restored, how many migrations ran after it, the state of the audit logs, and the seconds it took."""

    manifest: Manifest
    n_migrations: int
    chains: list[ChainReport]
    seconds: float


def restore_run(*, path: Path, is_replacing: bool = False, progress: Progress) -> Restored:
    """Restore the backup into this installation, which must be stopped, and empty unless `is_replacing`.

    The whole archive is checked before anything is written. Uploads are put in place first, because files without rows
    do no harm; the database changes in one transaction, which also compares the rows of each table with the manifest.
    If killed, it can be run again with the same archive, without `is_replacing`; until then `up` does not start.

    Raises:
        ApplicationError: the archive is damaged or of a later version; the installation runs or is not empty.
        RestoreFailed: the database refused; nothing was changed.
    """
    started = monotonic()
    var = Path(settings.VAR)
    with run_lock(var):
        manifest = archive_check(path, progress=progress)
        n_missing = _migrations_missing(manifest)
        # The manifest names the contents of every member.
        archive = hashlib.sha256(json.dumps(asdict(manifest), sort_keys=True).encode()).hexdigest()
        _check_target(is_replacing=is_replacing or restore_unfinished(var) == archive)
        with _staging() as staging:
            archive_extract(path, manifest, staging, progress=progress)
            restore_begun(var, archive=archive)
            placed = [name for name in manifest.files if file_place(name, staging / FILES / name)]
            crash_point("restore.placed")
            try:
                _database_replace(staging / DUMP, manifest, progress)
            except BaseException:
                for name in placed:
                    file_storage().delete(name)
                restore_ended(var)
                raise
            crash_point("restore.committed")
            for name in manifest.secrets:
                (staging / SECRETS / name).chmod(0o600)
                (staging / SECRETS / name).replace(var / name)
            crash_point("restore.keyed")
        if is_replacing:
            _files_drop_others(manifest)
        progress("migrations")
        call_command("migrate", verbosity=0, interactive=False)
        connections.close_all()
        restore_ended(var)
        chains = _chains()
    return Restored(manifest, n_missing, chains, monotonic() - started)


def _chains() -> list[ChainReport]:
    """The audit log of every organisation, verified from its first row to its last."""
    reports = []
    for organization in Organization.objects.order_by("slug"):
        with organization_scope(organization, user=None):
            reports.append(audit_verify(organization=organization))
    return reports


def _migrations_missing(manifest: Manifest) -> int:
    """How many of our migrations the backup does not have yet.

    Raises:
        ApplicationError: it has some that this version does not know.
    """
    ours = migrations_known()
    theirs = {(app, name) for app, names in manifest.migrations.items() for name in names}
    if unknown := sorted(theirs - ours):
        app, name = unknown[-1]
        raise ApplicationError(
            f"The backup was made by version {manifest.version} and contains tables that this version does not know "
            f"({app} {name}). Install that version, or a later one, and restore there. Nothing was changed.",
            code="backup_newer",
        )
    return len(ours - theirs)


def _check_target(*, is_replacing: bool) -> None:
    require_vector_extension()
    owner = connections["owner"]
    with owner.cursor() as cursor:
        _check_alone(cursor)
        tables = set(owner.introspection.table_names(cursor))
        filled = []
        for table in sorted({"accounts_organization", "accounts_user"} & tables):
            cursor.execute(sql.SQL("SELECT EXISTS (SELECT 1 FROM {})").format(sql.Identifier(table)))
            filled += [table] if cursor.fetchone()[0] else []
    owner.close()
    if filled and not is_replacing:
        raise Conflict(
            "This installation already contains organisations or people. Restore into an empty one, or use --replace "
            "to delete its content.",
            code="not_empty",
        )


def _check_alone(cursor: Any) -> None:
    """Refuse while other LegalQA processes are connected; the server lists them for a moment after they have left."""
    connections["default"].close()
    roles = [settings.DATABASES[alias]["USER"] for alias in ("default", "owner")]
    deadline = monotonic() + LEAVING_S
    while True:
        cursor.execute(_OTHERS, [roles])
        if (others := int(cursor.fetchone()[0])) == 0:
            return
        if monotonic() > deadline:
            raise Conflict(
                f"{others} connections of LegalQA use the database. Stop web and workers everywhere first.",
                code="database_in_use",
            )
        sleep(0.1)


@contextmanager
def _staging() -> Iterator[Path]:
    """A folder in the file system of the uploads, so that files move into place without a copy."""
    folder = Path(settings.VAR) / "restore.new"
    shutil.rmtree(folder, ignore_errors=True)  # a killed restore's
    folder.mkdir(mode=0o700, parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def _files_drop_others(manifest: Manifest) -> None:
    aside = [f"{ASIDE}/{folder}" for folder in folder_names(ASIDE)]
    for name in (name for folder in (*folder_names(), *aside) for name in file_names(folder)):
        if name not in manifest.files:
            file_storage().delete(name)


def _database_replace(dump: Path, manifest: Manifest, progress: Progress) -> None:
    """Send psql one transaction: drop what is there, load tables and rows, count them, add constraints and policies.

    We begin and commit it ourselves: psql's own would also commit what a killed restore had sent so far.
    """
    owner: Mapping[str, Any] = settings.DATABASES["owner"] | {"NAME": connections["owner"].settings_dict["NAME"]}
    log = dump.with_suffix(".log")
    with log.open("wb") as output:
        psql = subprocess.Popen(
            client_command("psql", owner, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", "-"),
            env=client_environment(owner),
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            preexec_fn=dying_with_this_process(),  # noqa: PLW1509 - one thread here; no orphan keeps the database
        )
        assert psql.stdin is not None
        try:
            psql.stdin.write(_EMPTY_SCHEMA.encode())
            for section in ("pre-data", "data"):
                progress(f"database: {section}")
                _feed(psql.stdin, dump, section, output)
            for table, count in manifest.tables.items():
                check = sql.SQL(_COUNT).format(table=sql.Identifier(table), count=sql.Literal(count))
                psql.stdin.write(check.as_string(None).encode())
            crash_point("restore.fed")
            progress("database: indexes and constraints")
            _feed(psql.stdin, dump, "post-data", output)
            psql.stdin.write(b"COMMIT;\n")
            psql.stdin.close()
        except (BrokenPipeError, subprocess.CalledProcessError):
            psql.kill()  # it has already ended, or must not continue with half a section
        except BaseException:
            psql.kill()
            psql.wait()
            raise
        finally:
            with suppress(BrokenPipeError):
                psql.stdin.close()
        status = psql.wait()
    if status:
        lines = [line for line in log.read_text(errors="replace").splitlines() if "ERROR" in line or "error" in line]
        raise RestoreFailed(lines[0] if lines else f"psql ended with status {status}")


def _feed(pipe: Any, dump: Path, section: str, log: Any) -> None:
    pipe.flush()
    options = (f"--section={section}", "--no-owner", "--no-privileges", "--file=-")
    subprocess.run([str(binaries("pg_restore")), *options, str(dump)], stdout=pipe, stderr=log, check=True)
