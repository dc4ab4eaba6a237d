"""Migration operations that put a table behind row-level security and tie its foreign keys to the organisation."""

from typing import Any

from django.db.migrations import RunSQL

# NULLIF: after a commit PostgreSQL leaves the empty string, not NULL. The sub-select is evaluated once per query.
CURRENT_ORGANIZATION = "(SELECT NULLIF(current_setting('app.organization_id', true), '')::uuid)"
CURRENT_USER = "(SELECT NULLIF(NULLIF(current_setting('app.user_id', true), ''), 'system')::uuid)"
IS_SYSTEM = "(SELECT current_setting('app.user_id', true) = 'system')"

# Gives each of the tables the primary key {key}. Foreign keys that need a unique (organization_id, id) are dropped
# before and added again unchanged afterwards: forwards they move from the constraint beside the old key to the new
# key, backwards they need that constraint again.
#
# The database no longer enforces that `id` alone is unique. It is in practice: most ids are random UUIDs, the others
# numbers from one sequence per table. It needs no index of its own, because every policy, and every query of the
# product, compares the organisation first; a copied `id` in another organisation would be a separate row, which nobody
# else sees.
#
# Locks and time: each table is closed to readers and writers until the migration's one transaction ends, so stop web
# and workers first, as for every migration. If somebody is still at work, it gives up after LEGALQA_LOCK_S and changes
# nothing. It builds one index per table (a second or two for a million rows) and drops one or two. Adding a foreign
# key again reads no rows, because the policies hide them from the owner too. Nor does it have to: the rows obeyed the
# same foreign key until this transaction, which has locked the table, dropped it.
_KEYED = """
DO $$
DECLARE
    keyed regclass;
    link record;
    beside text;
    again text[];
    statement text;
BEGIN
    FOR keyed IN {tables} LOOP
        CONTINUE WHEN pg_get_constraintdef((SELECT oid FROM pg_constraint WHERE conrelid = keyed AND contype = 'p'))
            = 'PRIMARY KEY {key}';
        again := '{{}}';
        FOR link IN SELECT conrelid::regclass AS child, conname, pg_get_constraintdef(oid) AS definition
            FROM pg_constraint WHERE contype = 'f' AND confrelid = keyed
            AND pg_get_constraintdef(oid) LIKE '%(organization_id, id)%'
        LOOP
            EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', link.child, link.conname);
            again := again || format('ALTER TABLE %s ADD CONSTRAINT %I %s', link.child, link.conname, link.definition);
        END LOOP;
        FOR beside IN SELECT conname FROM pg_constraint WHERE conrelid = keyed
            AND (contype = 'p' OR pg_get_constraintdef(oid) = 'UNIQUE (organization_id, id)')
        LOOP
            EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', keyed, beside);
        END LOOP;
        EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I PRIMARY KEY {key}', keyed, keyed || '_pkey');
        IF '{key}' = '(id)' AND cardinality(again) > 0 THEN
            EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I UNIQUE (organization_id, id)',
                keyed, keyed || '_identity');
        END IF;
        FOREACH statement IN ARRAY again LOOP
            EXECUTE statement;
        END LOOP;
    END LOOP;
END $$
"""
_ORGANIZATIONS_KEY, _PLAIN_KEY = "(organization_id, id)", "(id)"
_ISOLATED = "SELECT oid::regclass FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relforcerowsecurity"


def organization_keys() -> RunSQL:
    """The primary key `(organization_id, id)` for every existing isolated table, whatever its app.

    Models keep `id` as theirs. Tables created later get the key from `isolate`.
    """
    return RunSQL(
        _KEYED.format(tables=_ISOLATED, key=_ORGANIZATIONS_KEY), _KEYED.format(tables=_ISOLATED, key=_PLAIN_KEY)
    )


def isolate(table: str, *, also: str = "true", or_readable: str = "") -> RunSQL:
    """Show and accept only rows of the active organisation; FORCE makes that apply to the table's owner as well.

    Args:
        table: Name of a table with a column `organization_id`.
        also: A further SQL condition on the row (a wall).
        or_readable: An SQL condition under which a row may be read, not written, without an organisation.
    """
    mine = f"organization_id = {CURRENT_ORGANIZATION} AND {also}"
    readable = f"({mine}) OR ({or_readable})" if or_readable else mine
    forward: list[str | tuple[str, Any]] = [
        _keyed(table, _ORGANIZATIONS_KEY),
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY organization_isolation ON {table} USING ({mine}) WITH CHECK ({mine})",
    ]
    backward: list[str | tuple[str, Any]] = [
        f"DROP POLICY organization_isolation ON {table}",
        f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY",
    ]
    if or_readable:
        forward.append(f"CREATE POLICY readable ON {table} FOR SELECT USING ({readable})")
        backward.insert(0, f"DROP POLICY readable ON {table}")
    return RunSQL(forward, backward)


def identity(table: str) -> RunSQL:
    """The primary key `(organization_id, id)` before `isolate` gives it: composite foreign keys need it as a target."""
    return RunSQL(_keyed(table, _ORGANIZATIONS_KEY), _keyed(table, _PLAIN_KEY))


def _keyed(table: str, key: str) -> str:
    return _KEYED.format(tables=f"SELECT '{table}'::regclass", key=key)


def same_organization(table: str, column: str, parent: str) -> RunSQL:
    """A foreign key that includes the organisation: PostgreSQL checks plain ones without row-level security.

    Deferred, like Django's own, so that one transaction may write or remove a parent and its children in any order.
    """
    name = f"{table}_{column}_same_organization"
    return RunSQL(
        f"ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY (organization_id, {column}) "
        f"REFERENCES {parent} (organization_id, id) DEFERRABLE INITIALLY DEFERRED",
        f"ALTER TABLE {table} DROP CONSTRAINT {name}",
    )


def append_only(table: str) -> RunSQL:
    """Refuse UPDATE, DELETE and TRUNCATE for everyone, the owner included."""
    return RunSQL(
        f"""
        CREATE FUNCTION {table}_append_only() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'rows of {table} cannot be changed'; END $$;
        CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION {table}_append_only();
        CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON {table}
            FOR EACH STATEMENT EXECUTE FUNCTION {table}_append_only();
        """,
        f"""
        DROP TRIGGER append_only_truncate ON {table};
        DROP TRIGGER append_only ON {table};
        DROP FUNCTION {table}_append_only();
        """,
    )
