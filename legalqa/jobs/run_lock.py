"""One `up` per data folder: a lock that the kernel drops when its holder dies, and a note of who holds it."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import IO

from legalqa.common.errors import Conflict


@dataclass(frozen=True, slots=True)
class Running:
    """The `up` that holds the lock; `url` is empty until its pages answer, until then `stage` says what it is doing."""

    pid: int
    url: str = ""
    stage: str = ""


@contextmanager
def run_lock(var: Path) -> Iterator[None]:
    """Hold the lock of `var` for the block.

    Raises:
        Conflict: another process holds it.
    """
    folder = _folder(var)
    with (folder / "up.lock").open("a") as lock:
        if not _locked(lock):
            running = run_state(var)
            where = f" at {running.url}" if running and running.url else ""
            raise Conflict(
                f"LegalQA already uses {var}{where}. Stop it with `manage.py down` first, "
                "or set LEGALQA_VAR to another folder.",
                code="already_running",
            )
        run_note(var)
        try:
            yield
        finally:
            (folder / "up.json").unlink(missing_ok=True)


def _locked(lock: IO[str]) -> bool:
    """Take the lock, trying for a second, because `run_state` holds it for a moment while it looks."""
    deadline = monotonic() + 1
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() > deadline:
                return False
            sleep(0.02)
        else:
            return True


def run_note(var: Path, *, url: str = "", stage: str = "") -> None:
    """Note who holds the lock and its progress; written completely or not at all, as others may read it at any time."""
    file = _folder(var) / "up.json"
    half = file.with_suffix(".new")
    half.write_text(json.dumps(asdict(Running(os.getpid(), url, stage))))
    half.replace(file)


def run_state(var: Path) -> Running | None:
    """The `up` that runs on `var`, if there is one."""
    folder = _folder(var)
    with (folder / "up.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return None
        except BlockingIOError:
            try:
                return Running(**json.loads((folder / "up.json").read_text()))
            except FileNotFoundError:
                return Running(0)  # it has the lock and is about to write its note, or to end


def wait_until_free(var: Path, *, wait_s: float) -> bool:
    """Wait for the holder to end; False if it still runs after `wait_s` seconds."""
    deadline = monotonic() + wait_s
    while run_state(var) is not None:
        if monotonic() > deadline:
            return False
        sleep(0.1)
    return True


def restore_begun(var: Path, *, archive: str) -> None:
    """Note the archive (its SHA-256) from which the data of `var` are being replaced."""
    _restoring(var).write_text(archive)


def restore_ended(var: Path) -> None:
    _restoring(var).unlink(missing_ok=True)


def restore_unfinished(var: Path) -> str:
    """The archive of a restore that was killed before it finished, else "": rows may be there without their keys."""
    file = _restoring(var)
    return file.read_text() if file.exists() else ""


def _restoring(var: Path) -> Path:
    return _folder(var) / "restore.unfinished"


def _folder(var: Path) -> Path:
    folder = var / "run"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
