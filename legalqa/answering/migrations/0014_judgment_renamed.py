"""The trade's words: a judgment of a passage says whether it is a support of the answer."""

from django.db import migrations, models

BEFORE, AFTER = "answering_passagejudgement", "answering_passagejudgment"

# By their names as they are, because PostgreSQL names those of NOT NULL from version 18 on only.
_RENAMED = """
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT conname FROM pg_constraint
        WHERE conrelid = '{after}'::regclass AND starts_with(conname, '{old_table}_')
    LOOP
        EXECUTE format('ALTER TABLE {after} RENAME CONSTRAINT %I TO %I',
            name, replace(replace(name, '{old_table}_', '{new_table}_'), '{old_column}', '{new_column}'));
    END LOOP;
END $$
"""


def constraints_renamed(old: tuple[str, str], new: tuple[str, str]) -> str:
    """SQL that gives the constraints of the renamed table the new names of table and column."""
    (old_table, old_column), (new_table, new_column) = old, new
    return _RENAMED.format(
        after=AFTER, old_table=old_table, new_table=new_table, old_column=old_column, new_column=new_column
    )


class Migration(migrations.Migration):
    dependencies = [("answering", "0013_rows_known")]

    operations = [
        migrations.RemoveConstraint(model_name="passagejudgement", name="passage_judgement_once"),
        migrations.RenameModel(old_name="PassageJudgement", new_name="PassageJudgment"),
        migrations.RenameField(model_name="passagejudgment", old_name="bears_out", new_name="is_support"),
        migrations.AddConstraint(
            model_name="passagejudgment",
            constraint=models.UniqueConstraint(
                fields=("organization", "grade", "paragraph"), name="passage_judgment_once"
            ),
        ),
        migrations.RunSQL(
            constraints_renamed((BEFORE, "bears_out"), (AFTER, "is_support")),
            constraints_renamed((AFTER, "is_support"), (BEFORE, "bears_out")),
        ),
        migrations.RunSQL(
            f"ALTER SEQUENCE {BEFORE}_id_seq RENAME TO {AFTER}_id_seq",
            f"ALTER SEQUENCE {AFTER}_id_seq RENAME TO {BEFORE}_id_seq",
        ),
    ]
