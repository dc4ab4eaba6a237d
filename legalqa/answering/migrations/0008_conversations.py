"""Conversations: which question belongs to which, what its asker calls it, and with whom it is shared."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from legalqa.accounts.isolation import isolate, same_organization

# A question from before goes to the first one of those that it follows up. The owner of the table is under its policy,
# too, unless that is lifted for the one statement.
GROUP = """
    ALTER TABLE answering_question NO FORCE ROW LEVEL SECURITY;
    WITH RECURSIVE conversations AS (
        SELECT organization_id, id, id AS first FROM answering_question WHERE follows_id IS NULL
        UNION ALL
        SELECT q.organization_id, q.id, c.first FROM answering_question q
        JOIN conversations c ON q.follows_id = c.id AND q.organization_id = c.organization_id
    )
    UPDATE answering_question q SET conversation = c.first FROM conversations c
    WHERE q.id = c.id AND q.organization_id = c.organization_id;
    SET CONSTRAINTS ALL IMMEDIATE;
    ALTER TABLE answering_question FORCE ROW LEVEL SECURITY;
"""
# A share is as visible as the corpus that was asked: sub-selects are under policies, too.
IN_VISIBLE_CORPUS = "EXISTS (SELECT 1 FROM corpora_corpus c WHERE c.id = corpus_id)"
TABLE = "answering_conversationshare"


def key(to: str, **options: Any) -> "models.ForeignKey[models.Model, models.Model]":
    return models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=to, **options)


class Migration(migrations.Migration):
    dependencies = [("answering", "0007_composition"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.AddField("question", "title", models.CharField(blank=True, default="", max_length=200)),
        migrations.AddField("question", "conversation", models.UUIDField(editable=False, null=True)),
        migrations.RunSQL(GROUP, migrations.RunSQL.noop),
        migrations.AlterField("question", "conversation", models.UUIDField(editable=False)),
        migrations.AddIndex(
            "question", models.Index(fields=["organization", "conversation"], name="question_conversation")
        ),
        migrations.CreateModel(
            name="ConversationShare",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("corpus", key("corpora.corpus", db_constraint=False, db_index=False)),
                ("question", key("answering.question", db_constraint=False, db_index=False)),
                ("member", key(settings.AUTH_USER_MODEL)),
                ("shared_by", key(settings.AUTH_USER_MODEL)),
                ("organization", key("accounts.organization", db_index=False, editable=False)),
            ],
        ),
        migrations.AddConstraint(
            "conversationshare",
            models.UniqueConstraint(fields=("organization", "question", "member"), name="conversation_shared_once"),
        ),
        same_organization(TABLE, "corpus_id", "corpora_corpus"),
        same_organization(TABLE, "question_id", "answering_question"),
        isolate(TABLE, also=IN_VISIBLE_CORPUS),
    ]
