"""Named points at which a test may kill this process: how we prove that nothing is lost or doubled.

Outside tests the environment variable is absent and a point costs one dictionary lookup.
"""

import os
import signal
from pathlib import Path
from threading import get_native_id
from time import monotonic, sleep

from legalqa.env import env_str

HELD_MAX_S = 60.0  # seconds; the test that holds a process has ended by then


def crash_point(name: str) -> None:
    """Kill -9 this process once, if LEGALQA_CRASH is `name:marker file` and the marker does not exist yet.

    `@file` reads that from a file at each point, so that a running product can be told; with several lines there, each
    stops the first process that comes to its point. With `:hold` behind the marker the process is not killed but stops
    until `marker.go` exists: somebody kills others meanwhile.
    """
    plan = env_str("LEGALQA_CRASH")  # at each point: a test may plan the crash of a process that already runs
    if not plan:
        return
    for line in _lines(plan):
        point, _, rest = line.partition(":")
        marker, _, how = rest.partition(":")
        if point == name and _was_first(Path(marker)):
            _stop(Path(marker), how)
            return


def _lines(plan: str) -> list[str]:
    if not plan.startswith("@"):
        return [plan]
    try:
        return Path(plan[1:]).read_text().splitlines()
    except FileNotFoundError:
        return []  # nothing is planned, or not any more


def _was_first(marker: Path) -> bool:
    """Leave our number in the marker, unless another process was here before; whole or not at all."""
    if marker.exists():
        return False
    ours = Path(f"{marker}.{os.getpid()}.{get_native_id()}")
    ours.write_text(str(os.getpid()))
    try:
        marker.hardlink_to(ours)
    except FileExistsError:
        return False
    finally:
        ours.unlink()
    return True


def _stop(marker: Path, how: str) -> None:
    if how != "hold":
        os.kill(os.getpid(), signal.SIGKILL)
    deadline = monotonic() + HELD_MAX_S
    while not Path(f"{marker}.go").exists() and monotonic() < deadline:
        sleep(0.01)
