from django.db import migrations

from legalqa.accounts.isolation import CURRENT_USER, append_only, isolate


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [
        # A person sees their own memberships before they choose an organisation.
        isolate("accounts_membership", or_readable=f"user_id = {CURRENT_USER}"),
        isolate("accounts_auditevent"),
        append_only("accounts_auditevent"),
    ]
