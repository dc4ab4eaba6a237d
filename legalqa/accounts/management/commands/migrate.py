"""`migrate` as the owner of the database; afterwards it grants the application its rights."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import connections
from psycopg import sql

from legalqa.common.commands import database_refusals_told
from legalqa.common.database.baseline import baseline_load

# The limits that this role already has in this database: two processes must not write the same row at once.
_LIMITS = """
    SELECT COALESCE(array_agg(found), '{}') FROM pg_db_role_setting s, unnest(s.setconfig) AS found
    WHERE s.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND s.setrole = (SELECT oid FROM pg_roles WHERE rolname = current_user)
"""
_PARTLY = ("app_label", "plan", "check_unapplied", "fake", "fake_initial")  # about single migrations, so no baseline


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def handle(self, *args: Any, **options: Any) -> Any:
        with one_at_a_time():
            with database_refusals_told():
                require_vector_extension()
                require_bound_role()
            if not any(options[name] for name in _PARTLY):
                baseline_load(connections[options["database"]])
            result = super().handle(*args, **options)
            grant_application_rights()
            set_time_limits()
            return result


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold the lock of this data folder for the block: two processes that create the same table would both fail."""
    with (Path(settings.VAR) / "migrate.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # dropped with the file, however this process ends
        yield


def require_vector_extension() -> None:
    """Stop with one sentence if pgvector is missing: only a superuser can create it."""
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'")
        if cursor.fetchone() is None:
            raise CommandError(
                "The database lacks the extension `vector`, and only a superuser can create it: "
                "run `CREATE EXTENSION vector` in it once, then migrate again.",
                returncode=2,
            )


def require_bound_role() -> None:
    """Stop if row-level security would not apply to the application's role: organisations would see each other."""
    role, owner = (settings.DATABASES[alias]["USER"] for alias in ("default", "owner"))
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = %s", [role])
        row = cursor.fetchone()
    if row is None or row[0] or role == owner:
        raise CommandError(
            f"The application's role {role!r} must be an ordinary role: not a superuser, not BYPASSRLS and not the "
            f"owner. Otherwise row-level security, which keeps organisations apart, would not apply to it. Change "
            f"DATABASE_URL.",
            returncode=2,
        )


def grant_application_rights() -> None:
    """Let the application's role read and write rows, and nothing more."""
    role = sql.Identifier(settings.DATABASES["default"]["USER"])
    with connections["owner"].cursor() as cursor:
        for statement in (
            "GRANT USAGE ON SCHEMA public TO {}",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {}",
            "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {}",
            "REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {}",
            "REVOKE UPDATE, DELETE ON accounts_auditevent FROM {}",
            # django-q2 would call whatever a schedule names, and unpickle unsigned results.
            "REVOKE ALL ON django_q_schedule, django_q_task FROM {}",
        ):
            cursor.execute(sql.SQL(statement).format(role))
        # By default every role may create temporary tables; ours never do, and such tables could fill the disk.
        name = sql.Identifier(connections["owner"].settings_dict["NAME"])
        cursor.execute(sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC").format(name))


def set_time_limits() -> None:
    """Keep a statement or a forgotten transaction of any program that uses our roles from blocking everybody.

    The limits are set on the roles in this database, so that they apply behind a pooler and to every tool. Each role
    sets its own, for which it needs no permission. The owner's statements have no limit: migrations and indexes take
    as long as they need.
    """
    both = {"lock_timeout": settings.LOCK_S, "idle_in_transaction_session_timeout": settings.IDLE_TRANSACTION_S}
    for alias, limits in (("default", both | {"statement_timeout": settings.STATEMENT_S}), ("owner", both)):
        connection = connections[alias]
        with connection.cursor() as cursor:
            cursor.execute(_LIMITS)
            current = set(cursor.fetchone()[0])
            for name, seconds in limits.items():
                if f"{name}={seconds}s" not in current:
                    query = sql.SQL("ALTER ROLE CURRENT_USER IN DATABASE {} SET {} = {}").format(
                        sql.Identifier(connection.settings_dict["NAME"]), sql.Identifier(name), f"{seconds}s"
                    )
                    cursor.execute(query)
        connection.close()  # a session keeps the limits with which it began
