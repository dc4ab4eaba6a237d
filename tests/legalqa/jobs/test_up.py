"""`up --detach`: its log is for nobody else, and it waits as long as the start gets on."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings

from legalqa.jobs.management.commands import up
from legalqa.jobs.run_lock import run_lock, run_note


class Ended:
    """A process that ended at once."""

    pid = 1

    def __init__(self, *_: Any, stdout: Any, **__: Any) -> None:
        stdout.write(b"No room for it.")
        stdout.flush()

    def poll(self) -> int:
        return 1


@pytest.mark.parametrize("is_there", [False, True])
def test_its_log_is_closed_to_others(
    is_there: bool, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VAR = tmp_path
    log = tmp_path / "log" / "up.log"
    if is_there:
        log.parent.mkdir()
        log.parent.chmod(0o755)
        log.touch()
        log.chmod(0o644)
    monkeypatch.setattr("legalqa.jobs.management.commands.up.subprocess.Popen", Ended)  # a server that does not start
    with pytest.raises(CommandError, match=r"It did not start:\s+No room for it"):
        call_command("up", "--detach")

    assert log.stat().st_mode & 0o777 == 0o600
    assert log.parent.stat().st_mode & 0o777 == 0o700


class Starting:
    """A process that starts as slowly as the test says: at each look a stage, or at last the address."""

    pid = os.getpid()
    is_stopped = False
    notes: Iterator[dict[str, str]] = iter(())

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def poll(self) -> None:
        if note := next(self.notes, None):
            run_note(Path(django_settings.VAR), **note)

    def terminate(self) -> None:
        Starting.is_stopped = True


@pytest.fixture
def minutes(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """A clock on which every look takes 400 seconds; another `up` holds the folder."""
    settings.VAR, clock = tmp_path, [0.0]

    def sleep(_: float) -> None:
        clock[0] += 400.0

    # Quarters of an hour that nobody has to wait for, and a server that starts as a test says.
    monkeypatch.setattr(up, "monotonic", lambda: clock[0])
    monkeypatch.setattr(up, "sleep", sleep)
    monkeypatch.setattr("legalqa.jobs.management.commands.up.subprocess.Popen", Starting)
    with run_lock(tmp_path):
        yield clock


def test_a_start_that_gets_on_is_waited_for_however_long_it_takes(
    minutes: list[float], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stages = [{"stage": "preparing the database"}, {"stage": "building"}, {"stage": "building"}]
    monkeypatch.setattr(Starting, "notes", iter([*stages, {"url": "http://localhost:8123"}]))  # the class is shared
    call_command("up", "--detach")

    said = capsys.readouterr()
    assert "LegalQA answers at http://localhost:8123" in said.out
    assert "still building, for 400 s" in said.err
    assert minutes[0] > up.PATIENCE_S


@pytest.mark.usefixtures("minutes")
def test_a_start_that_gets_no_further_is_given_up_and_says_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Starting, "notes", iter([{"stage": "preparing the database"}]))  # the class is shared
    with pytest.raises(CommandError, match="It was still preparing the database after 15 minutes and was stopped"):
        call_command("up", "--detach")

    assert Starting.is_stopped
