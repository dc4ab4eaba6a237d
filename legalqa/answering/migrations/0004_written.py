import django.db.models.deletion
from django.db import migrations, models

from legalqa.accounts.isolation import same_organization

STATES = ["working", "answered", "partial", "insufficient_evidence", "failed", "cancelled"]


class Migration(migrations.Migration):
    dependencies = [("answering", "0003_isolation")]

    operations = [
        migrations.AddField(
            model_name="question",
            name="follows",
            field=models.ForeignKey(
                db_constraint=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="answering.question",
            ),
        ),
        migrations.AddField(model_name="answer", name="asked", field=models.JSONField(default=dict)),
        migrations.AddField(model_name="answer", name="generation", field=models.JSONField(default=dict)),
        migrations.AlterField(
            model_name="answer",
            name="mode",
            field=models.CharField(
                choices=[("extractive", "Quoted"), ("written", "Written by a model, checked")],
                default="extractive",
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="answer",
            name="state",
            field=models.CharField(
                choices=[
                    ("working", "Working"),
                    ("answered", "Answered"),
                    ("partial", "Partly answered"),
                    ("insufficient_evidence", "Not enough evidence"),
                    ("failed", "System fault"),
                    ("cancelled", "Cancelled"),
                ],
                max_length=24,
            ),
        ),
        migrations.RemoveConstraint(model_name="answer", name="answer_state_known"),
        migrations.AddConstraint(
            model_name="answer",
            constraint=models.CheckConstraint(condition=models.Q(("state__in", STATES)), name="answer_state_known"),
        ),
        same_organization("answering_question", "follows_id", "answering_question"),
    ]
