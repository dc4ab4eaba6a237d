"""Run a program under limits and say how it ended."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from corpora.parsers.limits import Limits

_LAUNCHER = Path(__file__).with_name("launch.py")
POLL_SECONDS = 0.02
_LOG_TAIL = 4_000  # last bytes of a child's log that are read


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended.

    Attributes:
        reason: "" if it ended well; else a code of `reasons.REASONS`: memory, cpu, timeout, too_many_characters (wrote
            more than allowed), crashed, cancelled.
        returncode: As subprocess gives it: negative for a signal.
        log: The last characters of what it wrote on its standard output and error, for operators only.
    """

    reason: str
    returncode: int
    log: str


def run_limited(
    argv: Sequence[str],
    limits: Limits,
    *,
    stdin: bytes = b"",
    pass_fds: tuple[int, ...] = (),
    should_stop: Callable[[], bool] | None = None,
) -> Outcome:
    """Run a program in its own session, with an empty environment and hard limits.

    Rule: memory, processor time, file size, open files and core dumps are limited by the kernel; past the wall
    clock, on cancel, and at the end the whole process group is killed. The program dies with this process.

    Args:
        argv: Program (absolute path) and arguments; never a secret.
        limits: Which limits.
        stdin: What it reads; closed after that.
        pass_fds: Descriptors that it may use.
        should_stop: Asked about fifty times a second; True kills the run.

    Returns:
        The outcome.
    """
    deadline = time.monotonic() + limits.wall_seconds
    with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as feed:
        feed.write(stdin)
        feed.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_LAUNCHER), json.dumps(limits.spec() | {"parent": os.getpid()}), *argv],
            stdin=feed,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={},
            cwd="/",
            start_new_session=True,
            pass_fds=pass_fds,
        )
        try:
            stopped = _wait(process, deadline, should_stop)
        finally:
            _kill_group(process)
        return outcome_of(stopped, process.returncode, log, limits)


def outcome_of(stopped: str, returncode: int, log: IO[bytes], limits: Limits) -> Outcome:
    """How a run ended.

    Args:
        stopped: Why it was stopped, if it was.
        returncode: As subprocess gives it.
        log: What it wrote. Where that is as much as it may, there was no room for the traceback that would say so.
        limits: How much it might write.
    """
    size = log.seek(0, os.SEEK_END)
    log.seek(max(0, size - _LOG_TAIL))
    tail = log.read().decode("utf-8", "replace")
    return Outcome(stopped or _reason(returncode, tail, output_full=size >= limits.output_bytes), returncode, tail)


def _wait(process: subprocess.Popen[bytes], deadline: float, should_stop: Callable[[], bool] | None) -> str:
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=POLL_SECONDS)
            return ""
        if time.monotonic() >= deadline:
            return "timeout"
        if should_stop is not None and should_stop():
            return "cancelled"


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the group, also after a good end: a grandchild must not outlive the run."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _reason(returncode: int, log: str, *, output_full: bool) -> str:
    if returncode == 0:
        return ""
    if returncode == -signal.SIGXCPU:
        return "cpu"
    if output_full or returncode == -signal.SIGXFSZ or "File too large" in log:
        return "too_many_characters"
    if returncode == -signal.SIGKILL or "MemoryError" in log or "std::bad_alloc" in log:
        return "memory"  # nobody but the kernel's out-of-memory killer sends SIGKILL before the wall clock does
    return "crashed"
