"""The wheel holds the whole product, and runs without the checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.environment import bare_environment
from tests.packaging import ROOT, tracked, wheel_build, wheel_unpack

PACKAGES = ("legalqa/", "corpora/", "retrieval/", "judging/")
INSIDE_LEGALQA = ("templates/", "static/", "constraints.txt")  # folders and files of the checkout's root


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_build(tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_unpack(wheel, tmp_path_factory.mktemp("site"))


def legalqa(site: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "legalqa", *arguments],
        cwd=folder,
        env=bare_environment(PYTHONPATH=str(site), HOME=str(folder)),
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_holds_every_file_of_the_product_and_no_other(wheel: Path) -> None:
    wanted = {name for name in tracked() if name.startswith(PACKAGES)}
    wanted |= {f"legalqa/{name}" for name in tracked() if name.startswith(INSIDE_LEGALQA)}
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}

    assert packed == wanted


def test_the_wheel_carries_the_licence_and_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [licence] = [name for name in archive.namelist() if name.endswith(".dist-info/licenses/LICENSE")]
        [commands] = [name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt")]

        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()
        assert "legalqa = legalqa.__main__:main" in archive.read(commands).decode()


def test_an_installed_product_keeps_its_data_in_the_home_folder(site: Path, tmp_path: Path) -> None:
    shown = legalqa(site, "diffsettings", folder=tmp_path)

    assert shown.returncode == 0, shown.stderr
    assert f"VAR = PosixPath('{tmp_path}/.local/share/legalqa')" in shown.stdout
    assert f"PRODUCT_DIR = PosixPath('{site}/legalqa')" in shown.stdout


def test_an_installed_product_finds_its_pages_and_their_files(site: Path, tmp_path: Path) -> None:
    found = legalqa(site, "findstatic", "-v", "0", "vendor/htmx/htmx.min.js", folder=tmp_path)

    assert found.stdout.strip() == str(site / "legalqa" / "static" / "vendor" / "htmx" / "htmx.min.js")
