"""The audit log is a chain: whatever is done to it around the application shows, and names the first broken row."""

import json
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DatabaseError, ProgrammingError, connection, connections, transaction
from hypothesis import given
from hypothesis import strategies as st

from legalqa.accounts.models import AuditEvent
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit, audit_export, audit_verify, checkpoint_read
from legalqa.accounts.services.audit_chain import FIELDS, START, ChainReport, chain_rows, export_check, row_digest
from legalqa.common.database.embedded import embedded_home, superuser_uri
from legalqa.common.errors import ApplicationError
from tests.database import NAME
from tests.people import Firm, make_firm

N_ROWS = 6
AWKWARD = {"reason": "naïve “quotes” 'n \\ “\u202e” 𝔘 {} %s", "weight": 1.50, "deep": {"b": [None, True], "a": 1}}


@pytest.fixture
def log(committed_db: None) -> Firm:
    """A firm with a log of six rows that are really there, and a rival with one."""
    firm, rivals = make_firm("harding", "Harding & Stone"), make_firm("rivals", "Rival Chambers")
    for n in range(N_ROWS):
        write(firm, n=n, **AWKWARD)
    write(rivals)
    return firm


def write(firm: Firm, **details: Any) -> None:
    with organization_scope(firm.organization, user=firm.owner):
        audit(
            organization=firm.organization, actor=firm.owner, action="probe.done", subject_id=firm.lawyer.pk, **details
        )


def verify(firm: Firm, **options: Any) -> ChainReport:
    with organization_scope(firm.organization, user=None):
        return audit_verify(organization=firm.organization, **options)


def as_superuser(statement: str, *values: object) -> None:
    """Past every trigger and policy, as somebody at the database itself could."""
    uri = superuser_uri(embedded_home(settings.VAR), NAME)
    with psycopg.connect(uri, autocommit=True) as administrator:
        administrator.execute("SET session_replication_role = replica")
        administrator.execute(statement, values)


def test_a_log_that_nobody_touched_is_whole(log: Firm) -> None:
    report = verify(log)

    assert (report.n_rows, report.broken) == (N_ROWS, None)
    with organization_scope(log.organization, user=None):
        rows = list(AuditEvent.objects.order_by("sequence"))
    assert [row.sequence for row in rows] == [1, 2, 3, 4, 5, 6]
    assert rows[0].previous == START
    assert [row.previous for row in rows[1:]] == [row.digest for row in rows[:-1]]
    assert report.head == rows[-1].digest


FORGERIES = {
    "another person": ("actor_id = gen_random_uuid()", 3),
    "another act": ("action = 'probe.undone'", 3),
    "another time": ("at = at - interval '1 microsecond'", 3),
    "another subject": ("subject_id = NULL", 3),
    "another address": ("address = '198.51.100.7'", 3),
    "other details": ("details = details || '{\"n\": 99}'", 3),
    "a letter moved from one field to the next": ("action = 'probe.don', subject_id = NULL", 3),
    "another id": ("id = gen_random_uuid()", 3),
    "another number": ("sequence = 33", 3),
    "another digest": ("digest = repeat('a', 64)", 3),
    "the first row": ("action = 'probe.undone'", 1),
    "the last row": ("action = 'probe.undone'", 6),
}
OF_HARDING = " WHERE sequence = %s AND organization_id = (SELECT id FROM accounts_organization WHERE slug = 'harding')"


@pytest.mark.parametrize("forgery", FORGERIES)
def test_whatever_is_changed_the_first_broken_row_is_named(log: Firm, forgery: str) -> None:
    change, row = FORGERIES[forgery]
    as_superuser(f"UPDATE accounts_auditevent SET {change}{OF_HARDING}", row)

    broken = verify(log).broken
    assert broken is not None
    assert broken.sequence == row
    assert f"ow {row}" in broken.why


@pytest.mark.parametrize("row", [1, 3])
def test_a_row_that_is_taken_out_is_named(log: Firm, row: int) -> None:
    as_superuser(f"DELETE FROM accounts_auditevent{OF_HARDING}", row)

    broken = verify(log).broken
    assert broken is not None
    assert (broken.sequence, f"Row {row} is missing" in broken.why) == (row, True)


def test_a_row_that_is_changed_and_sealed_again_breaks_at_the_next(log: Firm) -> None:
    with organization_scope(log.organization, user=None):
        fields = list(list(chain_rows(organization=log.organization))[2].fields)
    fields[FIELDS.index("action")] = "forged"
    as_superuser(
        f"UPDATE accounts_auditevent SET action = 'forged', digest = %s{OF_HARDING}", row_digest(fields=fields), 3
    )

    broken = verify(log).broken
    assert broken is not None
    assert (broken.sequence, broken.why) == (4, "Row 4 does not match the row before it.")


def test_a_row_slipped_in_at_the_end_shows(log: Firm) -> None:
    as_superuser(
        "INSERT INTO accounts_auditevent (id, organization_id, at, sequence, actor_id, action, subject_id, details,"
        " source, address, previous, digest) SELECT gen_random_uuid(), organization_id, at, 7, actor_id, action,"
        " subject_id, details, source, address, digest, digest FROM accounts_auditevent WHERE sequence = 6"
    )

    broken = verify(log).broken
    assert broken is not None
    assert broken.sequence == N_ROWS + 1


def test_the_end_cut_off_shows_against_an_earlier_export(log: Firm, tmp_path: Path) -> None:
    export = tmp_path / "audit.jsonl"
    call_command("audit", "export", "--organization", "harding", "--out", str(export), stdout=StringIO())
    as_superuser("DELETE FROM accounts_auditevent WHERE sequence > 4 AND action = 'probe.done'")

    assert verify(log).broken is None
    broken = verify(log, against=checkpoint_read(path=str(export))).broken
    assert broken is not None
    assert "ends at row 4, but the export ends at row 6" in broken.why


def test_a_log_rewritten_shows_against_an_earlier_export(log: Firm, tmp_path: Path) -> None:
    export = tmp_path / "audit.jsonl"
    call_command("audit", "export", "--organization", "harding", "--out", str(export), stdout=StringIO())
    as_superuser("DELETE FROM accounts_auditevent WHERE sequence > 3")
    for n in range(5):
        write(log, n=n)

    assert verify(log).broken is None
    broken = verify(log, against=checkpoint_read(path=str(export))).broken
    assert broken is not None
    assert broken.sequence == N_ROWS


def test_later_rows_do_not_break_an_earlier_export(log: Firm, tmp_path: Path) -> None:
    export = tmp_path / "audit.jsonl"
    call_command("audit", "export", "--organization", "harding", "--out", str(export), stdout=StringIO())
    write(log)

    call_command("audit", "verify", "--against", str(export), stdout=StringIO())


def test_an_export_can_be_checked_without_the_database(log: Firm) -> None:
    with organization_scope(log.organization, user=None):
        lines = list(audit_export(organization=log.organization))

    assert export_check(lines=lines) is None
    assert export_check(lines=lines[:-1]) is not None
    assert export_check(lines=[*lines[:2], *lines[3:]]) is not None
    changed = json.loads(lines[2]) | {"action": "probe.undone"}
    found = export_check(lines=[*lines[:2], json.dumps(changed), *lines[3:]])
    assert found is not None
    assert found.sequence == 3


def test_an_export_that_was_changed_is_no_proof(log: Firm, tmp_path: Path) -> None:
    export = tmp_path / "audit.jsonl"
    call_command("audit", "export", "--organization", "harding", "--out", str(export), stdout=StringIO())
    export.write_text(export.read_text().replace("probe.done", "probe.undone", 1))

    with pytest.raises(ApplicationError, match="was changed after it was written"):
        checkpoint_read(path=str(export))


def test_the_command_names_the_broken_row_and_ends_with_1(log: Firm) -> None:
    out = StringIO()
    call_command("audit", "verify", "--json", stdout=out)
    assert [(c["organization"], c["rows"], c["ok"]) for c in json.loads(out.getvalue())["chains"]] == [
        ("harding", N_ROWS, True),
        ("rivals", 1, True),
    ]

    as_superuser("UPDATE accounts_auditevent SET action = 'x' WHERE sequence = 2")
    out = StringIO()
    with pytest.raises(CommandError) as error:
        call_command("audit", "verify", "--json", stdout=out)
    assert error.value.returncode == 1
    document = json.loads(out.getvalue())
    assert document["ok"] is False
    assert document["chains"][0]["broken"]["sequence"] == 2
    assert document["chains"][1]["ok"] is True


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["verify", "--organization", "nowhere"], "There is no organisation 'nowhere'"),
        (["verify", "--against", "/nowhere.jsonl"], "There is no file"),
        (["verify", "--against", __file__], "does not end with the head of a chain"),
        (["export", "--organization", "nowhere"], "There is no organisation 'nowhere'"),
        (["export", "--against", __file__], "--against does not go with export"),
        (["verify", "--out", "/nowhere.jsonl"], "--out does not go with verify"),
        (["verify", "--against", __file__, "--organization", "harding"], "The export names its organisation"),
    ],
)
def test_bad_arguments_end_with_2_and_one_sentence(arguments: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words) as error:
        call_command("audit", *arguments)
    assert error.value.returncode == 2


def test_writers_at_the_same_moment_come_one_after_the_other(log: Firm) -> None:
    def write_some(worker: int) -> None:
        for n in range(5):
            write(log, worker=worker, n=n)
        connection.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(write_some, range(6)))
    report = verify(log)
    assert (report.n_rows, report.broken) == (N_ROWS + 30, None)


def test_an_act_that_is_rolled_back_leaves_no_gap(log: Firm) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        write(log)
        raise RuntimeError
    write(log)

    assert (verify(log).n_rows, verify(log).broken) == (N_ROWS + 1, None)


def test_rows_from_before_the_chain_are_chained_in_the_order_of_their_time(log: Firm) -> None:
    """As the migration does it, by the owner of the tables."""
    migration = import_module("legalqa.accounts.migrations.0003_second_factor_sessions_chain")
    name = "audit_sequence_once"
    as_superuser(f"ALTER TABLE accounts_auditevent DROP CONSTRAINT {name}")
    try:
        as_superuser("UPDATE accounts_auditevent SET at = at - sequence * interval '1 hour'")
        as_superuser("UPDATE accounts_auditevent SET sequence = 0, previous = '', digest = ''")
        with transaction.atomic(using="owner"), connections["owner"].cursor() as cursor:
            for statement in (migration.REWRITABLE, migration.CHAIN_WHAT_IS_THERE, migration.ENDED):
                cursor.execute(statement)
    finally:
        as_superuser(f"ALTER TABLE accounts_auditevent ADD CONSTRAINT {name} UNIQUE (organization_id, sequence)")

    assert (verify(log).n_rows, verify(log).broken) == (N_ROWS, None)
    with organization_scope(log.organization, user=None):
        rows = list(AuditEvent.objects.order_by("sequence"))
    assert [row.details["n"] for row in rows] == [5, 4, 3, 2, 1, 0]
    assert {row.source for row in rows} == {""}
    write(log)
    assert verify(log).broken is None


STATEMENTS = [
    "UPDATE accounts_auditevent SET action = 'x'",
    "DELETE FROM accounts_auditevent",
    "TRUNCATE accounts_auditevent",
]


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("role", ["default", "owner"])
def test_neither_the_application_nor_the_owner_changes_a_row(log: Firm, role: str, statement: str) -> None:
    setting = "SELECT set_config('app.organization_id', %s, true)"
    with (
        pytest.raises(DatabaseError, match=r"permission denied|cannot be changed"),
        transaction.atomic(using=role),
        connections[role].cursor() as cursor,
    ):
        cursor.execute(setting, [str(log.organization.pk)])
        cursor.execute(statement)
    assert verify(log).broken is None


def test_the_database_sets_number_time_and_seal_whatever_is_sent(log: Firm) -> None:
    with organization_scope(log.organization, user=log.owner):
        AuditEvent.objects.create(
            organization=log.organization, action="probe.forged", sequence=1, previous="f" * 64, digest="f" * 64
        )
        row = AuditEvent.objects.order_by("-sequence")[0]

    assert (row.sequence, row.action) == (N_ROWS + 1, "probe.forged")
    assert row.digest != "f" * 64
    assert verify(log).broken is None


Fields = st.lists(st.none() | st.text(st.characters(codec="utf-8"), max_size=8), min_size=2, max_size=4)


@given(one=Fields, other=Fields)
def test_two_rows_have_one_digest_only_if_they_are_one(one: list[str | None], other: list[str | None]) -> None:
    assert (row_digest(fields=one) == row_digest(fields=other)) == (one == other)


def test_where_one_field_ends_is_part_of_the_digest() -> None:
    assert row_digest(fields=["ab", "c"]) != row_digest(fields=["a", "bc"])
    assert row_digest(fields=["-"]) != row_digest(fields=[None])
    assert row_digest(fields=[""]) != row_digest(fields=[None])


def test_no_temporary_table_can_replace_the_audit_log(firm: Firm) -> None:
    with (
        pytest.raises(ProgrammingError, match="permission denied to create temporary tables"),
        organization_scope(firm.organization, user=firm.owner),
        connection.cursor() as cursor,
    ):
        cursor.execute("CREATE TEMPORARY TABLE accounts_auditevent (organization_id uuid)")


@pytest.mark.django_db
def test_every_function_of_ours_in_the_database_looks_for_its_tables_in_one_place() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
            " AND NOT 'search_path=pg_catalog, public, pg_temp' = ANY(coalesce(proconfig, '{}'))"
            " AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = pg_proc.oid AND d.deptype = 'e')"
        )
        assert cursor.fetchall() == []
