"""Jobs that wait at an upgrade, or are kept, name their tasks as the code does now."""

from importlib import import_module
from uuid import uuid4

import pytest
from django.db import connection
from django.utils.module_loading import import_string

from legalqa.jobs.models import Job
from tests.people import Firm


@pytest.mark.parametrize(
    "task", ["judging.generation.tasks.generation_work", "judging.cases.tasks.case_evaluation_work"]
)
def test_a_job_of_judging_finds_its_task_after_the_upgrade(firm: Firm, task: str) -> None:
    job = Job.objects.create(organization_id=firm.organization.pk, task=task, subject_id=uuid4())

    with connection.cursor() as cursor:
        for statement, names in import_module("legalqa.jobs.migrations.0009_judging_tasks").FORWARD:
            cursor.execute(statement, names)

    job.refresh_from_db()
    assert job.task.rpartition(".")[2] == task.rpartition(".")[2]
    assert callable(import_string(job.task))
