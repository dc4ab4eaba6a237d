"""What is put before a chunk's text when it is embedded, and what language models said while documents were split."""

import django.db.models.deletion
from django.db import migrations, models

from legalqa.accounts.isolation import isolate, same_organization

IN_VISIBLE_CORPUS = "EXISTS (SELECT 1 FROM corpora_corpus c WHERE c.id = corpus_id)"


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_organization_keys"),
        ("corpora", "0012_indexes"),
    ]

    operations = [
        migrations.AddField("corpus", "context", models.CharField(default="heading", max_length=10)),
        migrations.AddField("chunkset", "context", models.CharField(default="heading", max_length=10)),
        migrations.RemoveConstraint("chunkset", "chunk_set_kept_once"),
        migrations.AddConstraint(
            "chunkset",
            models.UniqueConstraint(
                fields=["organization", "corpus", "fingerprint", "context"],
                condition=models.Q(is_kept=True, retired_at=None),
                name="chunk_set_kept_once",
            ),
        ),
        migrations.AddField("chunk", "context", models.TextField(default="")),
        migrations.CreateModel(
            name="ChunkAdvice",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("key", models.CharField(max_length=64)),
                ("value", models.JSONField(null=True)),
                (
                    "corpus",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="corpora.corpus",
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
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("organization", "corpus", "key"), name="chunk_advice_once")
                ],
            },
        ),
        same_organization("corpora_chunkadvice", "corpus_id", "corpora_corpus"),
        isolate("corpora_chunkadvice", also=IN_VISIBLE_CORPUS),
    ]
