"""The supervisor's round goes on whatever fails in it."""

import errno
import logging
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from legalqa.common.errors import ApplicationError
from legalqa.common.logs import SharedFileHandler
from legalqa.jobs.processes import LISTENER
from legalqa.jobs.supervisor import Address, Supervisor

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Kept:
    """A child process as the supervisor sees it, which starts or cannot."""

    def __init__(self, name: str, error: Exception | None = None) -> None:
        self.name, self.error, self.starts, self.deaths = name, error, 0, 0

    def has_died(self) -> bool:
        return False

    def is_due(self) -> bool:
        return self.starts == 0

    def start(self) -> None:
        if self.error is not None:
            raise self.error
        self.starts += 1


@pytest.fixture
def supervisor(monkeypatch: pytest.MonkeyPatch) -> Supervisor:
    made = Supervisor(Address("127.0.0.1", 8000), workers=1, announce=print)
    monkeypatch.setattr(made, "_is_ready", True)
    monkeypatch.setattr(made, "_keep_books", lambda: None)
    return made


def test_a_process_that_cannot_be_started_does_not_keep_the_others_from_starting(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    children = (Kept("encoder", FULL), Kept("web"), Kept("worker"))
    monkeypatch.setattr(supervisor, "_children", children)
    supervisor._tick()
    assert [child.starts for child in children] == [0, 1, 1]
    children[0].error = None
    supervisor._tick()
    assert [child.starts for child in children] == [1, 1, 1]


@pytest.mark.parametrize("error", [FULL, RuntimeError("x"), MemoryError(), ApplicationError("x")], ids=repr)
def test_no_fault_of_a_round_ends_it(supervisor: Supervisor, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(supervisor, "_children", ())
    monkeypatch.setattr(supervisor, "_keep_books", fail)
    for _ in range(3):
        supervisor._tick()


def test_a_web_process_that_never_answers_still_ends_the_start(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "_is_ready", False)
    monkeypatch.setattr(supervisor, "_children", ())
    monkeypatch.setattr(supervisor._webs[0], "deaths", 3)
    with pytest.raises(ApplicationError, match="before it answered"):
        supervisor._tick()


def test_all_web_processes_are_given_the_same_socket(settings: Settings) -> None:
    settings.WEB_PROCESSES = 3
    made = Supervisor(Address("127.0.0.1", 8000), workers=1, announce=print)
    with Address("127.0.0.1", 0).bound() as listener:
        for web in made._webs:
            web.shares(listener)
        numbers = [web._environment[LISTENER] for web in made._webs]
        assert numbers == [str(listener.fileno())] * 3


@pytest.mark.parametrize("is_there", [False, True])
def test_the_folder_of_documents_is_closed_to_others_before_anything_runs(
    is_there: bool, settings: Settings, tmp_path: Path
) -> None:
    settings.VAR, settings.FILES_ROOT = tmp_path, tmp_path / "files"
    if is_there:
        (tmp_path / "files").mkdir()
        (tmp_path / "files").chmod(0o755)
    with Address("127.0.0.1", 0).bound() as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ApplicationError, match="in use"):
            Supervisor(Address("127.0.0.1", port), workers=1, announce=print).run()

    assert (tmp_path / "files").stat().st_mode & 0o777 == 0o700


class FullFile:
    """Standard error as a file on a full disk."""

    def write(self, _text: str) -> None:
        raise FULL

    def flush(self) -> None:
        raise FULL


def test_a_log_that_cannot_be_written_and_cannot_say_so_is_left_alone(
    supervisor: Supervisor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_: Any) -> int:
        raise FULL

    handler = SharedFileHandler(tmp_path / "log.jsonl", 10_000)
    logger = logging.getLogger("legalqa.jobs.supervisor")
    logger.addHandler(handler)
    monkeypatch.setattr("legalqa.common.logs.os.write", full)
    monkeypatch.setattr(sys, "stderr", FullFile())
    monkeypatch.setattr(supervisor, "_children", (Kept("web", FULL),))
    try:
        supervisor._tick()
    finally:
        logger.removeHandler(handler)
        handler.close()
    assert (tmp_path / "log.jsonl").read_text() == ""
