"""Work of many steps killed with -9 on its way: scanned pages and an archive's files, taken one by one."""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.corpora.parsers.builders import scanned_copy
from tests.crash_points import CONTAINER_CRASH_POINTS, SCAN_CRASH_POINTS
from tests.faults.environment import WORK_S, Case, Installation

KILLED = -9

pytestmark = pytest.mark.usefixtures("encoder")


def archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as members:
        for number in range(3):
            members.writestr(f"lease {number}.txt", f"The tenant of flat {number} pays the rent.")
        members.writestr("logo.png", b"\x89PNG\r\n\x1a\n\x00")
    return out.getvalue()


SCAN = scanned_copy([["The tenant pays the rent."], ["The landlord repairs the roof."]])
FILES = {"scan.pdf": (SCAN, SCAN_CRASH_POINTS), "matter.zip": (archive(), CONTAINER_CRASH_POINTS)}


def work(installation: Installation, case: Case, *, crash: str = "", expect: int = 0) -> None:
    installation.driver.order("work", organization=case.organization, seconds=WORK_S, crash=crash, expect=expect)


def stored(installation: Installation, case: Case) -> dict[str, Any]:
    found: dict[str, Any] = installation.driver.order("snapshot", organization=case.organization)
    return {name: sorted(value) if isinstance(value, list) else value for name, value in found.items()}


@pytest.mark.parametrize("name", FILES)
def test_long_work_killed_at_its_steps_ends_as_if_nothing_had_happened(
    name: str, installation: Installation, tmp_path: Path
) -> None:
    content, points = FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    left = []
    for kills in ((), points):
        case = installation.driver.case(f"long-{path.stem}-{len(kills)}")
        installation.driver.order("upload", organization=case.organization, corpus=case.corpus, path=str(path))
        for point in kills:
            work(installation, case, crash=f"{point}:{installation.var / f'long-{point}'}", expect=KILLED)
        work(installation, case)
        left.append(stored(installation, case))
        assert {job["state"] for job in installation.driver.order("jobs", organization=case.organization)} == {"done"}

    assert left[0] == left[1]
    assert {version[1] for version in left[0]["versions"]} == {"ready"}
