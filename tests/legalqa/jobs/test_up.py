"""`up --detach`: what it writes is for nobody but the user who runs it."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings


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
