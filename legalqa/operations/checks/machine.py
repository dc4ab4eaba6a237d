"""The machine and what is installed on it."""

import json
import platform
import re
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import psutil
from django.conf import settings

from corpora.parsers.confined import run_limited
from corpora.parsers.limits import Limits
from corpora.parsers.rights import PROGRAM as RIGHTS
from legalqa.common.disk import free_bytes, has_room
from legalqa.operations.checks.types import Check, fail, ok, warn

PYTHON = (3, 11)
GIGABYTE = 1e9  # bytes
DISK_FAIL_GB = 1.0  # ours: free space below which the check fails
DISK_WARN_GB = 5.0  # ours: free space below which the check warns
MEMORY_WARN_GB = 1.5  # the encoder's 0.6, a reader's 1.0
_PIN = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s;+]+)", re.MULTILINE)


def python_version() -> Check:
    number = platform.python_version()
    if sys.version_info[:2] != PYTHON:
        return fail(f"Python {number}", "Run LegalQA with Python 3.11: `make setup PYTHON=python3.11`.")
    return ok(f"Python {number}")


def packages() -> Check:
    """Installed versions compared with constraints.txt; packages that are not installed belong to extras."""
    pins = dict(_PIN.findall((Path(settings.PRODUCT_DIR) / "constraints.txt").read_text()))
    wrong = []
    for name, pinned in pins.items():
        try:
            installed = version(name).partition("+")[0]
        except PackageNotFoundError:
            continue
        if installed != pinned:
            wrong.append(f"{name} {installed} instead of {pinned}")
    if wrong:
        return warn("; ".join(sorted(wrong)[:5]), "Run `make setup`, which installs the versions that were tested.")
    return ok(f"{len(pins)} pinned versions")


def tesseract() -> Check:
    """The program that reads scanned pages."""
    path = shutil.which("tesseract")
    if path is None:
        return warn("not installed", "Install tesseract (`apt-get install tesseract-ocr`), or scans are not read.")
    output = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
    return ok(output.splitlines()[0] if output else path)


def reader_confined() -> Check:
    """What the process that reads uploads could still do here, found out by letting it try."""
    outcome = run_limited([sys.executable, "-I", str(RIGHTS)], Limits())
    if outcome.reason:
        return fail(
            f"the reader does not start ({outcome.reason})", "Files cannot be read: see the log for the reason."
        )
    if abilities := json.loads(outcome.log):
        return warn(f"it can {', '.join(abilities)}", "Use a kernel with seccomp and Landlock, on x86-64 or arm64.")
    return ok("no sockets, no other files, no processes, no signals")


def memory() -> Check:
    available = psutil.virtual_memory().available / GIGABYTE
    if available < MEMORY_WARN_GB:
        return warn(f"{available:.1f} GB free", f"Keep {MEMORY_WARN_GB} GB free for the encoder and one reader.")
    return ok(f"{available:.1f} GB free")


def disk_space() -> Check:
    """Free space for documents and the embedded database."""
    free = free_bytes() / GIGABYTE
    advice = "Free some space in the file system of the data folder: uploads and the database grow there."
    if not has_room():
        return fail(f"{free:.2f} GB free: uploads are rejected and documents wait unread", advice)
    if free < DISK_FAIL_GB:
        return fail(f"{free:.1f} GB free", advice)
    return warn(f"{free:.1f} GB free", advice) if free < DISK_WARN_GB else ok(f"{free:.1f} GB free")
