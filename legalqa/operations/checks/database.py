"""The database: whether it answers, and whether its locks are in place."""

from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, connections
from django.utils import timezone

from legalqa.accounts.scoping import OrganizationModel
from legalqa.operations.checks.types import Check, fail, ok, warn
from legalqa.operations.schema import migrations_known, migrations_missing

CLOCK_WARN_S = 5.0
MIGRATE = "Run `manage.py migrate`."


def reachable() -> Check:
    try:
        [[server]] = _rows("SELECT current_setting('server_version')")
    except Exception as error:  # noqa: BLE001 - whatever the reason, it does not answer
        connection.close()
        return fail(
            f"does not answer ({type(error).__name__})",
            "Look at var/postgres/log." if settings.EMBEDDED_POSTGRES else "Check server, names and passwords.",
        )
    return ok(f"PostgreSQL {server}, {'our own' if settings.EMBEDDED_POSTGRES else 'external'}")


def roles_bound() -> Check:
    names = [connections[alias].settings_dict["USER"] for alias in ("default", "owner")]
    roles = dict(_rows("SELECT rolname, rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = ANY(%s)", [names]))
    if loose := [name for name in names if roles.get(name, True)]:
        return fail(f"{', '.join(loose)} bypasses row-level security", "ALTER ROLE … NOSUPERUSER NOBYPASSRLS.")
    if names[0] == names[1]:
        return fail("one role for both", "Give the application a role of its own: it must not own the tables.")
    return ok(f"{names[0]} and {names[1]} are subject to row-level security")


def rows_isolated() -> Check:
    tables = sorted({m._meta.db_table for m in apps.get_models() if issubclass(m, OrganizationModel)})
    forced = {
        table
        for (table,) in _rows(
            "SELECT relname FROM pg_class WHERE relname = ANY(%s) AND relrowsecurity AND relforcerowsecurity"
            " AND EXISTS (SELECT 1 FROM pg_policy WHERE polrelid = pg_class.oid)",
            [tables],
        )
    }
    if loose := [table for table in tables if table not in forced]:
        return fail(
            f"not forced on {', '.join(loose[:5])}",
            "Stop LegalQA and restore the database from a backup: organisations are not kept apart on these tables.",
        )
    return ok(f"forced on {len(tables)} tables")


def migrations_applied() -> Check:
    if missing := migrations_missing():
        return fail(f"{len(missing)} not applied", MIGRATE)
    return ok(f"{len(migrations_known())} applied")


def vector_extension() -> Check:
    rows = _rows("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
    if not rows:
        return fail("missing", "As a superuser run `CREATE EXTENSION vector` in the database.")
    return ok(f"pgvector {rows[0][0]}")


def clock() -> Check:
    """The database's clock compared with ours: leases are checked by both."""
    [[theirs]] = _rows("SELECT clock_timestamp()")
    apart = abs((timezone.now() - theirs).total_seconds())
    if apart > CLOCK_WARN_S:
        return warn(f"{apart:.0f} s apart from the database's", "Synchronise both clocks with NTP.")
    return ok("the same as the database's")


def _rows(query: str, parameters: list[Any] | None = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, parameters)
        return list(cursor.fetchall())
