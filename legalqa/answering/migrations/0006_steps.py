"""Steps of answers as rows, the purpose of an answer, and what repeating it takes."""

import django.db.models.deletion
from django.db import migrations, models

from legalqa.accounts.isolation import identity, isolate, same_organization

PURPOSES = [("asked", "Asked by a person or a program"), ("experiment", "Experiment")]
STATES = [("waiting", "Next"), ("working", "Working"), ("done", "Done"), ("stopped", "Stopped")]

# An answer from before has one step with all that its trace held. The owner of the table is under its policy, too,
# unless that is lifted for the one statement; keys are checked before the tables are altered again.
MOVE_TRACES = """
    ALTER TABLE answering_answer NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE answering_answerstep NO FORCE ROW LEVEL SECURITY;
    INSERT INTO answering_answerstep
        (organization_id, answer_id, ordinal, name, label, sentence, state, started_at, ended_at, detail)
    SELECT organization_id, id, 0, 'searching', 'Searching', '', 'done', created_at,
        created_at + seconds * interval '1 second', trace
    FROM answering_answer WHERE trace <> '[]'::jsonb;
    SET CONSTRAINTS ALL IMMEDIATE;
    ALTER TABLE answering_answer FORCE ROW LEVEL SECURITY;
    ALTER TABLE answering_answerstep FORCE ROW LEVEL SECURITY;
"""
TRACES_BACK = """
    ALTER TABLE answering_answer NO FORCE ROW LEVEL SECURITY;
    ALTER TABLE answering_answerstep NO FORCE ROW LEVEL SECURITY;
    UPDATE answering_answer a SET trace = s.trace FROM (
        SELECT answer_id, jsonb_agg(part ORDER BY ordinal, place) AS trace
        FROM answering_answerstep, jsonb_array_elements(detail) WITH ORDINALITY AS parts(part, place)
        GROUP BY answer_id
    ) s WHERE s.answer_id = a.id;
    SET CONSTRAINTS ALL IMMEDIATE;
    ALTER TABLE answering_answer FORCE ROW LEVEL SECURITY;
    ALTER TABLE answering_answerstep FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("answering", "0005_grades")]

    operations = [
        migrations.CreateModel(
            name="AnswerStep",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("ordinal", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=40)),
                ("label", models.CharField(max_length=120)),
                ("sentence", models.CharField(default="", max_length=200)),
                ("state", models.CharField(choices=STATES, max_length=12)),
                ("started_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("detail", models.JSONField(default=list)),
                (
                    "answer",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="answering.answer",
                    ),
                ),
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
        ),
        migrations.AddConstraint(
            model_name="answerstep",
            constraint=models.UniqueConstraint(fields=("organization", "answer", "ordinal"), name="answer_step_once"),
        ),
        migrations.AddConstraint(
            model_name="answerstep",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", [state for state, _ in STATES])), name="answer_step_state_known"
            ),
        ),
        identity("answering_answerstep"),
        same_organization("answering_answerstep", "answer_id", "answering_answer"),
        isolate("answering_answerstep"),
        migrations.RunSQL(MOVE_TRACES, TRACES_BACK),
        migrations.RemoveField(model_name="answer", name="trace"),
        migrations.AddField(
            model_name="answer",
            name="purpose",
            field=models.CharField(choices=PURPOSES, default="asked", max_length=12),
        ),
        migrations.AddField(model_name="answer", name="strategy", field=models.CharField(default="", max_length=40)),
        migrations.AddField(model_name="answer", name="made_from", field=models.JSONField(default=dict)),
        migrations.AddField(model_name="answer", name="unchecked_text", field=models.TextField(default="")),
        migrations.AddConstraint(
            model_name="answer",
            constraint=models.CheckConstraint(
                condition=models.Q(("purpose__in", [purpose for purpose, _ in PURPOSES])), name="answer_purpose_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="answer",
            constraint=models.CheckConstraint(
                condition=models.Q(("unchecked_text", ""), ("purpose", "experiment"), _connector="OR"),
                name="answer_unchecked_in_experiments",
            ),
        ),
    ]
