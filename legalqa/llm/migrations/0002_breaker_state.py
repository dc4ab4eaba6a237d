import uuid

import django.db.models.deletion
from django.db import migrations, models

from legalqa.accounts.isolation import isolate


class Migration(migrations.Migration):
    dependencies = [("llm", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="BreakerState",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("provider", models.CharField(max_length=36)),
                ("model", models.CharField(max_length=100)),
                ("state", models.JSONField()),
                ("changed_at", models.DateTimeField(auto_now=True)),
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
                    models.UniqueConstraint(fields=("organization", "provider", "model"), name="breaker_once")
                ],
            },
        ),
        isolate("llm_breakerstate"),
    ]
