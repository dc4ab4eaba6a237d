"""Migration operations that put a table behind row-level security and tie its foreign keys to the organisation."""

from typing import Any

from django.db.migrations import RunSQL

# NULLIF: after a commit PostgreSQL leaves the empty string, not NULL. The sub-select is evaluated once per query.
CURRENT_ORGANIZATION = "(SELECT NULLIF(current_setting('app.organization_id', true), '')::uuid)"
CURRENT_USER = "(SELECT NULLIF(NULLIF(current_setting('app.user_id', true), ''), 'system')::uuid)"
IS_SYSTEM = "(SELECT current_setting('app.user_id', true) = 'system')"


def isolate(table: str, *, also: str = "true", or_readable: str = "") -> RunSQL:
    """Show and accept rows of the active organisation only; FORCE holds the table's owner to it as well.

    Args:
        table: Name of a table with a column `organization_id`.
        also: A further SQL condition on the row (a wall).
        or_readable: An SQL condition under which a row may be read, not written, without an organisation.
    """
    mine = f"organization_id = {CURRENT_ORGANIZATION} AND {also}"
    readable = f"({mine}) OR ({or_readable})" if or_readable else mine
    forward: list[str | tuple[str, Any]] = [
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
    """`UNIQUE (organization_id, id)`, the target of composite foreign keys."""
    return RunSQL(
        f"ALTER TABLE {table} ADD CONSTRAINT {table}_identity UNIQUE (organization_id, id)",
        f"ALTER TABLE {table} DROP CONSTRAINT {table}_identity",
    )


def same_organization(table: str, column: str, parent: str) -> RunSQL:
    """A foreign key that includes the organisation: plain ones are checked around row-level security.

    Deferred, as Django's own are, so that a parent and its children may go in one transaction in any order.
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
