"""A first run makes its tables from a stored schema, and they are those that the migrations make."""

import pytest
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from tests.baseline import schema_of_migrations, schema_text


@pytest.mark.django_db
def test_the_tables_of_a_first_run_are_those_of_every_migration_one_after_the_other() -> None:
    settings = connections["owner"].settings_dict
    applied = list(MigrationRecorder(connections["default"]).applied_migrations())
    assert _tables(schema_text(settings, applied)) == _tables(schema_of_migrations())


def _tables(schema: str) -> list[str]:
    """Its lines but for the vector index of a corpus, which a test of the same process may have left."""
    return [line for line in schema.splitlines() if "INDEX embedding_hnsw_" not in line]
