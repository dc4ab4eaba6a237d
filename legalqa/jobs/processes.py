"""Child processes that run in groups of their own, end as groups and never outlive the process that started them."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import psutil
from django.conf import settings

from legalqa.env import env_str

# In the environment of everything that `up` starts, with its data folder as the value: by it the next `up` tells its
# own leftovers from other processes. A process id in a file could not: ids are reused.
MARK = "LEGALQA_UP"
PARENT = "LEGALQA_UP_PARENT"
LISTENER = "LEGALQA_UP_LISTENER"  # the number of the socket that web processes share
BACKOFF_MAX_S = 30.0
STEADY_S = 60.0  # a child that lived this long starts again without delay
_PR_SET_PDEATHSIG = 1


def command_line(*arguments: str) -> list[str]:
    """How another process of LegalQA is started, from a checkout or as an installed package."""
    # -P: nothing may be imported from the current folder.
    program = ["-P", "-m", "legalqa"] if settings.IS_INSTALLED else [str(settings.BASE_DIR / "manage.py")]
    return [sys.executable, *program, *arguments]


class Child:
    """One of our commands, kept running; it leads a process group, and the group ends with it."""

    def __init__(self, name: str, *arguments: str, mark: str, environment: dict[str, str]) -> None:
        self.name = name
        self.deaths = 0  # in a row, each soon after its start
        self.started_at = 0.0
        self._shared: socket.socket | None = None
        self._command = command_line(*arguments)
        self._environment = os.environ | environment | {MARK: mark, PARENT: str(os.getpid())}
        self._process: subprocess.Popen[bytes] | None = None
        self._start_at = 0.0

    @property
    def is_running(self) -> bool:
        return self._process is not None

    @property
    def age_s(self) -> float:
        return monotonic() - self.started_at if self.is_running else 0.0

    def shares(self, listener: socket.socket) -> None:
        """Pass it a bound socket at every start; LISTENER in its environment has the socket's number."""
        self._shared = listener
        self._environment[LISTENER] = str(listener.fileno())

    def start(self) -> None:
        self._process = subprocess.Popen(
            self._command,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=() if self._shared is None else (self._shared.fileno(),),
        )
        self.started_at = monotonic()

    def has_died(self) -> bool:
        """Whether the leader has ended; if so, the rest of its group is killed and the next start is scheduled."""
        if self._process is None or not _is_dead(self._process.pid):
            return False
        lived = self.age_s
        self.kill()
        self.deaths = 0 if lived > STEADY_S else self.deaths + 1
        self._start_at = monotonic() + backoff_s(self.deaths)
        return True

    def is_due(self) -> bool:
        return self._process is None and monotonic() >= self._start_at

    def ask_to_end(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def wait(self, *, until: Callable[[], bool]) -> None:
        """Wait for the leader to end, or for `until`; then kill whatever is left of the group."""
        while self._process is not None and not _is_dead(self._process.pid) and not until():
            sleep(0.05)
        self.kill()

    def kill(self) -> None:
        """Kill the whole group at once; the sweeper finds the work that was in progress."""
        if self._process is None:
            return
        # Before the leader is reaped: until then no other process can get its id.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None


def backoff_s(n_deaths: int) -> float:
    """Seconds to wait before the next start: 0 after the first death in a row, then longer, up to BACKOFF_MAX_S."""
    return 0.0 if n_deaths <= 1 else min(BACKOFF_MAX_S, 2.0 ** (n_deaths - 2))


def _is_dead(pid: int) -> bool:
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def die_with_parent() -> None:
    """End this process when its parent ends, in whatever way; at once if the parent has already ended.

    Only Linux offers this. Elsewhere the next `up` removes what a killed one left behind.
    """
    _die_with(int(env_str(PARENT) or os.getppid()))


def shared_listener() -> socket.socket:
    """The bound socket that `Child.shares` passed to this process."""
    return socket.socket(fileno=int(env_str(LISTENER)))


def descendants_die_with_parents() -> None:
    """Make every process forked from now on die with its parent: a killed django-q2 would leave its workers running."""
    parent = os.getpid()

    def remember() -> None:
        nonlocal parent
        parent = os.getpid()

    os.register_at_fork(before=remember, after_in_child=lambda: _die_with(parent))


def dying_with_this_process() -> Callable[[], None]:
    """For `preexec_fn`: the child is killed when this process ends, in whatever way."""
    parent = os.getpid()
    return lambda: _die_with(parent)


def _die_with(parent: int) -> None:
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before we could ask
        os._exit(1)


def end_leftovers(mark: str) -> int:
    """Kill what an earlier `up` on the same data left behind; returns how many processes."""
    own = {os.getpid(), *(parent.pid for parent in psutil.Process().parents())}
    leftovers = [process for process in psutil.process_iter() if process.pid not in own and _is_marked(process, mark)]
    for process in leftovers:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(leftovers, timeout=5)
    return len(leftovers)


def memory_mb(mark: str, *, database: int | None) -> float:
    """Memory of all our processes and of the embedded database, in MB, shared pages counted once (PSS).

    Args:
        mark: As in `end_leftovers`.
        database: Process id of the database's first process; None if it is not ours.
    """
    processes = [process for process in psutil.process_iter() if _is_marked(process, mark)]
    if database is not None and psutil.pid_exists(database):
        first = psutil.Process(database)
        processes += [first, *first.children(recursive=True)]
    return pss_mb(processes)


def pss_mb(processes: Iterable[psutil.Process]) -> float:
    """Memory of some processes in MB, shared pages counted once (PSS); ended processes count 0."""
    total = 0
    for process in processes:
        with suppress(psutil.Error):
            total += process.memory_full_info().pss
    return total / 1e6


def _is_marked(process: psutil.Process, mark: str) -> bool:
    try:
        return bool(process.environ().get(MARK) == mark)
    except psutil.Error:
        return False  # another user's, or ended


def log_tail(file: Path, *, n_lines: int = 20) -> str:
    lines = file.read_text(errors="replace").splitlines() if file.exists() else []
    return "\n".join(lines[-n_lines:])
