"""The schema of the embedded database, brought up to date before the first command that needs it."""

from collections.abc import Sequence
from functools import cache

import django
from django.conf import settings
from django.core.management import call_command, get_commands
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from legalqa.common.commands import database_refusals_told
from legalqa.jobs.run_lock import restore_unfinished

# These update the schema themselves, show it as it is, or are started by `up`, which has updated it.
LEFT_ALONE = frozenset(
    {"check", "diffsettings", "doctor", "down", "findstatic", "help", "makemessages", "makemigrations", "migrate"}
    | {"optimizemigration", "restore", "serve_encoder", "serve_web", "serve_worker", "showmigrations", "spectacular"}
    | {"sqlmigrate", "squashmigrations", "test", "up", "version"}
)


def schema_update(arguments: Sequence[str]) -> None:
    """Migrate the embedded database if the command needs it and it is out of date; an external one is left alone.

    Safe if several commands start at once: `migrate` lets one through at a time.

    Args:
        arguments: The command line, as in `sys.argv`.

    Raises:
        CommandError: the database refused.
    """
    if not settings.EMBEDDED_POSTGRES or not _may_need_schema(arguments):
        return
    django.setup()
    if arguments[1] not in get_commands():
        return  # a mistyped command
    if restore_unfinished(settings.VAR):
        return  # rows and tables may be half of a backup: running `restore` again completes them
    with database_refusals_told():
        if migrations_missing(alias="owner"):
            call_command("migrate", verbosity=0, interactive=False)


def migrations_missing(*, alias: str = "default") -> set[tuple[str, str]]:
    """The migrations that the code has and the database lacks, as pairs of app and name."""
    return migrations_known() - set(MigrationRecorder(connections[alias]).applied_migrations())


@cache
def migrations_known() -> set[tuple[str, str]]:
    return set(MigrationLoader(None).disk_migrations)


def _may_need_schema(arguments: Sequence[str]) -> bool:
    asks_for_help = bool({"-h", "--help", "--version"}.intersection(arguments))
    return len(arguments) > 1 and arguments[1] not in LEFT_ALONE and not asks_for_help
