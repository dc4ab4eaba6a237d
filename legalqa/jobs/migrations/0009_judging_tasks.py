"""Judging names its background tasks in one place; jobs that wait or are kept name them by it."""

from django.db import migrations

RENAME = "UPDATE jobs_job SET task = %s WHERE task = %s"
BEFORE = ("judging.generation.tasks.generation_work", "judging.cases.tasks.case_evaluation_work")
AFTER = ("judging.tasks.generation_work", "judging.tasks.case_evaluation_work")
FORWARD = [(RENAME, [after, before]) for before, after in zip(BEFORE, AFTER, strict=True)]
BACKWARD = [(RENAME, [before, after]) for before, after in zip(BEFORE, AFTER, strict=True)]


class Migration(migrations.Migration):
    dependencies = [("jobs", "0008_choices_known")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
