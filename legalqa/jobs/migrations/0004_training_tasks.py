"""Trainings have a room of their own; jobs that wait or are kept name their tasks by it."""

from django.db import migrations

RENAME = "UPDATE jobs_job SET task = %s || split_part(task, '.', %s) WHERE task LIKE %s"
FORWARD = [(RENAME, ["legalqa.training.tasks.", 3, "judging.tasks.%"])]
BACKWARD = [(RENAME, ["judging.tasks.", 4, "legalqa.training.tasks.%"])]


class Migration(migrations.Migration):
    dependencies = [("jobs", "0003_day_use_lanes")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
