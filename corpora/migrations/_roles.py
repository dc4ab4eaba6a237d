"""The roles of the paragraphs of stored versions, worked out by the rules of today: what migrations run."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from corpora.provisions.roles import roles_of
from corpora.provisions.types import Part

READ = """
    SELECT place.id, place.ordinal, paragraph.text, place.kind, place.label, place.heading_path, place.level, place.page
    FROM corpora_position place
    JOIN corpora_paragraph paragraph
      ON paragraph.organization_id = place.organization_id AND paragraph.id = place.paragraph_id
    WHERE place.organization_id = %s AND place.version_id = %s ORDER BY place.ordinal
"""
FILL = """
    UPDATE corpora_position SET role = marked.role FROM unnest(%s::bigint[], %s::text[]) AS marked (id, role)
    WHERE corpora_position.organization_id = %s AND corpora_position.id = marked.id
      AND corpora_position.role <> marked.role
"""
# Row-level security holds the owner as well, so each organisation is entered in turn.
ENTER = "SELECT set_config('app.organization_id', %s, true), set_config('app.user_id', %s, true)"


def roles_fill(_apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Work out the roles of every version's paragraphs, a version at a time; those that stay the same are not written."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT id FROM accounts_organization ORDER BY id")
        for (organization,) in cursor.fetchall():
            cursor.execute(ENTER, [str(organization), "system"])
            cursor.execute("SELECT id FROM corpora_documentversion WHERE organization_id = %s", [organization])
            for (version,) in cursor.fetchall():
                cursor.execute(READ, [organization, version])
                rows = cursor.fetchall()
                parts = [
                    Part(ordinal, text, kind, label, tuple(path), level, page=page)
                    for _, ordinal, text, kind, label, path, level, page in rows
                ]
                roles = [str(role) for role in roles_of(parts)]
                cursor.execute(FILL, [[row[0] for row in rows], roles, organization])
        cursor.execute(ENTER, ["", ""])
