"""`up`: starts everything, keeps it running, sweeps the ledger, and stops it all cleanly."""

import errno
import http.client
import logging
import shutil
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic, sleep

from django.conf import settings
from django.core.management import call_command
from django.db import Error as DatabaseError
from django.db import connection
from django_q.tasks import async_task

from legalqa.common.database.embedded import embedded_home, leave
from legalqa.common.errors import ApplicationError, Conflict
from legalqa.common.private import private_folder
from legalqa.env import env_str
from legalqa.jobs.processes import Child, end_leftovers
from legalqa.jobs.run_lock import restore_unfinished, run_lock, run_note
from legalqa.jobs.services import job_is_stalled
from legalqa.jobs.turns import job_sweep

logger = logging.getLogger(__name__)

TICK_S = 1.0
FROZEN_MAX = 5
START_TRIES = 3  # a process that ends this often before the pages have answered will not start
ENDING_S = 10.0  # time that web and encoder get to end; the worker gets a slice of work on top


@dataclass(frozen=True, slots=True)
class Address:
    """Where the pages are served; `host` may be 0.0.0.0, `url` is the address for a browser on this machine."""

    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://{'localhost' if self.host in ('127.0.0.1', '0.0.0.0') else self.host}:{self.port}"  # noqa: S104 - compared, not bound

    def bound(self) -> socket.socket:
        """The socket from which all web processes accept; nobody can connect before the first of them listens.

        Raises:
            ApplicationError: the address cannot be bound.
        """
        shared = socket.socket(socket.AF_INET6 if ":" in self.host else socket.AF_INET)
        shared.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            shared.bind((self.host, self.port))
        except OSError as error:
            shared.close()
            in_use = error.errno == errno.EADDRINUSE
            why = "is in use by another program" if in_use else f"cannot be used: {error.strerror}"
            raise ApplicationError(
                f"Port {self.port} on {self.host} {why}. Choose another with --port.", code="port_in_use"
            ) from None
        return shared

    def answers(self) -> bool:
        """Whether the sign-in page answers."""
        host = "127.0.0.1" if self.host == "0.0.0.0" else self.host  # noqa: S104 - compared, not bound
        client = http.client.HTTPConnection(host, self.port, timeout=5)
        try:
            client.request("GET", "/sign-in/", headers={"Host": "localhost"})
            return client.getresponse().status < 500
        except (OSError, http.client.HTTPException):
            return False
        finally:
            client.close()


class Supervisor:
    """The processes of one installation: encoder, web, worker; one loop keeps them and the ledger in order."""

    def __init__(self, address: Address, *, workers: int, announce: Callable[[str], None]) -> None:
        self._address, self._announce = address, announce
        self._mark = str(settings.VAR)
        self._temporary = Path(settings.VAR) / "tmp"
        common = {
            "LEGALQA_ENCODER_SERVER": "1",
            "LEGALQA_BASE_URL": env_str("LEGALQA_BASE_URL") or address.url,  # the start of links
            "TMPDIR": str(self._temporary),  # uploads and parsed text pass through it, so others must not read it
        }
        self._encoder = self._child("encoder", "serve_encoder", **common)
        # To multiply small matrices, several threads cost more than they save, and they busy-wait for each other.
        of_web = {"LEGALQA_DATABASE_POOL": "8", "OPENBLAS_NUM_THREADS": "1", **common}
        numbers = range(1, settings.WEB_PROCESSES + 1)
        self._webs = tuple(self._child(f"web {n}", "serve_web", "--shared", **of_web) for n in numbers)
        self._worker = self._child("worker", "serve_worker", LEGALQA_WORKERS=str(workers), **common)
        self._children = (self._encoder, *self._webs, self._worker)
        self._n_asked = 0  # how often a signal has asked us to end
        self._is_ready = False
        self._is_database_down = False
        self._last_fault: type[Exception] | None = None
        self._n_frozen = 0  # restarts of the queue in a row without progress
        self._sweep_at = 0.0
        self._periodic_at = dict.fromkeys(settings.PERIODIC_TASKS, 0.0)

    def _child(self, name: str, *arguments: str, **environment: str) -> Child:
        return Child(name, *arguments, mark=self._mark, environment=environment)

    def run(self) -> None:
        """Start everything and return after SIGINT or SIGTERM, when all of it has ended.

        Raises:
            Conflict: another `up` runs on the same data, or a restore into it was killed.
            ApplicationError: the port is taken, or the web process does not start.
        """
        with run_lock(Path(settings.VAR)):
            _check_is_whole(Path(settings.VAR))
            if leftovers := end_leftovers(self._mark):
                logger.warning("removed %d processes that a killed run had left", leftovers)
            private_folder(Path(settings.FILES_ROOT))
            shutil.rmtree(self._temporary, ignore_errors=True)  # a killed process leaves its temporary files
            self._temporary.mkdir(mode=0o700, parents=True)
            with self._address.bound() as listener:
                self._serve(listener)

    def _serve(self, listener: socket.socket) -> None:
        for web in self._webs:
            web.shares(listener)
        signal.signal(signal.SIGTERM, self._end)
        signal.signal(signal.SIGINT, self._end)
        run_note(Path(settings.VAR), stage="preparing the database")
        call_command("migrate", verbosity=0, interactive=False)
        run_note(Path(settings.VAR), stage="starting the encoder and the pages")
        try:
            while not self._n_asked:
                self._tick()
                sleep(TICK_S if self._is_ready else TICK_S / 5)
        finally:
            self._stop()
            connection.close()
            if settings.EMBEDDED_POSTGRES:
                leave(embedded_home(settings.VAR))  # while we hold the lock: afterwards the folder is quiet

    def _end(self, *_signal: object) -> None:
        self._n_asked += 1

    def _tick(self) -> None:
        """Do each part of the round even if others fail: a full disk, for example, does not hit them all."""
        parts: list[Callable[[], None]] = [partial(_keep_running, child) for child in self._children]
        for part in (*parts, self._look_for_answer, self._keep_books):
            try:
                part()
            except Exception as error:
                if isinstance(error, ApplicationError) and not self._is_ready:
                    raise  # a process does not start at all
                if type(error) is not self._last_fault:
                    logger.exception("a part of the supervisor's round failed; it is tried again every second")
                self._last_fault = type(error)

    def _look_for_answer(self) -> None:
        if self._is_ready:
            return
        for child in (self._encoder, *self._webs):
            if child.deaths >= START_TRIES:
                raise ApplicationError(
                    f"The process “{child.name}” ended {START_TRIES} times before the pages answered; its output above "
                    "says why.",
                    code="does_not_start",
                )
        if _is_listening(settings.ENCODER_SOCKET) and self._address.answers():
            run_note(Path(settings.VAR), url=self._address.url)
            self._is_ready = True
            self._announce(self._address.url)

    def _keep_books(self) -> None:
        """Sweep the ledger, restart a frozen queue, ring for periodic work; if the database is lost, only wait for it.

        Reopening the connection starts an embedded server again.
        """
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            if monotonic() >= self._sweep_at:
                self._sweep_at = monotonic() + settings.JOB_SWEEP_S
                job_sweep()
            self._thaw()
            self._ring_periodic()
        except DatabaseError as error:
            connection.close()
            if not self._is_database_down:
                logger.warning("the database does not answer (%s); waiting for it", type(error).__name__)
            self._is_database_down = True
        else:
            self._is_database_down = False

    def _thaw(self) -> None:
        """Restart a frozen queue; wait twice as long before each further restart.

        On a busy machine a start can take longer than JOB_STALLED_S; the queue would be killed again before it works.
        """
        if self._worker.age_s <= settings.JOB_STALLED_S * 2**self._n_frozen:
            return
        if not job_is_stalled():
            self._n_frozen = 0
            return
        logger.warning("the queue is frozen; restarting its processes")
        self._n_frozen = min(FROZEN_MAX, self._n_frozen + 1)
        self._worker.kill()

    def _ring_periodic(self) -> None:
        for task, every_s in settings.PERIODIC_TASKS.items():
            if monotonic() >= self._periodic_at[task]:
                self._periodic_at[task] = monotonic() + every_s
                async_task(task, task_name=task)

    def _stop(self) -> None:
        """Let the web finish its requests and the worker its slice; end the encoder last, which both may need.

        A second signal ends the wait: the sweeper of the next start finds the work that was interrupted.
        """
        for web in self._webs:
            web.ask_to_end()
        self._worker.ask_to_end()
        until = monotonic() + ENDING_S
        for web in self._webs:
            self._end_by(web, seconds=until - monotonic())
        self._end_by(self._worker, seconds=ENDING_S + settings.JOB_SLICE_S)
        self._encoder.ask_to_end()
        self._end_by(self._encoder, seconds=ENDING_S)

    def _end_by(self, child: Child, *, seconds: float) -> None:
        deadline = monotonic() + seconds
        child.wait(until=lambda: self._n_asked > 1 or monotonic() > deadline)


def _keep_running(child: Child) -> None:
    if child.has_died():
        logger.warning("%s ended; restarting it", child.name)
    if child.is_due():
        child.start()


def _check_is_whole(var: Path) -> None:
    if restore_unfinished(var):
        raise Conflict(
            "A restore was killed before it finished, so rows, files and keys may not match. Run the same `manage.py "
            "restore` again; it continues without --replace.",
            code="restore_unfinished",
        )


def _is_listening(path: str) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(path)
    except OSError:
        return False
    return True
