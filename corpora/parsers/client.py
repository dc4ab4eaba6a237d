"""Asking a server to read a file, and reporting how that ended."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path

from corpora.parsers.confined import POLL_SECONDS, Outcome, outcome_of
from corpora.parsers.limits import Limits
from corpora.parsers.server import MESSAGE, STOP
from legalqa.common.processor import elsewhere_add

GRACE_S = 5.0  # how long a server may take to stop
_FAULTS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL)
_SERVER = Path(__file__).with_name("server.py")


class Server:
    """A server of this thread, started with the first file."""

    def __init__(self) -> None:
        ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its:
            self.process = subprocess.Popen(
                [sys.executable, "-I", str(_SERVER), str(its.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={},
                cwd="/",
                start_new_session=True,
                pass_fds=(its.fileno(),),
            )
        self.socket = ours
        self._spent = [0.0]  # processor time of what it read, s
        self.end = weakref.finalize(self, _end, self.process, ours, os.getpid(), self._spent)

    def read(
        self, spec: dict[str, int], files: list[int], deadline: float, should_stop: Callable[[], bool] | None
    ) -> tuple[str, int]:
        """Why reading was stopped, or "", and the exit code of the process that read.

        Raises:
            ConnectionError: the server is gone.
            TimeoutError: it was told to stop and does not; why it was told.
        """
        socket.send_fds(self.socket, [json.dumps(spec).encode()], files)
        stopped = ""
        while not select.select([self.socket], [], [], POLL_SECONDS)[0]:
            if time.monotonic() >= deadline:
                stopped = "timeout"
            elif should_stop is not None and should_stop():
                stopped = "cancelled"
            if stopped:
                self.socket.send(STOP)
                if not select.select([self.socket], [], [], GRACE_S)[0]:
                    raise TimeoutError(stopped)
                break
        reply = self.socket.recv(MESSAGE)
        if not reply:
            raise ConnectionResetError("the server of readers is gone")
        said = json.loads(reply)
        self._spent[0] += said["processor_s"]
        elsewhere_add(said["processor_s"])
        return stopped, int(said["returncode"])


def _end(process: "subprocess.Popen[bytes]", ours: socket.socket, owner: int, spent: list[float]) -> None:
    """End a server, and the process that reads for it; called once."""
    ours.close()
    if os.getpid() != owner:  # a fork of the owner has a copy of all this
        return
    try:
        process.wait(GRACE_S)  # it waits for the process that reads, whose time is then counted
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    elsewhere_add(-spent[0])  # now the kernel counts it as that of a process of ours that has ended


class _Own(threading.local):
    """The servers of a thread by process: a fork has none of its own yet."""

    def __init__(self) -> None:
        self.servers: dict[int, Server] = {}


_own = _Own()


def _server() -> Server:
    """The server of this thread of this process, another one where that has died."""
    server = _own.servers.get(os.getpid())
    if server is not None and server.process.poll() is not None:
        server.end()
        server = None
    if server is None:
        server = _own.servers[os.getpid()] = Server()
    return server


def run_forked(
    order: bytes, limits: Limits, *, source: int, answer: int, should_stop: Callable[[], bool] | None = None
) -> Outcome:
    """Have a file read in a fresh process, as `run_limited` runs a program: with the same limits and the same end.

    Args:
        order: What the child is told, JSON.
        limits: Which limits.
        source: Descriptor of the file.
        answer: Descriptor that the document is written to.
        should_stop: Asked about fifty times a second; True kills the child.

    Returns:
        The outcome.
    """
    deadline = time.monotonic() + limits.wall_seconds
    with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as feed:
        feed.write(order)
        feed.seek(0)
        files = [source, answer, feed.fileno(), log.fileno()]
        server = _server()
        try:
            stopped, returncode = server.read(limits.spec(), files, deadline, should_stop)
        except ConnectionError:
            server.end()
            stopped, returncode = "crashed", -1
        except TimeoutError as error:
            server.end()
            stopped, returncode = str(error), -signal.SIGKILL
        except BaseException:
            server.end()  # it would report the end of this file as the end of the next one
            raise
        if -returncode in _FAULTS:
            server.end()  # all its processes share one layout of memory, which a hostile file may have begun to learn
        return outcome_of(stopped, returncode, log, limits)
