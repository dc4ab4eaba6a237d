"""Vectors of passages as answers read them, made in the background."""

import django.db.models.deletion
import pgvector.django.halfvec
from django.db import migrations, models

from legalqa.accounts.isolation import isolate, same_organization

IN_VISIBLE_CORPUS = "EXISTS (SELECT 1 FROM corpora_corpus c WHERE c.id = corpus_id)"


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_organization_keys"),
        ("corpora", "0013_chunk_contexts"),
    ]

    operations = [
        migrations.CreateModel(
            name="PassageVector",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("digest", models.CharField(max_length=32)),
                ("vector", pgvector.django.halfvec.HalfVectorField(dimensions=384)),
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
                (
                    "position",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="corpora.position",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["organization", "corpus", "digest"], name="passage_vector_by_text")],
                "constraints": [
                    models.UniqueConstraint(fields=("organization", "position"), name="passage_vector_once")
                ],
            },
        ),
        same_organization("corpora_passagevector", "corpus_id", "corpora_corpus"),
        same_organization("corpora_passagevector", "position_id", "corpora_position"),
        isolate("corpora_passagevector", also=IN_VISIBLE_CORPUS),
    ]
