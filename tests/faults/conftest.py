"""The installation that all fault tests share, and what an undisturbed run of ingestion stores in it."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.environment import DOCUMENT, WORK_S, Installation


def _can_mount() -> bool:
    """Whether a disk of a test's own can be made here: as root, and not in every container."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True, check=False)
        if done.returncode == 0:
            subprocess.run(["umount", folder], check=True)
    return done.returncode == 0


collect_ignore = [] if _can_mount() else ["test_full_disk.py"]


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("faults")
    for parent in (folder, *folder.parents[:2]):
        parent.chmod(0o755)  # as root the server runs as another user, who must be able to reach its folder
    made = Installation(folder / "var")
    made.manage("migrate", "--verbosity", "0")
    yield made
    made.encoder_end()
    made.manage("down", "--now")
    made.close()


@pytest.fixture(scope="module")
def encoder(installation: Installation) -> None:
    """The encoder process alone: tests that kill steps bring their own worker."""
    installation.encoder_start()


@pytest.fixture(scope="module")
def undisturbed(installation: Installation, request: pytest.FixtureRequest) -> dict[str, Any]:
    """What ingestion of the document stores when nothing is killed; ask for an encoder or a running `up` before it."""
    driver, case = installation.driver, installation.driver.case(f"undisturbed-{request.path.stem}")
    driver.order("upload", organization=case.organization, corpus=case.corpus, path=str(DOCUMENT))
    driver.order("work", organization=case.organization, seconds=WORK_S)
    stored: dict[str, Any] = driver.order("snapshot", organization=case.organization)
    return stored


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.faults)
