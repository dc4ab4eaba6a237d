"""The test database: made by the owner, used as the application's role, emptied between committed tests."""

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from psycopg import sql

from legalqa.common.database.embedded import create_database, embedded_home, ensure, superuser_uri

NAME = "test_legalqa"
KEPT_TABLES = {"django_migrations", "django_content_type", "auth_permission"}


def create_test_database() -> None:
    home = embedded_home(settings.VAR)
    ensure(home)
    with psycopg.connect(superuser_uri(home), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(NAME)))
    create_database(home, NAME)
    for alias in ("default", "owner"):
        connections[alias].close()
        connections[alias].settings_dict["NAME"] = NAME
    call_command("migrate", verbosity=0)
    connections["owner"].close()


def empty_test_database() -> None:
    """Remove every row, as a superuser: the application's role may not truncate, and the audit log lets nobody."""
    with psycopg.connect(superuser_uri(embedded_home(settings.VAR), NAME), autocommit=True) as connection:
        rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        tables = sql.SQL(", ").join(sql.Identifier(t) for (t,) in rows if t not in KEPT_TABLES)
        connection.execute("SET session_replication_role = replica")
        connection.execute(sql.SQL("TRUNCATE {} RESTART IDENTITY CASCADE").format(tables))
