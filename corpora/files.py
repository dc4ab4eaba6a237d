"""Uploaded files: written whole or not at all, named `<organization>/<uuid>` in the storage `STORAGES["corpora"]`.

The local storage is a folder, and its files are used in place. Any other of Django's storages works too: code that
needs a local file, such as the parsers, gets a temporary copy.
"""

import hashlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage, Storage, storages

from corpora.parsers.reasons import FileRefused
from legalqa.common.disk import disk_full_refused, room_check
from legalqa.common.private import private_file, private_folder

ASIDE = ".orphans"  # folder of uploads that nothing refers to, about to be removed
HALF = ".part"  # an upload that is not whole yet


class LocalFiles(FileSystemStorage):
    """The folder FILES_ROOT, closed to others."""

    def __init__(self) -> None:
        super().__init__(file_permissions_mode=0o600, directory_permissions_mode=0o700)

    @property
    def location(self) -> str:  # Django's is read once, but the setting may change
        return str(Path(settings.FILES_ROOT).absolute())


@dataclass(frozen=True, slots=True)
class StoredFile:
    """`file_id` names it, `path` is where it was received, `sha256` is of the bytes as received."""

    organization_id: uuid.UUID
    file_id: uuid.UUID
    path: Path
    sha256: str
    size: int

    @property
    def name(self) -> str:
        return file_name(organization_id=self.organization_id, file_id=self.file_id)


def file_storage() -> Storage:
    return storages["corpora"]


def file_name(*, organization_id: uuid.UUID, file_id: uuid.UUID) -> str:
    """A file's name in the storage: made of ids only, never of what people sent."""
    return f"{organization_id}/{file_id}"


def file_receive(*, organization_id: uuid.UUID, parts: Iterable[bytes]) -> StoredFile:
    """Write the parts to a file on this machine, in the local storage itself or for a while among temporary files.

    Raises:
        FileRefused: nothing in it (empty_file), or more than MAX_UPLOAD_BYTES (too_large).
        DiskFull: there is no room for it.
    """
    file_id = uuid.uuid4()
    room_check()
    half, digest, size = _half(organization_id, file_id), hashlib.sha256(), 0
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
    return StoredFile(organization_id, file_id, half, digest.hexdigest(), size)


def _half(organization_id: uuid.UUID, file_id: uuid.UUID) -> Path:
    local = _local(file_name(organization_id=organization_id, file_id=file_id))
    if local is None:
        return Path(tempfile.gettempdir()) / f"{file_id}{HALF}"
    private_folder(local.parent.parent)
    private_folder(local.parent)
    return local.with_suffix(HALF)


def _local(name: str) -> Path | None:
    """Where a file is, if the storage is a folder of this machine."""
    storage = file_storage()
    return Path(storage.path(name)) if isinstance(storage, FileSystemStorage) else None


def _too_large() -> str:
    limit = settings.MAX_UPLOAD_BYTES // 2**20
    return f"The file is larger than the limit of {limit:,} MB: split it and upload the parts."


def file_keep(file: StoredFile) -> None:
    """Give a received file its name in the storage, durably.

    Raises:
        DiskFull: there is no room for it.
    """
    path = _local(file.name)
    if path is None:
        _save(file.name, file.path)
        return
    file.path.rename(path)
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _save(name: str, source: Path) -> None:
    """Move a file of this machine into a storage elsewhere."""
    with disk_full_refused(), source.open("rb") as content:
        file_storage().save(name, File(content))
    source.unlink()


def file_drop(file: StoredFile) -> None:
    """Remove a received file that nothing refers to."""
    file.path.unlink(missing_ok=True)
    file_storage().delete(file.name)


def file_remove(*, organization_id: uuid.UUID, file_id: uuid.UUID) -> None:
    """Remove a stored file; a missing file is ignored."""
    file_storage().delete(file_name(organization_id=organization_id, file_id=file_id))


def file_open(*, organization_id: uuid.UUID, file_id: uuid.UUID) -> "File[Any]":
    """The bytes of a stored file, from its beginning; the caller closes it."""
    return file_storage().open(file_name(organization_id=organization_id, file_id=file_id))


@contextmanager
def file_at_hand(name: str) -> Iterator[Path]:
    """A stored file as a file of this machine, to read and not to change: itself, or a copy for the block.

    Raises:
        FileNotFoundError: the storage has no such file.
    """
    if (path := _local(name)) is not None:
        yield path
        return
    with tempfile.NamedTemporaryFile(prefix="stored-") as copy:
        with file_storage().open(name) as source:
            shutil.copyfileobj(source, copy)
        copy.flush()
        yield Path(copy.name)


def folder_names(folder: str = "") -> list[str]:
    """The folders in the storage, or in one of its folders: one an organisation, and that of orphans."""
    with suppress(FileNotFoundError):
        return sorted(file_storage().listdir(folder)[0])
    return []


def file_names(folder: str) -> list[str]:
    """The files in a folder of the storage, as `<folder>/<file>`; symbolic links are left out."""
    with suppress(FileNotFoundError):
        names = [f"{folder}/{name}" for name in sorted(file_storage().listdir(folder)[1])]
        return [name for name in names if (path := _local(name)) is None or not path.is_symlink()]
    return []


def stored_names() -> list[str]:
    """All whole uploads."""
    names = [name for folder in folder_names() if folder != ASIDE for name in file_names(folder)]
    return [name for name in names if not name.endswith(HALF)]


def file_put_aside(name: str) -> None:
    """Move a stored file among the orphans, where its time begins again.

    Raises:
        FileNotFoundError: it is gone.
    """
    storage, path = file_storage(), _local(name)
    if path is None:
        with storage.open(name) as content:
            storage.save(f"{ASIDE}/{name}", content)
        storage.delete(name)
        return
    aside = Path(storage.path(f"{ASIDE}/{name}"))
    aside.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.utime(path)
    path.rename(aside)  # the same file system: without a copy


def file_place(name: str, source: Path) -> bool:
    """Move a file of this machine into the storage under its old name; False where one was there, which is replaced."""
    path, is_new = _local(name), not file_storage().exists(name)
    if path is None:
        file_storage().delete(name)
        _save(name, source)
    else:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        source.replace(path)
    return is_new
