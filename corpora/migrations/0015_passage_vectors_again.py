"""Vectors of passages are of another encoder from now on: the hourly sweep makes them again."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("corpora", "0014_passage_vectors")]

    operations = [
        # Not by rows: row-level security would hide every organisation's.
        migrations.RunSQL("TRUNCATE corpora_passagevector", migrations.RunSQL.noop),
    ]
