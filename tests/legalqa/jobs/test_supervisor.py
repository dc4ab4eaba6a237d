"""The supervisor's round goes on whatever fails in it."""

import errno
import logging
import os
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any, cast

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


class Looking(Supervisor):
    """A supervisor over children of our own, with books that are kept as the test says: no database is asked."""

    def __init__(
        self, children: Sequence[Kept] = (), *, books: Callable[[], None] = lambda: None, is_ready: bool = True
    ) -> None:
        super().__init__(Address("127.0.0.1", 8000), workers=1, announce=print)
        self._children, self._is_ready, self._books = cast(Any, tuple(children)), is_ready, books

    def _keep_books(self) -> None:
        self._books()


def test_a_process_that_cannot_be_started_does_not_keep_the_others_from_starting() -> None:
    children = (Kept("encoder", FULL), Kept("web"), Kept("worker"))
    supervisor = Looking(children)
    supervisor._tick()
    assert [child.starts for child in children] == [0, 1, 1]
    children[0].error = None
    supervisor._tick()
    assert [child.starts for child in children] == [1, 1, 1]


@pytest.mark.parametrize("error", [FULL, RuntimeError("x"), MemoryError(), ApplicationError("x")], ids=repr)
def test_no_fault_of_a_round_ends_it(error: Exception) -> None:
    tried: list[Exception] = []

    def fail() -> None:
        tried.append(error)
        raise error

    supervisor = Looking(books=fail)
    for _ in range(3):
        supervisor._tick()
    assert tried == [error] * 3


@pytest.mark.parametrize("name", ["encoder", "web 1"])
def test_a_process_that_ends_again_and_again_ends_the_start(name: str) -> None:
    supervisor = Looking(is_ready=False)
    next(child for child in (supervisor._encoder, *supervisor._webs) if child.name == name).deaths = 3
    with pytest.raises(ApplicationError, match=f"“{name}” ended 3 times before the pages answered"):
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

    n_tried = 0

    def write(self, _text: str) -> None:
        self.n_tried += 1
        raise FULL

    def flush(self) -> None:
        raise FULL


def test_a_log_that_cannot_be_written_and_cannot_say_so_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").symlink_to("/dev/full")  # the kernel's own file on a full disk
    child = Kept("web", FULL)
    handler = SharedFileHandler(tmp_path / "log.jsonl", 10_000)
    logger = logging.getLogger("legalqa.jobs.supervisor")
    logger.addHandler(handler)
    stderr = FullFile()
    try:
        with redirect_stderr(cast(Any, stderr)):
            Looking([child])._tick()
    finally:
        logger.removeHandler(handler)
        handler.close()
    assert stderr.n_tried > 0
    child.error = None
    Looking([child])._tick()
    assert child.starts == 1
