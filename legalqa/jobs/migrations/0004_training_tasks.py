"""Trainings have a room of their own; jobs that wait or are kept name their tasks by it."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F, Value
from django.db.models.functions import Replace

OLD, NEW = "judging.tasks.", "legalqa.training.tasks."


def rename(old: str, new: str):
    def run(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
        jobs = apps.get_model("jobs", "Job").objects.filter(task__startswith=old)
        jobs.update(task=Replace(F("task"), Value(old), Value(new)))

    return run


class Migration(migrations.Migration):
    dependencies = [("jobs", "0003_day_use_lanes")]

    operations = [migrations.RunPython(rename(OLD, NEW), rename(NEW, OLD))]
