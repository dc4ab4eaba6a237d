"""The test database: copied from a migrated one, used as the application's role, emptied between committed tests."""

import hashlib
from itertools import chain
from typing import Any

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from psycopg import sql

from legalqa.accounts.management.commands.migrate import grant_application_rights, set_time_limits
from legalqa.common.database.embedded import OWNER_ROLE, create_database, embedded_home, ensure, superuser_uri

NAME, TEMPLATE = "test_legalqa", "migrated"
OTHERS = ("constraints.txt", "legalqa/common/encryption.py", "legalqa/common/database/schema.sql")
KEPT_TABLES = {"django_migrations", "django_content_type", "auth_permission"}
# Nobody keeps these rows, so a machine may die with them. Tests that kill the server have servers of their own.
WITHOUT_DISK = ("fsync", "full_page_writes", "synchronous_commit")
Superuser = psycopg.Connection[tuple[Any, ...]]


def create_test_database() -> None:
    """Copy it from the database that was migrated last, where no migration has changed since."""
    home = embedded_home(settings.VAR)
    ensure(home)
    with psycopg.connect(superuser_uri(home), autocommit=True) as superuser:
        for name in WITHOUT_DISK:
            superuser.execute(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(name)))
        superuser.execute("SELECT pg_reload_conf()")
        _drop(superuser, NAME)
        template = f"{TEMPLATE}_{_schema_fingerprint()}"
        if not superuser.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template]).fetchone():
            _migrate(superuser, template)
        query = sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {}")
        superuser.execute(query.format(*map(sql.Identifier, (NAME, OWNER_ROLE, template))))
    _connect_to(NAME)
    grant_application_rights()  # what is granted on a database, or set for a role in it, is not copied with it
    set_time_limits()
    connections["owner"].close()


def empty_test_database() -> None:
    """Remove every row, as a superuser: the application's role may not delete all, and the audit log lets nobody.

    Rows are deleted where there are any, and their pages given back: to truncate a table takes new files for it and for
    each of its indexes, and most tables are empty.
    """
    with psycopg.connect(superuser_uri(embedded_home(settings.VAR), NAME), autocommit=True) as connection:
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        tables = [sql.Identifier(name) for (name,) in rows if name not in KEPT_TABLES]
        exists = sql.SQL(", ").join(sql.SQL("EXISTS (SELECT FROM {})").format(table) for table in tables)
        has_rows = connection.execute(sql.SQL("SELECT {}").format(exists)).fetchone()
        assert has_rows is not None
        filled = [table for table, is_filled in zip(tables, has_rows, strict=True) if is_filled]
        connection.execute("SET session_replication_role = replica")  # no trigger, and no foreign key in the way
        for table in filled:
            connection.execute(sql.SQL("DELETE FROM {}").format(table))
        if filled:
            connection.execute(sql.SQL("VACUUM {}").format(sql.SQL(", ").join(filled)))
        connection.execute(
            "SELECT setval(format('%%I.%%I', schemaname, sequencename)::regclass, start_value, false)"
            " FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL AND sequencename <> ALL(%s)",
            [[f"{name}_id_seq" for name in KEPT_TABLES]],
        )


def _migrate(superuser: Superuser, template: str) -> None:
    """Make the migrated database, under its name only once it is whole; those of other migrations go."""
    old = superuser.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [TEMPLATE]).fetchall()
    for (name,) in old:
        _drop(superuser, name)
    half = f"{TEMPLATE}_half"
    create_database(embedded_home(settings.VAR), half)
    _connect_to(half)
    call_command("migrate", verbosity=0)
    for connection in connections.all():
        connection.close()
    superuser.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(half), sql.Identifier(template)))


def _connect_to(name: str) -> None:
    for alias in ("default", "owner"):
        connections[alias].close()
        connections[alias].settings_dict["NAME"] = name


def _drop(superuser: Superuser, name: str) -> None:
    superuser.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _schema_fingerprint() -> str:
    """Changes with every file that says what a migrated database looks like, and with every package."""
    root = settings.BASE_DIR
    rooms = ("corpora", "retrieval", "judging", "legalqa")
    code = (file for room in rooms for file in (root / room).rglob("*.py"))
    kinds = {"migrations", "models", "database", "management"}
    read = (file for file in code if kinds & {*file.parts} or file.stem in ("models", "isolation", "settings", "apps"))
    text = hashlib.sha256()
    for file in sorted(chain(read, (root / name for name in OTHERS))):
        text.update(file.read_bytes())
    return text.hexdigest()[:16]
