"""Keys that begin with the organisation, and the chain of a part of the audit log: with rows that are there already."""

from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connections, transaction

from legalqa.accounts.isolation import organization_keys
from legalqa.common.database.embedded import embedded_home, superuser_uri
from tests.database import NAME
from tests.ingestion import ingest, make_corpus
from tests.people import make_firm

CONSTRAINTS = """
    SELECT conrelid::regclass::text, conname, convalidated, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f') ORDER BY 1, 2
"""


def constraints(cursor: Any) -> list[tuple[Any, ...]]:
    cursor.execute(CONSTRAINTS)
    return list(cursor.fetchall())


@pytest.fixture
def filled(committed_db: None) -> None:
    firm = make_firm("harding", "Harding & Stone")
    ingest(firm, make_corpus(firm), "lease.txt", "The tenant pays the rent.")
    connections["default"].close()


def test_a_database_with_rows_is_given_the_keys_and_keeps_every_foreign_key(filled: None) -> None:
    operation = organization_keys()
    with transaction.atomic(using="owner"), connections["owner"].cursor() as cursor:
        new = constraints(cursor)
        cursor.execute(str(operation.reverse_sql))
        old = constraints(cursor)
        cursor.execute(str(operation.sql))
        again = constraints(cursor)
        transaction.set_rollback(True, using="owner")
    foreign = [row for row in new if row[3].startswith("FOREIGN KEY")]
    keys = {row[0]: row[3] for row in old if row[1].endswith("_pkey")}

    assert again == new
    assert [row for row in old if row[3].startswith("FOREIGN KEY")] == foreign
    assert (keys["corpora_document"], keys["corpora_position"]) == ("PRIMARY KEY (id)", "PRIMARY KEY (id)")
    assert ("corpora_document", "corpora_document_identity", True, "UNIQUE (organization_id, id)") in old


def test_a_part_of_the_audit_log_is_chained_to_its_own_rows(filled: None) -> None:
    with psycopg.connect(superuser_uri(embedded_home(settings.VAR), NAME)) as connection:
        connection.execute("CREATE TABLE part (LIKE accounts_auditevent INCLUDING ALL)")
        connection.execute(
            "CREATE TRIGGER chain BEFORE INSERT ON part FOR EACH ROW EXECUTE FUNCTION accounts_auditevent_chain()"
        )
        connection.execute("INSERT INTO part SELECT * FROM accounts_auditevent ORDER BY sequence")
        rows = connection.execute("SELECT sequence, previous, digest FROM part ORDER BY sequence").fetchall()
        connection.rollback()

    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    assert len(rows) >= 2
    assert rows[0][1] == "0" * 64
    assert [row[1] for row in rows[1:]] == [row[2] for row in rows[:-1]]
