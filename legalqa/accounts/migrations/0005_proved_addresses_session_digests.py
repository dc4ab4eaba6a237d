import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_scopes_replies_rates")]

    operations = [
        # Sessions lay under their keys until now, which open them: they end, once. So do links whose maker is unknown.
        migrations.RunSQL("DELETE FROM accounts_session", migrations.RunSQL.noop),
        migrations.RunSQL("DELETE FROM accounts_signinlink WHERE used_at IS NULL", migrations.RunSQL.noop),
        migrations.AlterField(
            "session",
            "session_key",
            models.CharField(
                max_length=64, primary_key=True, serialize=False, verbose_name="digest of the session key"
            ),
        ),
        migrations.AddField("user", "address_proved_at", models.DateTimeField(editable=False, null=True)),
        migrations.AddField("invitation", "mailed_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "signinlink",
            "made_by",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            name="ResetRequest",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("email_digest", models.CharField(max_length=64)),
                ("address", models.CharField(max_length=45)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.AlterModelOptions("signinlink", options={"verbose_name": "sign-in link"}),
        migrations.AlterModelOptions("apitoken", options={"verbose_name": "API token"}),
    ]
