"""The wheel, built from what git holds, and unpacked as `pip install` would."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tracked() -> list[str]:
    """Every file in git, with those that are about to be added, that is still there."""
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [name for name in names if (ROOT / name).is_file()]


def wheel_build(folder: Path) -> Path:
    """Built from a copy, because a build leaves files beside its sources; nothing is fetched."""
    for name in tracked():
        (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / "source" / name)
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "-w", str(folder), str(folder / "source")], check=True)
    [wheel] = folder.glob("legalqa-*.whl")
    return wheel


def wheel_unpack(wheel: Path, folder: Path) -> Path:
    """A folder of installed packages that holds the wheel and nothing of the checkout."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder
