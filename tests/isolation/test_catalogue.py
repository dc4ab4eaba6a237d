"""Every table is scoped to an organisation, or on a short list with its reason; a new one fails until it is."""

import pytest
from django.db import connection

GLOBAL_TABLES = {
    "accounts_organization": "the organisation's own row: its slug is looked up before a scope can be entered",
    "accounts_user": "people may belong to several organisations; their memberships are scoped",
    "accounts_user_groups": "Django's permission tables, unused by organisations",
    "accounts_user_user_permissions": "Django's permission tables, unused by organisations",
    "accounts_invitation": "looked up by digest before the person is a member",
    "accounts_signinlink": "looked up by digest before anybody is signed in",
    "accounts_apitoken": "looked up by digest before the organisation is known",
    "accounts_recoverycode": "read when a person signs in, before an organisation is chosen; digests only",
    "accounts_resetrequest": "requests of password resets, before anybody is signed in; digests of addresses",
    "accounts_secondfactor": "read when a person signs in, before an organisation is chosen; the secret is encrypted",
    "accounts_session": "sessions, before an organisation is chosen",
    "auth_group": "Django's permission tables, unused by organisations",
    "auth_group_permissions": "Django's permission tables, unused by organisations",
    "auth_permission": "Django's permission tables, unused by organisations",
    "axes_accessattempt": "failed sign-ins, before anybody is signed in",
    "axes_accessattemptexpiration": "failed sign-ins, before anybody is signed in",
    "axes_accessfailurelog": "failed sign-ins, before anybody is signed in",
    "axes_accesslog": "sign-ins, before an organisation is chosen",
    "django_admin_log": "acts of operators on global tables",
    "django_content_type": "Django's list of models",
    "django_migrations": "Django's list of migrations; the application may not write it",
    "django_q_ormq": "the doorbell of the job ledger: signed ids",
    "django_q_schedule": "unused table of the queue; closed to the application's role",
    "django_q_task": "unused table of the queue; closed to the application's role",
    "django_session": "unused table of the framework: sessions lie in accounts_session",
    "jobs_dayuse": "what organisations used today and when they had their turn: ids, counts and times, for the queue",
    "jobs_heartbeat": "when the queue was last seen at work: a name and a time",
    "jobs_job": "the ledger: ids, states and counts, read by sweeper and watchdog without an organisation",
}


def rows(query: str) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


TABLES = "SELECT c.oid, c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'"


@pytest.fixture
def scoped_tables(db: None) -> set[str]:
    return {str(name) for _, name in rows(TABLES)} - set(GLOBAL_TABLES)


@pytest.mark.django_db
def test_the_list_of_global_tables_names_only_tables_that_exist() -> None:
    assert set(GLOBAL_TABLES) <= {name for _, name in rows(TABLES)}


def test_every_other_table_names_its_organisation_in_every_row(scoped_tables: set[str]) -> None:
    found = rows(
        "SELECT table_name FROM information_schema.columns WHERE table_schema = 'public'"
        " AND column_name = 'organization_id' AND is_nullable = 'NO'"
    )

    assert scoped_tables - {str(name) for (name,) in found} == set()


def test_row_level_security_is_forced_with_a_policy_for_reading_and_writing(scoped_tables: set[str]) -> None:
    forced = rows(
        f"SELECT relname FROM ({TABLES}) t JOIN pg_class USING (oid, relname)"
        " WHERE relrowsecurity AND relforcerowsecurity"
    )
    policies = rows(
        "SELECT tablename FROM pg_policies WHERE schemaname = 'public' AND policyname = 'organization_isolation'"
        " AND cmd = 'ALL' AND qual LIKE '%organization_id%' AND with_check LIKE '%organization_id%'"
    )

    assert scoped_tables - {str(name) for (name,) in forced} == set()
    assert scoped_tables - {str(name) for (name,) in policies} == set()


def test_foreign_keys_among_scoped_tables_include_the_organisation(scoped_tables: set[str]) -> None:
    keys = rows(
        "SELECT conrelid::regclass::text, conname, confrelid::regclass::text, cardinality(conkey)"
        " FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace"
    )
    plain = [k for k in keys if k[0] in scoped_tables and k[2] in scoped_tables and k[3] == 1]

    assert plain == []


def test_every_foreign_key_of_the_models_has_one_in_the_database(scoped_tables: set[str]) -> None:
    from django.apps import apps

    keys = rows(
        "SELECT conrelid::regclass::text, a.attname FROM pg_constraint"
        " JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = ANY(conkey) WHERE contype = 'f'"
    )
    for model in apps.get_models():
        if model._meta.db_table in scoped_tables:
            for field in model._meta.local_fields:
                if field.is_relation:
                    assert (model._meta.db_table, field.column) in keys


def test_the_primary_key_of_every_scoped_table_begins_with_the_organisation(scoped_tables: set[str]) -> None:
    keys = rows(
        "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE contype = 'p' AND connamespace = 'public'::regnamespace"
    )
    by_table = {str(table): str(definition) for table, definition in keys}

    assert {table: by_table[table] for table in scoped_tables} == dict.fromkeys(
        scoped_tables, "PRIMARY KEY (organization_id, id)"
    )


def test_no_scoped_table_keeps_a_second_index_of_its_key(scoped_tables: set[str]) -> None:
    doubles = rows(
        "SELECT a.indrelid::regclass::text, a.indexrelid::regclass::text FROM pg_index a"
        " JOIN pg_index b ON a.indrelid = b.indrelid"
        " WHERE b.indisprimary AND NOT a.indisprimary AND a.indkey::text = b.indkey::text"
    )

    assert [index for table, index in doubles if table in scoped_tables] == []


def test_unique_constraints_start_with_the_organisation(scoped_tables: set[str]) -> None:
    indexes = rows(
        "SELECT i.indrelid::regclass::text, c.relname, a.attname FROM pg_index i"
        " JOIN pg_class c ON c.oid = i.indexrelid"
        " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]"
        " WHERE i.indisunique AND NOT i.indisprimary AND c.relnamespace = 'public'::regnamespace"
    )
    oracles = [i for i in indexes if i[0] in scoped_tables and i[2] != "organization_id"]

    assert oracles == []


@pytest.mark.django_db
def test_no_view_or_function_goes_around_the_policies() -> None:
    assert rows("SELECT viewname FROM pg_views WHERE schemaname = 'public'") == []
    definers = "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef"
    assert rows(definers) == []


@pytest.mark.django_db
def test_the_application_may_not_truncate_or_own_anything() -> None:
    granted = rows(
        "SELECT table_name FROM information_schema.role_table_grants"
        " WHERE grantee = current_user AND privilege_type IN ('TRUNCATE', 'REFERENCES', 'TRIGGER')"
    )

    assert granted == []


def test_the_application_may_not_make_temporary_tables(db: None) -> None:
    assert rows("SELECT has_database_privilege(current_user, current_database(), 'TEMPORARY')") == [(False,)]
