"""The tables of an empty database, made at once from a stored schema: what many migrations make step by step.

Migrations that are newer than the stored schema run after it. A database that has tables is never touched by it.
"""

from pathlib import Path

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder

SCHEMA = Path(__file__).with_name("schema.sql")


def baseline_load(connection: BaseDatabaseWrapper) -> None:
    """Make the tables of an empty database, and record their migrations as applied."""
    if MigrationRecorder(connection).has_table():
        return
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute("SET LOCAL check_function_bodies = off")  # functions come before the tables that they read
        cursor.execute(SCHEMA.read_text())
