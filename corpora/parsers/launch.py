"""Set limits on this process, then become the program given: `python -I -S launch.py SPEC PROGRAM ARGUMENT...`.

Runs alone, before any import of the project: the limits must be before the first line of other code. A function run
between fork and exec in the parent would do the same, but can hang when the parent has threads. `server.py`, which has
none, sets the same limits in the processes that it forks.
"""

import ctypes
import json
import os
import resource
import signal
import sys
from collections.abc import Mapping

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
CLONE_NEWUSER, CLONE_NEWIPC, CLONE_NEWNET = 0x10000000, 0x08000000, 0x40000000


def main() -> None:
    limits_set(json.loads(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])  # noqa: S606 - the program is given by run_limited, never by a user


def limits_set(spec: Mapping[str, int]) -> None:
    """Limit this process for good: no network, dies with its parent, bounds on memory, time, output and open files."""
    libc = ctypes.CDLL(None, use_errno=True)
    network_leave(libc)
    libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != spec["parent"]:
        os._exit(1)  # the parent died before the line above could take effect
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (spec["memory"], spec["memory"]))
    resource.setrlimit(resource.RLIMIT_CPU, (spec["cpu"], spec["cpu"] + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (spec["output"], spec["output"]))
    resource.setrlimit(resource.RLIMIT_NOFILE, (spec["files"], spec["files"]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def network_leave(libc: ctypes.CDLL) -> None:
    """Go to a network without a way out; an ordinary user may make one together with a space of users of its own."""
    libc.unshare(CLONE_NEWNET | CLONE_NEWIPC | (CLONE_NEWUSER if os.geteuid() else 0))


if __name__ == "__main__":
    main()
