"""An installation of its own for fault tests: its data folder, its database, real processes, short leases."""

import itertools
import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.environment import bare_environment

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "corpora" / "demo_data" / "dcwp_final_rule.pdf"
WORK_S = 60
WAIT_S = 150  # how long coming back may take on a busy machine: the sweep, the watchdog, and a start of the processes


@dataclass(frozen=True)
class Case:
    """One organisation with one corpus: what a test works in."""

    organization: str
    corpus: str
    token: str


class Driver:
    """The other end of `tests/faults/driver.py`; the modules named are loaded once, before orders are done."""

    def __init__(self, environment: dict[str, str], *modules: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.driver", *modules],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._numbers = itertools.count(1)

    def order(self, order: str, *, crash: str = "", expect: int = 0, **arguments: Any) -> Any:
        """Have one order done by a process of its own; `expect` is the exit status that it must end with."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"order": order, "crash": crash, **arguments}) + "\n")
        self._process.stdin.flush()
        outcome = json.loads(self._process.stdout.readline())
        assert outcome["status"] == expect, f"{order} ended with {outcome['status']}, not {expect}"
        return outcome["answer"]

    def case(self, name: str, *, size_tokens: int = 80) -> Case:
        """An organisation of its own, also where two tests in one session give it the same name."""
        return Case(**self.order("setup", slug=f"{name}-{next(self._numbers)}", size_tokens=size_tokens))

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


class Installation:
    """A data folder with what runs over it; `more` goes into the environment of all of that."""

    def __init__(self, var: Path, **more: str) -> None:
        self.var = var
        self._encoder: subprocess.Popen[bytes] | None = None
        self.marker = var / "crash-marker"
        self.environment = bare_environment() | {
            "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
            "LEGALQA_VAR": str(var),
            "LEGALQA_JOB_LEASE_S": "2",
            "LEGALQA_JOB_SWEEP_S": "1",
            "LEGALQA_JOB_STALLED_S": "5",
            "LEGALQA_ENCODER_SERVER": "1",
            "TOKENIZERS_PARALLELISM": "false",  # its threads would not survive the driver's forks
            **more,
        }

    @cached_property
    def driver(self) -> Driver:
        return Driver(self.environment)

    def close(self) -> None:
        """End the driver and the encoder process, if they were used."""
        self.encoder_end()
        if "driver" in self.__dict__:
            self.driver.close()

    def encoder_start(self) -> None:
        """Start the encoder process alone; one that runs already goes on: it takes seconds to load its model."""
        if self._encoder is None:
            self._encoder = self.start("serve_encoder")
            wait_until(lambda: bool(list(self.var.glob("encoder/*.sock"))), "the encoder")

    def encoder_end(self) -> None:
        """End the encoder process that runs alone: `up` brings its own."""
        if self._encoder is not None:
            self._encoder.kill()
            self._encoder.wait()
            self._encoder = None

    def manage(self, *arguments: str, expect: int = 0) -> str:
        """Run a command to its end and return what it wrote."""
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == expect, done.stdout + done.stderr
        return done.stdout + done.stderr

    def start(self, *arguments: str, **more: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), *arguments], env=self.environment | more, start_new_session=True
        )

    @property
    def files(self) -> Path:
        return self.var / "files"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], bool], what: str, *, seconds: float = WAIT_S, every_s: float = 0.05) -> None:
    """Poll until the condition holds; fail with `what` was waited for. Costly looks come rarely."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(every_s)
