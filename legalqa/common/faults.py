"""Named points at which a test may kill this process: how we prove that nothing is lost or doubled.

Outside tests the environment variable is absent and a point costs one dictionary lookup.
"""

import os
import signal
from pathlib import Path

CRASH_POINTS = (
    "upload.received",
    "upload.stored",
    "upload.recorded",
    "job.claimed",
    "parse.before",
    "parse.after",
    "parse.stored",
    "chunk.before",
    "chunk.stored",
    "embed.before",
    "embed.encoded",
    "embed.stored",
    "publish.before",
    "publish.done",
    "job.finished",
)


def crash_point(name: str) -> None:
    """Kill -9 this process once, if LEGALQA_CRASH is `name:marker file` and the marker does not exist yet."""
    wanted = os.environ.get("LEGALQA_CRASH")
    if wanted is None:
        return
    point, _, marker = wanted.partition(":")
    if point != name or Path(marker).exists():
        return
    Path(marker).touch()
    os.kill(os.getpid(), signal.SIGKILL)
