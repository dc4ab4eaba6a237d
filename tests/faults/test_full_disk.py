"""The running product on a disk of its own that is filled to the last byte: nothing is lost, and all of it comes back.

Run only where a disk can be mounted (see conftest.py); tests/corpora/test_full_disk.py and
tests/legalqa/jobs/test_supervisor.py hold the same everywhere, with writes that fail. The disk is full for 8 s, longer
than a queue that stands still is waited for (LEGALQA_JOB_STALLED_S); `make soak SOAK=disk` keeps it full for 60.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import pytest

from tests.environment import SOAK_FULL_S
from tests.faults.environment import Case, Installation, wait_until
from tests.faults.running import Running
from tests.faults.test_up import kill

SIZE_MB = 400
BACK_S = 60.0
PIECE = bytes(1 << 20)


@pytest.fixture
def disk() -> Iterator[Path]:
    with TemporaryDirectory(prefix="legalqa-disk-") as made:
        Path(made).chmod(0o755)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m,mode=755", "tmpfs", made], check=True)
        try:
            yield Path(made)
        finally:
            subprocess.run(["umount", "--lazy", made], check=True)


@pytest.fixture
def running(disk: Path) -> Iterator[Running]:
    installation = Installation(disk / "var", LEGALQA_MIN_FREE_MB="50")
    yield Running(installation)
    installation.manage("down", "--now")
    installation.close()


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """Write zeros until no byte more can be written, also where others free some meanwhile."""
    filler = disk / "filler"
    fill(filler)
    try:
        yield
    finally:
        filler.unlink()


def fill(filler: Path) -> None:
    with filler.open("ab", buffering=0) as handle:
        for piece in (PIECE, PIECE[:4096]):
            try:
                while handle.write(piece) == len(piece):
                    continue
            except OSError:
                continue


def test_a_disk_that_was_full_for_a_while_costs_no_document_and_no_process(running: Running, disk: Path) -> None:
    driver, supervisor = running.installation.driver, running.supervisor
    finished, begun = driver.case("finished"), driver.case("begun")
    assert running.upload(finished) == 202
    before = running.wait_until_done(finished)
    with running.held_at("embed.stored", "begun") as marker:
        assert running.upload(begun) == 202
        wait_until(marker.exists, "the first vectors")
        with filled(disk):
            (running.installation.var / "reached-begun.go").touch()
            full_until = monotonic() + SOAK_FULL_S
            kill([running.leader("serve_web"), running.leader("serve_worker"), *running.postgres()])
            while monotonic() < full_until:
                assert running.upload(finished) != 202, "nothing can be stored"
                fill(disk / "filler")
                sleep(1)
    room_at = monotonic()
    wait_until(running.answers, "the pages")
    assert [running.leader(name).is_running() for name in ("serve_encoder", "serve_web", "serve_worker")] == [True] * 3
    assert monotonic() - room_at < BACK_S
    assert running.supervisor == supervisor, "it has seen it through"
    assert running.wait_until_done(begun) == before
    assert driver.order("snapshot", organization=finished.organization) == before
    assert_takes_documents(running, driver.case("afterwards"), before)


def assert_takes_documents(running: Running, case: Case, before: dict[str, object]) -> None:
    assert running.upload(case) == 202
    assert running.wait_until_done(case) == before
