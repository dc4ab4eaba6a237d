"""The program that reads files: it has the libraries loaded and forks a process without rights for each file.

Started only by `client.py`, as `python -I server.py SOCKET_FD PARENT_PID`. It never looks at a file itself, so that all
files of a worker may come from one server: what a file does to its process dies with that process. A file then costs
some hundredths of a second instead of half a second for an interpreter and its libraries.
"""

import gc
import json
import os
import select
import signal
import socket
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # isolated mode leaves the project off the path
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each thread reserves address space, which is limited

from corpora.parsers.child import file_read, libraries_load
from corpora.parsers.launch import limits_set

MESSAGE = 4_096  # bytes of a message at most
N_FILES = 4  # descriptors that come with a request: the file, the answer, the order, the log
STOP = b"stop"
LOOK_S = 0.5  # a server whose parent is gone ends that much later at most


def main() -> None:
    own, parent = socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2])
    libraries_load()
    gc.freeze()  # what is loaded stays: no child needs to look through it
    while _is_readable(own, parent):
        message, files, _, _ = socket.recv_fds(own, MESSAGE, N_FILES)
        if not message:
            return
        if message != STOP:  # else the file was done when its client lost patience
            reply = _read(own, parent, json.loads(message), files)
            with suppress(BrokenPipeError):  # the client is gone
                own.send(json.dumps(reply).encode())


def _is_readable(own: socket.socket, parent: int, *others: int) -> bool:
    """Wait until a descriptor can be read; False where the parent is gone."""
    while os.getppid() == parent:
        if select.select([own.fileno(), *others], [], [], LOOK_S)[0]:
            return True
    return False


def _read(own: socket.socket, parent: int, spec: dict[str, Any], files: list[int]) -> dict[str, float]:
    """Read a file in a process of its own; how it ended, and the processor time that it took, s."""
    spec |= {"parent": os.getpid()}  # before the fork: a child whose server is gone must not read on
    alive, held = os.pipe()  # the child holds one end: the other can be read once it is gone
    child = os.fork()
    if child == 0:
        own.close()
        os.close(alive)
        _become_reader(spec, *files)
    for descriptor in (held, *files):
        os.close(descriptor)
    _is_readable(own, parent, alive)  # the file is done, or the client says stop, or is gone
    os.close(alive)
    for kill in (os.killpg, os.kill):  # it may not have come to have a group of its own
        with suppress(ProcessLookupError):
            kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    return {"returncode": os.waitstatus_to_exitcode(status), "processor_s": usage.ru_utime + usage.ru_stime}


def _become_reader(spec: dict[str, int], source: int, answer: int, order: int, log: int) -> None:
    """Read the file and end, whatever happens."""
    code = 1
    try:
        os.setsid()
        for descriptor in (1, 2):
            os.dup2(log, descriptor)
        with os.fdopen(order, "rb") as file:
            what = json.loads(file.read())
        limits_set(spec)
        file_read(source, answer, what)
        code = 0
    except BaseException:  # noqa: BLE001 - nothing may go back to the server's loop
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
