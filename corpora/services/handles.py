"""Folders and files by handle: no link is followed on the way, and the file that was checked is the one that is read.

A name can lead elsewhere from one moment to the next, a handle cannot. Each step of a way is opened from the handle of
the step before, and kind, size and time are asked of the handle whose bytes are read.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from legalqa.common.errors import ApplicationError

PART_BYTES = 1 << 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NO_LINK = os.O_NOFOLLOW | os.O_NONBLOCK  # follow no link; never wait for somebody to write into a pipe


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """A file as it was found: its way from the folder, its size in bytes and the time of its last change."""

    way: str
    size: int
    modified_ns: int


class Changing(Exception):
    """A file that is not, or no longer, the one that was found."""


def way_within(*, path: str) -> str:
    """A way below a folder in its plain form, "." for the folder itself.

    Raises:
        ValueError: it leads upwards or to another place, or through a hidden folder.
    """
    steps = PurePosixPath(path).parts
    if any(step.startswith((".", "/")) or "\0" in step for step in steps):
        raise ValueError(path)
    return "/".join(steps) or "."


@contextmanager
def folder_opened(*, home: Path, way: str) -> Iterator[int]:
    """The handle of a folder below `home`; links on the way are not followed, `home` itself may be one.

    Raises:
        OSError: it is not there, is not a folder, or a link leads to it.
    """
    handle = os.open(home, _FOLDER)
    try:
        for step in PurePosixPath(way).parts:
            handle = _step(handle, step, _FOLDER)
        yield handle
    finally:
        os.close(handle)


def _step(folder: int, name: str, flags: int) -> int:
    """Open a name in a folder, and close the folder if that works: its handle is the caller's until then."""
    handle = os.open(name, flags | _NO_LINK, dir_fd=folder)
    os.close(folder)
    return handle


def folders_found(*, folder: int, levels: int) -> Iterator[str]:
    """Ways to the folders below a folder, this many levels deep; links and what is hidden left out."""
    for parent, folders, _, handle in os.fwalk(".", dir_fd=folder):
        way = PurePosixPath(parent)
        folders[:] = [name for name in folders if (about := _shown(handle, name)) and stat.S_ISDIR(about.st_mode)]
        yield from ((way / name).as_posix() for name in folders)
        if len(way.parts) >= levels - 1:
            folders.clear()


def files_found(*, folder: int) -> Iterator[FolderEntry]:
    """Every file below a folder in the order of names; links and what is hidden left out.

    Raises:
        OSError: a folder cannot be read.
    """
    for parent, folders, names, handle in os.fwalk(".", dir_fd=folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if (about := _shown(handle, name)) and stat.S_ISREG(about.st_mode):
                yield FolderEntry(PurePosixPath(parent, name).as_posix(), about.st_size, about.st_mtime_ns)


def _shown(folder: int, name: str) -> os.stat_result | None:
    """What a name in a folder is, a link being a link; None if it is hidden, or gone since the name was read."""
    with suppress(FileNotFoundError):
        return None if name.startswith(".") else os.stat(name, dir_fd=folder, follow_symlinks=False)
    return None


def file_parts(*, folder: int, file: FolderEntry) -> Iterator[bytes]:
    """The bytes of a file; what is opened must be what was found, before the first byte and after the last.

    Raises:
        Changing: it is not: it was written to, or something else is in its place.
        ApplicationError: it may not be read.
    """
    with os.fdopen(_file_opened(folder, file.way), "rb") as handle:
        _check_is(handle.fileno(), file)
        while part := handle.read(PART_BYTES):
            yield part
        _check_is(handle.fileno(), file)


def _file_opened(folder: int, way: str) -> int:
    *steps, name = PurePosixPath(way).parts
    parent = os.dup(folder)
    try:
        for step in steps:
            parent = _step(parent, step, _FOLDER)
        return os.open(name, os.O_RDONLY | os.O_CLOEXEC | _NO_LINK, dir_fd=parent)
    except PermissionError as error:
        message = "The file cannot be read: allow the user that runs LegalQA to read it, then save it again."
        raise ApplicationError(message, code="file_not_readable") from error
    except OSError as error:
        raise Changing from error
    finally:
        os.close(parent)


def _check_is(handle: int, file: FolderEntry) -> None:
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode) or (about.st_size, about.st_mtime_ns) != (file.size, file.modified_ns):
        raise Changing


def _raise(error: OSError) -> None:
    raise error
