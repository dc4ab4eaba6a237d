"""Vectors of any dimension, encoders that somebody added to a corpus, and chunk sets that are kept to be compared."""

import uuid

import django.db.models.deletion
import pgvector.django.vector
from django.conf import settings
from django.db import migrations, models

from legalqa.accounts.isolation import identity, isolate, same_organization

# As visible as its corpus: the sub-select is itself under the policy of corpora_corpus.
IN_VISIBLE_CORPUS = "EXISTS (SELECT 1 FROM corpora_corpus c WHERE c.id = corpus_id)"

# The column loses its 384 dimensions without being written again. An index over vectors names their dimensions, so
# those that are there are built again: as long as it took the first time (a minute for 100,000 vectors).
ANY_DIMENSION = """
DO $$
DECLARE
    built record;
    again text[] := '{}';
    statement text;
BEGIN
    FOR built IN SELECT indexname, indexdef FROM pg_indexes
        WHERE tablename = 'corpora_embedding' AND starts_with(indexname, 'embedding_hnsw_')
    LOOP
        EXECUTE format('DROP INDEX %I', built.indexname);
        again := again || replace(built.indexdef, '(vector vector_ip_ops)', '((vector::vector(384)) vector_ip_ops)');
    END LOOP;
    ALTER TABLE corpora_embedding ALTER COLUMN vector TYPE vector;
    FOREACH statement IN ARRAY again LOOP
        EXECUTE statement;
    END LOOP;
END $$
"""


class Migration(migrations.Migration):
    dependencies = [
        ("corpora", "0011_answer_threshold"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(ANY_DIMENSION, migrations.RunSQL.noop)],
            state_operations=[
                migrations.AlterField(
                    model_name="embedding", name="vector", field=pgvector.django.vector.VectorField()
                ),
            ],
        ),
        migrations.CreateModel(
            name="AddedEncoder",
            fields=[
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("folder", "A folder on this server"),
                            ("endpoint", "An embedding model over the network"),
                        ],
                        max_length=10,
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("title", models.CharField(max_length=120)),
                ("model", models.CharField(default="", max_length=240)),
                ("dimensions", models.PositiveSmallIntegerField()),
                ("window_tokens", models.PositiveIntegerField()),
                ("pooling", models.CharField(default="", max_length=40)),
                ("cue_query", models.CharField(default="", max_length=300)),
                ("cue_passage", models.CharField(default="", max_length=300)),
                ("licence", models.CharField(default="", max_length=60)),
                ("n_bytes", models.PositiveBigIntegerField(default=0)),
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
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
        ),
        migrations.AddConstraint(
            model_name="addedencoder",
            constraint=models.UniqueConstraint(fields=("organization", "corpus", "name"), name="encoder_added_once"),
        ),
        migrations.AddField(
            model_name="encoderactivation",
            name="added",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="corpora.addedencoder",
            ),
        ),
        migrations.AddField(model_name="chunkset", name="is_kept", field=models.BooleanField(default=False)),
        migrations.AddField(model_name="chunkset", name="filled_at", field=models.DateTimeField(null=True)),
        migrations.RemoveConstraint(model_name="chunkset", name="chunk_set_building_once"),
        migrations.AddConstraint(
            model_name="chunkset",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_kept", False), ("is_live", False), ("retired_at", None)),
                fields=("organization", "corpus"),
                name="chunk_set_building_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="chunkset",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_kept", True), ("retired_at", None)),
                fields=("organization", "corpus", "fingerprint"),
                name="chunk_set_kept_once",
            ),
        ),
        identity("corpora_addedencoder"),
        same_organization("corpora_addedencoder", "corpus_id", "corpora_corpus"),
        same_organization("corpora_encoderactivation", "added_id", "corpora_addedencoder"),
        isolate("corpora_addedencoder", also=IN_VISIBLE_CORPUS),
    ]
