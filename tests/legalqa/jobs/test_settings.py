"""Settings of the queue that must fit each other, and tasks named by strings that must exist."""

import math
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils.module_loading import import_string

PACKAGES = ("legalqa", "corpora", "retrieval", "judging")
QUEUE: dict[str, Any] = settings.Q_CLUSTER
TASK = re.compile(rf'"((?:{"|".join(PACKAGES)})[a-z_.]*\.tasks\.[a-z_]+)"')


def task_names() -> list[str]:
    files = (file for package in PACKAGES for file in (settings.BASE_DIR / package).rglob("*.py"))
    sources = [file.read_text() for file in files if "migrations" not in file.parts]  # these name former tasks, too
    return sorted({name for source in sources for name in TASK.findall(source)})


def test_a_delivery_is_not_repeated_while_the_first_may_still_run() -> None:
    waits = 1 + math.ceil((QUEUE["queue_limit"] + 1) / QUEUE["workers"])
    assert QUEUE["retry"] >= QUEUE["timeout"] * waits + 60


def test_the_ledger_decides_about_retries_and_not_the_queue() -> None:
    assert QUEUE["ack_failures"] is True
    assert QUEUE["max_attempts"] == 1
    assert QUEUE["save_limit"] == -1, "results would be kept as pickles"
    assert QUEUE["cached"], "failures would be kept as pickles"


def test_a_slice_ends_long_before_the_queue_would_kill_it() -> None:
    assert QUEUE["timeout"] >= 5 * settings.JOB_SLICE_S


def test_the_longest_reading_of_a_file_ends_before_the_queue_would_kill_it() -> None:
    assert QUEUE["timeout"] > 1.5 * settings.PARSE_SECONDS + settings.JOB_SLICE_S


def test_the_names_of_tasks_are_found() -> None:
    assert "corpora.tasks.document_ingest" in task_names()
    assert set(settings.PERIODIC_TASKS) <= set(task_names())


@pytest.mark.parametrize("name", task_names())
def test_every_task_that_is_named_exists(name: str) -> None:
    assert callable(import_string(name))


def test_the_supervisor_imports_nothing_of_the_apps_above_it() -> None:
    source = "".join(file.read_text() for file in (Path(settings.BASE_DIR) / "legalqa" / "jobs").rglob("*.py"))
    assert not re.search(r"^\s*(?:from|import) (?:corpora|retrieval|judging|legalqa\.llm)", source, re.MULTILINE)


def test_the_queue_takes_the_tasks_that_our_code_names_and_no_others() -> None:
    on_failure = {kind.on_failure for kind in settings.JOB_TASKS.values() if kind.on_failure}
    assert set(task_names()) == settings.TASKS | set(settings.JOB_TASKS) | on_failure
