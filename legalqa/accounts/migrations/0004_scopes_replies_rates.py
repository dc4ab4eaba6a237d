import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from legalqa.accounts.isolation import CURRENT_USER, IS_SYSTEM, isolate

# What tokens could do before there were scopes: they keep it.
BEFORE_SCOPES = [
    "corpora:read",
    "corpora:write",
    "documents:read",
    "documents:write",
    "jobs:read",
    "jobs:write",
    "search",
    "questions:write",
    "answers:read",
    "audit:read",
    "webhooks:read",
    "webhooks:write",
]


def before_scopes() -> list[str]:
    return list(BEFORE_SCOPES)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_second_factor_sessions_chain")]

    operations = [
        migrations.AddField(
            "apitoken",
            "scopes",
            django.contrib.postgres.fields.ArrayField(
                models.CharField(max_length=40), default=before_scopes, size=None
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "apitoken",
            "addresses",
            django.contrib.postgres.fields.ArrayField(models.CharField(max_length=50), default=list, size=None),
        ),
        migrations.CreateModel(
            name="KeptReply",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("endpoint", models.CharField(max_length=200)),
                ("key", models.CharField(max_length=255)),
                ("digest", models.CharField(max_length=64)),
                ("lease", models.UUIDField()),
                ("lease_until", models.DateTimeField()),
                ("subject_id", models.UUIDField(null=True)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("body", models.TextField(default="")),
                ("created_at", models.DateTimeField()),
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
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["organization", "created_at"], name="kept_reply_by_age")],
                "constraints": [
                    models.UniqueConstraint(fields=("organization", "user", "endpoint", "key"), name="kept_reply_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="RequestCount",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("subject_id", models.UUIDField()),
                ("kind", models.CharField(max_length=20)),
                ("period", models.BigIntegerField()),
                ("day", models.IntegerField()),
                ("n", models.PositiveIntegerField()),
                ("n_before", models.PositiveIntegerField()),
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
                    models.UniqueConstraint(fields=("organization", "subject_id", "kind"), name="request_count_once")
                ],
            },
        ),
        # A reply may quote documents: only the person whom it was given to gets it again.
        isolate("accounts_keptreply", also=f"(user_id = {CURRENT_USER} OR {IS_SYSTEM})"),
        isolate("accounts_requestcount"),
    ]
