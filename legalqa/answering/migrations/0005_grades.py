import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from legalqa.accounts.isolation import identity, isolate, same_organization

# A grade is as visible as the corpus that was asked, a judgement as its grade: sub-selects are under policies, too.
IN_VISIBLE_CORPUS = "EXISTS (SELECT 1 FROM corpora_corpus c WHERE c.id = corpus_id)"
OF_VISIBLE_GRADE = "EXISTS (SELECT 1 FROM answering_answergrade g WHERE g.id = grade_id)"
FOREIGN_KEYS = [
    ("answergrade", "corpus_id", "corpora_corpus"),
    ("answergrade", "answer_id", "answering_answer"),
    ("passagejudgement", "grade_id", "answering_answergrade"),
    ("passagejudgement", "paragraph_id", "corpora_paragraph"),
]
GRADES = [
    ("right", "Right"),
    ("partly", "Partly right"),
    ("wrong", "Wrong"),
    ("rightly_silent", "Rightly silent"),
    ("missed", "The documents do answer this"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("answering", "0004_written"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AnswerGrade",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("grade", models.CharField(choices=GRADES, max_length=16)),
                ("note", models.TextField(default="")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("changed_at", models.DateTimeField(auto_now=True)),
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
                    "corpus",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="corpora.corpus",
                    ),
                ),
                (
                    "grader",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
        migrations.CreateModel(
            name="PassageJudgement",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("bears_out", models.BooleanField()),
                (
                    "grade",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="answering.answergrade",
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
                (
                    "paragraph",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="corpora.paragraph",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="answergrade",
            index=models.Index(fields=["organization", "corpus", "changed_at"], name="answer_grade_by_corpus"),
        ),
        migrations.AddConstraint(
            model_name="answergrade",
            constraint=models.UniqueConstraint(fields=("organization", "answer", "grader"), name="answer_grade_once"),
        ),
        migrations.AddConstraint(
            model_name="answergrade",
            constraint=models.CheckConstraint(
                condition=models.Q(("grade__in", [value for value, _ in GRADES])), name="answer_grade_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="passagejudgement",
            constraint=models.UniqueConstraint(
                fields=("organization", "grade", "paragraph"), name="passage_judgement_once"
            ),
        ),
        identity("answering_answergrade"),
        *(same_organization(f"answering_{table}", column, parent) for table, column, parent in FOREIGN_KEYS),
        isolate("answering_answergrade", also=IN_VISIBLE_CORPUS),
        isolate("answering_passagejudgement", also=OF_VISIBLE_GRADE),
    ]
