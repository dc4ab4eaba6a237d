"""The trade's words: a judgment of a passage says whether it is a support of the answer."""

from django.db import migrations, models

BEFORE, AFTER = "answering_passagejudgement", "answering_passagejudgment"
KEYS = ["pkey", "grade_id_same_organization", "paragraph_id_same_organization"]


def renamed(key: str) -> tuple[str, str]:
    """The statements that give a key of the table its name after the table's new one, and take it back."""
    rename = f"ALTER TABLE {AFTER} RENAME CONSTRAINT {{}}_{key} TO {{}}_{key}"
    return rename.format(BEFORE, AFTER), rename.format(AFTER, BEFORE)


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
        *(migrations.RunSQL(*renamed(key)) for key in KEYS),
        migrations.RunSQL(
            f"ALTER SEQUENCE {BEFORE}_id_seq RENAME TO {AFTER}_id_seq",
            f"ALTER SEQUENCE {AFTER}_id_seq RENAME TO {BEFORE}_id_seq",
        ),
    ]
