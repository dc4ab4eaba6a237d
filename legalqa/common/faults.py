"""Named points at which a test may kill this process: how we prove that nothing is lost or doubled.

Outside tests the environment variable is absent and a point costs one dictionary lookup.
"""

import os
import signal
from pathlib import Path
from time import monotonic, sleep

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

REINDEX_CRASH_POINTS = (
    "reindex.chunked",
    "reindex.embedded",
    "reindex.before_switch",
    "reindex.switched",
    "reindex.removed",
)

SCAN_CRASH_POINTS = ("recognise.before", "recognise.stored")
"""Only documents with scanned pages pass through these."""

CONTAINER_CRASH_POINTS = ("member.stored",)
"""Only archives and e-mails pass through these."""


HELD_MAX_S = 30.0  # who holds a process here has gone if it takes longer

WEBHOOK_CRASH_POINTS = ("webhook.counted", "webhook.sent")


def crash_point(name: str) -> None:
    """Kill -9 this process once, if LEGALQA_CRASH is `name:marker file` and the marker does not exist yet.

    `@file` reads that from a file at each point, so that a running product can be told. With `:hold` behind the marker
    the process is not killed but stands still until `marker.go` exists: somebody kills others meanwhile.
    """
    wanted = os.environ.get("LEGALQA_CRASH")
    if wanted is None:
        return
    if wanted.startswith("@"):
        plan = Path(wanted[1:])
        wanted = plan.read_text() if plan.exists() else ""
    point, _, rest = wanted.partition(":")
    marker, _, how = rest.partition(":")
    if point != name or Path(marker).exists():
        return
    Path(marker).write_text(str(os.getpid()))
    if how != "hold":
        os.kill(os.getpid(), signal.SIGKILL)
    deadline = monotonic() + HELD_MAX_S
    while not Path(f"{marker}.go").exists() and monotonic() < deadline:
        sleep(0.01)
