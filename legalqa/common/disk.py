"""Room on the disks of documents and database: the last of it, below a threshold, is for the database and the log."""

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.conf import settings

from legalqa.common.database.embedded import embedded_home
from legalqa.common.errors import DiskFull

_FULL = {errno.ENOSPC, errno.EDQUOT}


def free_bytes() -> int:
    """Free space on the disk of the documents, or on that of the embedded database if it has less."""
    places = [Path(settings.VAR)] + [embedded_home(settings.VAR)] * settings.EMBEDDED_POSTGRES
    return min(shutil.disk_usage(place).free for place in places if place.exists())


def has_room() -> bool:
    """Whether documents are taken in: LEGALQA_MIN_FREE_MB is free."""
    return free_bytes() >= settings.MIN_FREE_BYTES


def room_check() -> None:
    """Stop before a document is stored for which there is no room.

    Raises:
        DiskFull: less than LEGALQA_MIN_FREE_MB is free.
    """
    if not has_room():
        raise DiskFull


@contextmanager
def disk_full_refused() -> Iterator[None]:
    """A disk that fills up while the block writes, as a refusal.

    Raises:
        DiskFull: it is full.
    """
    try:
        yield
    except OSError as error:
        if not is_disk_full(error):
            raise
        raise DiskFull from error


def is_disk_full(error: BaseException | None) -> bool:
    """Whether the error, or what it was raised from, is a full disk: ours or the database's."""
    while error is not None:
        if isinstance(error, DiskFull | psycopg.errors.DiskFull):
            return True
        if isinstance(error, OSError) and error.errno in _FULL:
            return True
        error = error.__cause__
    return False
