"""A score names its experiment, so that a page finds those of one measure without reading every experiment's."""

import django.db.models.deletion
from django.db import migrations, models

from legalqa.accounts.isolation import same_organization

TABLE = "judging_experimentscore"
# Every organisation's at once: this runs as the tables' owner, whom row-level security holds too, unless that is
# lifted for the one statement.
FILL = """
    ALTER TABLE judging_experimentscore NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE judging_experimentanswer NO FORCE ROW LEVEL SECURITY;
    UPDATE judging_experimentscore s SET experiment_id = a.experiment_id FROM judging_experimentanswer a
    WHERE a.organization_id = s.organization_id AND a.id = s.answer_id;
    SET CONSTRAINTS ALL IMMEDIATE;
    ALTER TABLE judging_experimentanswer FORCE ROW LEVEL SECURITY;
    ALTER TABLE judging_experimentscore FORCE ROW LEVEL SECURITY;
"""


def key(**options: bool) -> "models.ForeignKey[models.Model, models.Model]":
    return models.ForeignKey(
        db_constraint=False,
        db_index=False,
        on_delete=django.db.models.deletion.CASCADE,
        related_name="+",
        to="judging.experiment",
        **options,
    )


class Migration(migrations.Migration):
    dependencies = [("judging", "0007_feedback")]

    operations = [
        migrations.AddField("experimentscore", "experiment", key(null=True)),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        migrations.AlterField("experimentscore", "experiment", key()),
        migrations.AddIndex(
            "experimentscore",
            models.Index(fields=["organization", "experiment", "judge", "measure"], name="experiment_score_by_measure"),
        ),
        same_organization(TABLE, "experiment_id", "judging_experiment"),
    ]
