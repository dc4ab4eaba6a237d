"""Stored paragraphs get the roles that the rules of today give them: examples and notes behind a number were operative."""

from django.db import migrations

from corpora.migrations._roles import roles_fill


class Migration(migrations.Migration):
    dependencies = [("corpora", "0016_watched_state_known")]

    operations = [migrations.RunPython(roles_fill, migrations.RunPython.noop)]
