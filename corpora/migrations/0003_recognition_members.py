import django.db.models.deletion
from django.db import migrations, models

from legalqa.accounts.isolation import isolate, same_organization


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_isolation"),
        ("corpora", "0002_isolation"),
    ]

    operations = [
        migrations.AddField(
            model_name="document",
            name="container",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="corpora.document",
            ),
        ),
        migrations.AddField(
            model_name="page",
            name="confidence",
            field=models.FloatField(null=True),
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ordinal", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=300)),
                ("reason", models.CharField(blank=True, default="", max_length=40)),
                ("detail", models.CharField(blank=True, default="", max_length=400)),
                (
                    "document",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="corpora.document",
                    ),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        db_index=False,
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.organization",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="corpora.documentversion",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organization", "version", "ordinal"), name="member_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Recognition",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                ("text", models.TextField(default="")),
                ("boxes", models.BinaryField(default=b"")),
                ("confidence", models.FloatField(null=True)),
                (
                    "organization",
                    models.ForeignKey(
                        db_index=False,
                        editable=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.organization",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="corpora.documentversion",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organization", "version", "number"), name="recognition_once")
                ],
            },
        ),
        same_organization("corpora_document", "container_id", "corpora_document"),
        same_organization("corpora_member", "version_id", "corpora_documentversion"),
        same_organization("corpora_member", "document_id", "corpora_document"),
        same_organization("corpora_recognition", "version_id", "corpora_documentversion"),
        isolate("corpora_member"),
        isolate("corpora_recognition"),
    ]
