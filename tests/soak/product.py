"""A running product that can be told at which step to stand still, and killed there in four ways."""

import json
import os
import shutil
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import psutil

from tests.faults.environment import DOCUMENT, WAIT_S, Case, Installation, wait_until
from tests.faults.running import Running
from tests.soak.ledger import Verdict

SETTINGS = {
    "LEGALQA_API_RATE": "100000/minute",
    "LEGALQA_API_RATE_UPLOAD": "100000/minute",
    "LEGALQA_LOG_TO": "file",
    "LEGALQA_JOB_LEASE_S": "6",  # a worker that stands among many must still come to renew it
    "LEGALQA_WORKERS": "8",  # this many can be held at a step each, and the others are left for what is not held
}
RETRY_S = 0.5


@contextmanager
def installed(**more: str) -> Iterator[Installation]:
    """A data folder of its own, gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="legalqa-soak-"))
    folder.chmod(0o755)  # as root the server runs as another user, who must be able to reach it
    made = Installation(folder / "var", **(more or SETTINGS))
    try:
        made.manage("migrate", "--verbosity", "0")
        yield made
    finally:
        made.manage("down", "--now")
        made.close()
        shutil.rmtree(folder, ignore_errors=True)


class Product(Running):
    """`up` whose processes stand still at the step that is asked for."""

    def __init__(self, installation: Installation) -> None:
        super().__init__(installation)
        self._orders = Lock()  # several threads give orders, and the driver does one at a time

    def kill(self, victim: str, *, held: Collection[int]) -> None:
        """kill -9 one part of the product: the workers at work, all of it, the web process, or the database server."""
        if victim == "tree":
            kill_all([self.supervisor, *self.processes(), *self.postgres()])
        elif victim == "database":
            kill_all(self.postgres())
        elif victim == "web":
            self.leader("serve_web").kill()
        else:
            workers = self.leader("serve_worker").children(recursive=True)
            kill_all([worker for worker in workers if worker.pid in held] or workers[-1:])

    def upload_until_taken(self, case: Case, document: Path = DOCUMENT) -> None:
        """What a person does: try again until the file was taken, or is there already."""
        while self.upload(case, document) not in (202, 409):
            time.sleep(RETRY_S)

    def wait_until_ended(self, case: Case, *, seconds: float = WAIT_S) -> list[dict[str, Any]]:
        jobs: list[dict[str, Any]] = []

        def have_ended() -> bool:
            jobs[:] = self.patient_order("jobs", organization=case.organization)
            return bool(jobs) and all(job["state"] not in ("queued", "running") for job in jobs)

        wait_until(have_ended, "the end of the jobs", seconds=seconds)
        return jobs

    def patient_order(self, order: str, **arguments: Any) -> Any:
        """An order to the driver, again if the database was killed under it."""
        for _ in range(5):
            try:
                return self._order(order, **arguments)
            except AssertionError:
                time.sleep(1)
        return self._order(order, **arguments)

    def _order(self, order: str, **arguments: Any) -> Any:
        with self._orders:
            return self.installation.driver.order(order, **arguments)

    def stored(self, case: Case) -> dict[str, Any]:
        """What is stored once files that no row refers to were swept; an archive's documents come in any order."""
        for file in (self.installation.files / case.organization).rglob("*"):
            os.utime(file, (time.time() - 7200, time.time() - 7200))
        self.patient_order("sweep_files")
        found: dict[str, Any] = self.patient_order("snapshot", organization=case.organization)
        return {name: sorted(value) if isinstance(value, list) else value for name, value in found.items()}

    def api(self, case: Case, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/{path}",
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Authorization": f"Bearer {case.token}", "Content-Type": "application/json"},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            found: dict[str, Any] = json.load(response)
        return found


def kill_all(processes: list[psutil.Process]) -> None:
    for process in processes:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue


def verdict_of(
    expected: dict[str, Any], found: dict[str, Any], jobs: list[dict[str, Any]], *, n_jobs: int = 1
) -> Verdict:
    """Compare what is stored with what an undisturbed run of as many jobs stores."""
    if found == expected and [job["state"] for job in jobs] == ["done"] * n_jobs:
        return Verdict()
    sizes = {key: (_size(found[key]), _size(expected[key])) for key in expected}
    lost = (
        sum(have < wanted for have, wanted in sizes.values())
        or any(job["state"] != "done" for job in jobs)
        or len(jobs) < n_jobs
    )
    doubled = sum(have > wanted for have, wanted in sizes.values()) or len(jobs) > n_jobs
    is_ready = any(version[1] == "ready" for version in found["versions"])
    parts_differ = any(found[key] != expected[key] for key in ("positions", "chunks", "embeddings"))
    half = (is_ready and parts_differ) or (not is_ready and any(chunk[-1] for chunk in found["chunks"]))
    differing = tuple(
        f"{key}: {have} of {wanted}" for key, (have, wanted) in sizes.items() if found[key] != expected[key]
    )
    notes = (*differing, *(f"job {job['state']} {job['reason']}" for job in jobs))
    if not (lost or doubled or half):
        half = True  # the same number of rows, and not the same rows
    return Verdict(int(lost), int(doubled), int(half), notes)


def _size(value: Any) -> int:
    return len(value) if isinstance(value, list) else int(value)
