"""Questions that an encoder with a cue read without it are encoded again: those that are asked now have it."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from corpora.migrations._roles import ENTER

FORGET = """
    UPDATE retrieval_indexedquestion question SET encoder = '', vector = NULL FROM corpora_addedencoder added
    WHERE question.organization_id = %s AND added.organization_id = question.organization_id
      AND added.corpus_id = question.corpus_id AND added.name = question.encoder AND added.cue_query <> ''
"""


def vectors_forget(_apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take their vectors: the hourly look at question indexes then has them encoded."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT id FROM accounts_organization ORDER BY id")
        for (organization,) in cursor.fetchall():
            cursor.execute(ENTER, [str(organization), "system"])
            cursor.execute(FORGET, [organization])
        cursor.execute(ENTER, ["", ""])


class Migration(migrations.Migration):
    dependencies = [("corpora", "0019_choices_known"), ("retrieval", "0011_choices_known")]

    operations = [migrations.RunPython(vectors_forget, migrations.RunPython.noop)]
