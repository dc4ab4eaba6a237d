"""`migrate` as the owner of the database, with the application's rights granted afterwards."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate
from django.db import connections
from psycopg import sql


class Command(migrate.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database="owner")

    def handle(self, *args: Any, **options: Any) -> Any:
        require_vector_extension()
        result = super().handle(*args, **options)
        grant_application_rights()
        return result


def require_vector_extension() -> None:
    """Stop with one sentence where pgvector is missing: only a superuser can create it."""
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'")
        if cursor.fetchone() is None:
            raise CommandError(
                "The database has no extension `vector`, and only a superuser can create it: "
                "run `CREATE EXTENSION vector` in it once, then migrate again.",
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
        ):
            cursor.execute(sql.SQL(statement).format(role))
