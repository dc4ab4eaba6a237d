"""A writer to the database as the application's role does not get the worker to run what he likes."""

import base64
import os
import pickle
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import ProgrammingError, connection, transaction
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.conf import Conf
from django_q.models import OrmQ
from django_q.signing import SignedPackage
from django_q.tasks import async_task

from legalqa.jobs.services import job_create
from legalqa.jobs.turns import job_next
from tests.people import Firm

pytestmark = pytest.mark.django_db


class MakesFolder:
    """Unpickled, it makes a folder: harmless, and seen."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.folder),)


def delivered() -> list[str]:
    """What the worker would be given, by name."""
    return [SignedPackage.loads(package)["func"] for _, package in get_broker().dequeue() or ()]


SCHEDULED = """
    INSERT INTO django_q_schedule (name, func, args, schedule_type, repeats, next_run)
    VALUES ('x', 'os.system', '("id > /tmp/pwned",)', 'O', -1, now())
"""
PICKLED = """
    INSERT INTO django_q_task (id, name, func, args, started, stopped, success, attempt_count)
    VALUES ('x', 'x', 'x', 'gASVAAAA', now(), now(), false, 1)
"""
HOOKED = "UPDATE django_q_task SET hook = 'os.system'"
READ = ("SELECT * FROM django_q_schedule", "SELECT * FROM django_q_task")


@pytest.mark.parametrize("statement", [SCHEDULED, PICKLED, HOOKED, *READ])
def test_the_tables_of_schedules_and_results_are_closed_to_the_application(statement: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        connection.cursor().execute(statement)


def test_nobody_looks_at_schedules() -> None:
    assert Conf.SCHEDULER is False


def test_a_delivery_that_we_did_not_sign_is_thrown_away_and_not_unpickled(tmp_path: Path) -> None:
    folder = tmp_path / "made by a pickle"
    payload = base64.urlsafe_b64encode(pickle.dumps(MakesFolder(folder))).decode()
    for signature in ("", ":1wXyZ", ":1wXyZ:c2lnbmVk"):
        OrmQ.objects.create(key="long", payload=payload + signature, lock=timezone.now())
        assert delivered() == []
    assert not folder.exists()
    assert OrmQ.objects.count() == 0


def test_a_row_of_the_ledger_that_names_a_strangers_function_is_never_worked_on(firm: Firm) -> None:
    job_create(organization=firm.organization, task="os.system", subject_id=uuid4(), user=None)
    assert job_next() is None


def test_a_signed_delivery_that_names_a_strangers_function_is_thrown_away() -> None:
    async_task("os.system", "true")
    assert OrmQ.objects.count() == 1
    assert delivered() == []
    assert OrmQ.objects.count() == 0


def test_what_we_ring_for_is_delivered(firm: Firm) -> None:
    job_create(organization=firm.organization, task="corpora.tasks.document_ingest", subject_id=uuid4(), user=None)
    assert delivered() == ["legalqa.jobs.tasks.job_work"]


def test_the_outcome_of_a_task_stays_in_memory(firm: Firm) -> None:
    async_task("legalqa.jobs.tasks.heartbeat_write")
    [row] = OrmQ.objects.all()
    assert SignedPackage.loads(row.payload)["cached"] == 60
