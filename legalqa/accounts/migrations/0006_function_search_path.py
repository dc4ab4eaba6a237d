from django.db import migrations

# A temporary table of the same name hides a table from the person who made it, unless pg_temp is named and last.
FUNCTIONS = (
    "accounts_auditevent_chain()",
    "accounts_auditevent_digest(accounts_auditevent)",
    "accounts_auditevent_append_only()",
)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_proved_addresses_session_digests")]

    operations = [
        migrations.RunSQL(
            f"ALTER FUNCTION {function} SET search_path = pg_catalog, public, pg_temp",
            f"ALTER FUNCTION {function} RESET search_path",
        )
        for function in FUNCTIONS
    ]
