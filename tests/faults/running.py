"""A running `up`, seen from outside: its processes, its API, its database server."""

import http.client
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from legalqa.jobs.processes import MARK
from legalqa.jobs.run_lock import run_state
from tests.faults.environment import DOCUMENT, Case, Installation, free_port, wait_until


class Running:
    """`up` over an installation, on a port of its own; a process dies or stands still at a step when told to."""

    def __init__(self, installation: Installation) -> None:
        self.installation, self.port = installation, free_port()
        installation.encoder_end()
        self._plan = installation.var / "plan"
        installation.environment["LEGALQA_CRASH"] = f"@{self._plan}"
        self.start()

    @contextmanager
    def killed_at(self, point: str, name: str) -> Iterator[Path]:
        """The first process to reach the point kills itself there; the file says that it did."""
        with self._planned([(point, name)], "") as [marker]:
            yield marker

    @contextmanager
    def held_at(self, point: str, name: str) -> Iterator[Path]:
        """The first process to reach the point stands still there until the block ends; the file holds its number."""
        with self.all_held_at([(point, name)]) as [marker]:
            yield marker

    @contextmanager
    def all_held_at(self, points: Sequence[tuple[str, str]]) -> Iterator[list[Path]]:
        """As `held_at`, at several points under a name each: as many processes stand still at once."""
        with self._planned(points, ":hold") as markers:
            yield markers

    @contextmanager
    def _planned(self, points: Sequence[tuple[str, str]], how: str) -> Iterator[list[Path]]:
        markers = [self.installation.var / f"reached-{name}" for _, name in points]
        half = self._plan.with_suffix(".new")
        half.write_text("\n".join(f"{point}:{marker}{how}" for (point, _), marker in zip(points, markers, strict=True)))
        half.replace(self._plan)
        try:
            yield markers
        finally:
            self._plan.unlink()
            for marker in markers:
                Path(f"{marker}.go").touch()

    def start(self) -> str:
        return self.installation.manage("up", "--detach", "--port", str(self.port))

    @property
    def supervisor(self) -> psutil.Process:
        running = run_state(self.installation.var)
        assert running is not None
        return psutil.Process(running.pid)

    def leader(self, command: str) -> psutil.Process:
        """The process that `up` started for a command."""
        found: list[psutil.Process] = []

        def is_there() -> bool:
            found[:] = [child for child in self.supervisor.children() if command in child.cmdline()]
            return len(found) == 1

        wait_until(is_there, f"one {command}")
        return found[0]

    def processes(self) -> list[psutil.Process]:
        """All that `up` has started, except the database server."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get(MARK) == str(self.installation.var):
                    found.append(process)
            except psutil.Error:
                continue
        return found

    def postgres(self) -> list[psutil.Process]:
        data = str(self.installation.var / "postgres" / "data")
        servers = [p for p in psutil.process_iter(["cmdline"]) if data in (p.info["cmdline"] or ())]
        return [process for server in servers for process in (server, *server.children())]

    def upload(self, case: Case, document: Path = DOCUMENT, *, n_bytes: int | None = None) -> int:
        """Post a document; with `n_bytes` only that many of the request's body, and wait for the connection to end."""
        boundary = uuid.uuid4().hex
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{document.name}"\r\n\r\n'
        body = head.encode() + document.read_bytes() + f"\r\n--{boundary}--\r\n".encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.putrequest("POST", f"/api/v1/corpora/{case.corpus}/documents/")
            connection.putheader("Authorization", f"Bearer {case.token}")
            connection.putheader("Content-Type", f"multipart/form-data; boundary={boundary}")
            connection.putheader("Content-Length", str(len(body)))
            connection.endheaders()
            connection.send(body[:n_bytes])
            if n_bytes is not None:
                self.leader("serve_web").kill()
            answer = connection.getresponse()
            answer.read()
            return answer.status
        except (http.client.HTTPException, OSError):
            return 0
        finally:
            connection.close()

    def answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/sign-in/")
            return connection.getresponse().status == 200
        except (http.client.HTTPException, OSError):
            return False
        finally:
            connection.close()

    def job(self, case: Case) -> dict[str, Any]:
        [job] = self.installation.driver.order("jobs", organization=case.organization)
        found: dict[str, Any] = job
        return found

    def wait_until_done(self, case: Case) -> dict[str, Any]:
        """What is stored, once the document's job has ended well."""
        wait_until(lambda: self.job(case)["state"] not in ("queued", "running"), "the end of the job", every_s=0.3)
        assert self.job(case) | {"state": "done", "reason": ""} == self.job(case)
        stored: dict[str, Any] = self.installation.driver.order("snapshot", organization=case.organization)
        return stored

    def queue_worker(self) -> psutil.Process:
        """The process of the queue that runs tasks."""
        file = self.installation.var / f"pid-{uuid.uuid4().hex}"
        self.installation.driver.order("ring", task="tests.faults.driver.tell_pid", argument=str(file))
        wait_until(lambda: file.exists() and file.read_text() != "", "a worker")
        return psutil.Process(int(file.read_text()))


def has_loaded(process: psutil.Process, library: str) -> bool:
    return library in Path(f"/proc/{process.pid}/maps").read_text()
