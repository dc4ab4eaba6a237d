"""The product as it is run: an installation of its own, started and ended by its own commands."""

import json
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.environment import bare_environment

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "a long enough password"
START_S = 180


@dataclass(frozen=True)
class Firm:
    """An organisation as its people know it: addresses of people, ids, links that sign in once."""

    slug: str
    people: dict[str, str]
    links: dict[str, str]
    corpora: dict[str, str]
    documents: dict[str, str]
    across_pages: tuple[str, ...] = ()
    judging: dict[str, str] = field(default_factory=dict)

    def path(self, rest: str = "") -> str:
        return f"/o/{self.slug}/{rest}"

    def corpus_path(self, key: str) -> str:
        return self.path(f"corpora/{self.corpora[key]}/")


class Product:
    """Everything behind `manage.py up`, over a data folder of its own."""

    def __init__(self, var: Path) -> None:
        self.var = var
        self.port = free_port()
        self._environment = bare_environment(LEGALQA_VAR=str(var), DJANGO_SETTINGS_MODULE="legalqa.settings")
        self.url = f"http://localhost:{self.port}"

    def start(self) -> None:
        self._run(str(ROOT / "manage.py"), "up", "--detach", "--port", str(self.port))

    def stop(self) -> None:
        self._run(str(ROOT / "manage.py"), "down")

    def make_world(self) -> dict[str, Firm]:
        """The two organisations of the journeys."""
        made: dict[str, dict[str, Any]] = json.loads(self._run("-m", "tests.functional.world"))
        return {name: Firm(**described) for name, described in made.items()}

    def _run(self, *arguments: str) -> str:
        """Run Python over this installation to its end and return what it wrote."""
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=START_S,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
