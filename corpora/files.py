"""Uploaded files on disk: written whole or not at all, under `FILES_ROOT/<organization>/<uuid>`."""

import hashlib
import os
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from corpora.parsers.reasons import FileRefused
from legalqa.common.disk import disk_full_refused, room_check
from legalqa.common.private import private_file, private_folder


@dataclass(frozen=True, slots=True)
class StoredFile:
    """`file_id` names it, `sha256` is of the bytes as received."""

    file_id: uuid.UUID
    path: Path
    sha256: str
    size: int


def file_path(*, organization_id: uuid.UUID, file_id: uuid.UUID) -> Path:
    """Where a file of an organisation lies; names come from ids only, never from people."""
    return Path(settings.FILES_ROOT) / str(organization_id) / str(file_id)


def file_receive(*, organization_id: uuid.UUID, parts: Iterable[bytes]) -> StoredFile:
    """Write the parts to a file that is not in use yet, under the name it will have with `.part` behind it.

    Raises:
        FileRefused: nothing in it (empty_file), or more than MAX_UPLOAD_BYTES (too_large).
        DiskFull: there is no room for it.
    """
    file_id = uuid.uuid4()
    path = file_path(organization_id=organization_id, file_id=file_id)
    room_check()
    private_folder(Path(settings.FILES_ROOT))
    private_folder(path.parent)
    half, digest, size = path.with_suffix(".part"), hashlib.sha256(), 0
    try:
        with disk_full_refused(), private_file(half) as handle:
            for part in parts:
                size += len(part)
                if size > settings.MAX_UPLOAD_BYTES:
                    raise FileRefused("too_large", _too_large())
                digest.update(part)
                handle.write(part)
            handle.flush()
            os.fsync(handle.fileno())
        if size == 0:
            raise FileRefused("empty_file")
    except BaseException:
        half.unlink(missing_ok=True)
        raise
    return StoredFile(file_id, half, digest.hexdigest(), size)


def _too_large() -> str:
    limit = settings.MAX_UPLOAD_BYTES // 2**20
    return f"The file is larger than the limit of {limit:,} MB: split it and upload the parts."


def file_keep(file: StoredFile) -> Path:
    """Give a received file its name, durably."""
    path = file.path.with_suffix("")
    file.path.rename(path)
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return path


def file_drop(file: StoredFile) -> None:
    """Remove a received file that nothing refers to."""
    file.path.unlink(missing_ok=True)
    file.path.with_suffix("").unlink(missing_ok=True)
