from django.db import migrations

from legalqa.accounts.isolation import organization_keys

CHAIN = """
CREATE OR REPLACE FUNCTION accounts_auditevent_chain() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    last_sequence bigint;
    last_digest text;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('audit:' || NEW.organization_id::text, 0));
    {last_row}
    NEW.at := clock_timestamp();
    NEW.sequence := coalesce(last_sequence, 0) + 1;
    NEW.previous := coalesce(last_digest, repeat('0', 64));
    NEW.digest := accounts_auditevent_digest({row});
    RETURN NEW;
END $$
"""
# The table that the row goes to, by its number: a part of the table is chained to its own rows, not to those of a
# table with a certain name.
OF_THIS_TABLE = """EXECUTE format('SELECT sequence, digest FROM %s WHERE organization_id = $1 ORDER BY sequence DESC LIMIT 1',
        TG_RELID::regclass) INTO last_sequence, last_digest USING NEW.organization_id;"""
ITS_ROW = "jsonb_populate_record(NULL::accounts_auditevent, to_jsonb(NEW))"  # a row of a part is of a type of its own
BY_NAME = """SELECT sequence, digest INTO last_sequence, last_digest FROM accounts_auditevent
        WHERE organization_id = NEW.organization_id ORDER BY sequence DESC LIMIT 1;"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_function_search_path")]

    operations = [
        organization_keys(),
        migrations.RunSQL(CHAIN.format(last_row=OF_THIS_TABLE, row=ITS_ROW), CHAIN.format(last_row=BY_NAME, row="NEW")),
    ]
