"""Files and folders that only the user who runs LegalQA may open, whatever the umask says."""

import os
from pathlib import Path
from typing import BinaryIO


def private_folder(folder: Path) -> None:
    """Make the folder, closed to others; one that is there is closed."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)


def private_file(path: Path) -> BinaryIO:
    """A file to write, empty and closed to others, also where one of that name was open to them."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    os.fchmod(descriptor, 0o600)
    return os.fdopen(descriptor, "wb")
