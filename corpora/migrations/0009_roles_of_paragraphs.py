"""Paragraphs say what they are (operative text, recital, example …); those of existing versions are looked at here."""

from django.db import migrations, models

from corpora.migrations._roles import roles_fill


class Migration(migrations.Migration):
    dependencies = [("corpora", "0008_operators_names")]

    operations = [
        migrations.AddField(
            model_name="position",
            name="role",
            field=models.CharField(blank=True, default="", max_length=12),
        ),
        migrations.RunPython(roles_fill, migrations.RunPython.noop),
    ]
