"""The file of a backup: a tar of the database's dump, the uploads and, on request, secrets; then a manifest.

The manifest comes last, with size and SHA-256 of every other member: an archive without it is incomplete.
"""

import hashlib
import io
import json
import re
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from legalqa.common.errors import ApplicationError

FORMAT = 1
MANIFEST = "manifest.json"
DUMP = "database.dump"
FILES, SECRETS = "files/", "secrets/"
SECRET_NAMES = ("secret_key", "field_keys")  # files of the data folder, unless the environment has the keys
MANIFEST_MAX_BYTES = 256 * 1024 * 1024
_NAME = re.compile(r"database\.dump|secrets/\w+|files(/[^/\0]+)+")
_PART_BYTES = 1 << 20

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of an archive.

    `tables` counts the rows of each table, `migrations` are those applied to the dumped database, by app; `members`
    maps the name of each member to its size and SHA-256.
    """

    version: str
    created_at: str
    server: str
    migrations: dict[str, list[str]]
    tables: dict[str, int]
    files_missing: list[str]
    members: dict[str, tuple[int, str]] = field(default_factory=dict)
    format: int = FORMAT

    @property
    def files(self) -> dict[str, tuple[int, str]]:
        """The uploads: path below the folder of files, size, SHA-256."""
        return {name.removeprefix(FILES): member for name, member in self.members.items() if name.startswith(FILES)}

    @property
    def secrets(self) -> list[str]:
        return sorted(name.removeprefix(SECRETS) for name in self.members if name.startswith(SECRETS))


class ArchiveWriter:
    """Adds members one by one, hashed as they are written; `finish` adds the manifest."""

    def __init__(self, handle: IO[bytes]) -> None:
        self._tar = tarfile.open(fileobj=handle, mode="w", format=tarfile.PAX_FORMAT)  # noqa: SIM115 - closed by finish
        self.members: dict[str, tuple[int, str]] = {}

    def add(self, name: str, file: Path) -> None:
        """Raises FileNotFoundError if the file is gone; then nothing was written."""
        with file.open("rb") as handle:
            info = tarfile.TarInfo(name)
            info.size = handle.seek(0, io.SEEK_END)
            info.mtime, info.mode = int(file.stat().st_mtime), 0o600
            handle.seek(0)
            hashing = _Hashing(handle)
            self._tar.addfile(info, hashing)
        self.members[name] = (info.size, hashing.hexdigest())

    def finish(self, manifest: Manifest) -> None:
        content = json.dumps(asdict(manifest) | {"members": self.members}).encode()
        info = tarfile.TarInfo(MANIFEST)
        info.size, info.mode = len(content), 0o600
        self._tar.addfile(info, io.BytesIO(content))
        self._tar.close()


class _Hashing:
    """A file that is hashed while it is read."""

    def __init__(self, handle: IO[bytes]) -> None:
        self._handle, self._digest = handle, hashlib.sha256()

    def read(self, n_bytes: int = -1) -> bytes:
        part = self._handle.read(n_bytes)
        self._digest.update(part)
        return part

    def hexdigest(self) -> str:
        return self._digest.hexdigest()


def archive_check(path: Path, *, progress: Progress) -> Manifest:
    """Read the whole archive once and compare every member with the manifest.

    Raises:
        ApplicationError: the file is not one of our archives, has a later format, or differs from its manifest.
    """
    try:
        with tarfile.open(path) as tar:
            infos = {info.name: info for info in _members(tar)}
            manifest = _manifest(tar, infos.pop(MANIFEST, None))
            if set(infos) != set(manifest.members):
                raise _damaged("its members do not match its manifest")
            for n, (name, (size, digest)) in enumerate(manifest.members.items(), start=1):
                if infos[name].size != size or _sha256(tar, infos[name]) != digest:
                    raise _damaged(f"{name} was changed after it was written")
                progress(f"checked {n} of {len(infos)} members")
    except FileNotFoundError:
        raise ApplicationError(f"There is no file {path}. Name the backup to restore.", code="no_backup") from None
    except (tarfile.TarError, OSError, EOFError, UnicodeError) as error:
        raise _damaged(f"it cannot be read as a tar file ({type(error).__name__})") from None
    return manifest


def archive_extract(path: Path, manifest: Manifest, target: Path, *, progress: Progress) -> None:
    """Write every member below `target`, checking it again while it is written; `archive_check` checked the names.

    Raises:
        ApplicationError: a member has changed since it was checked.
    """
    with tarfile.open(path) as tar:
        for n, info in enumerate((info for info in _members(tar) if info.name != MANIFEST), start=1):
            file = target / info.name
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            digest = hashlib.sha256()
            with file.open("wb") as handle:
                for part in _parts(tar, info):
                    digest.update(part)
                    handle.write(part)
            if manifest.members.get(info.name) != (info.size, digest.hexdigest()):
                raise _damaged(f"{info.name} changed while it was read")
            progress(f"unpacked {n} of {len(manifest.members)} members")


def _members(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    for info in tar:
        if not info.isreg() or not (info.name == MANIFEST or _is_name(info.name)):
            raise _damaged(f"it holds {info.name!r}, which no LegalQA backup contains")
        yield info


def _is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and not {".", ".."} & set(name.split("/"))


def _manifest(tar: tarfile.TarFile, info: tarfile.TarInfo | None) -> Manifest:
    if info is None or info.size > MANIFEST_MAX_BYTES:
        raise _damaged("its manifest is missing")
    try:
        content: dict[str, Any] = json.loads(b"".join(_parts(tar, info)))
        if content["format"] > FORMAT:
            raise ApplicationError(
                f"This backup was made by a later version of LegalQA ({content['version']}). "
                "Install that version and restore there. Nothing was changed.",
                code="backup_newer",
            )
        content["members"] = {name: (int(size), str(digest)) for name, (size, digest) in content["members"].items()}
        return Manifest(**content)
    except (ValueError, TypeError, KeyError):
        raise _damaged("its manifest cannot be read") from None


def _parts(tar: tarfile.TarFile, info: tarfile.TarInfo) -> Iterator[bytes]:
    handle = tar.extractfile(info)
    while handle is not None and (part := handle.read(_PART_BYTES)):
        yield part


def _sha256(tar: tarfile.TarFile, info: tarfile.TarInfo) -> str:
    digest = hashlib.sha256()
    for part in _parts(tar, info):
        digest.update(part)
    return digest.hexdigest()


def _damaged(why: str) -> ApplicationError:
    return ApplicationError(
        f"This is not a complete LegalQA backup: {why}. Nothing was changed. Use another copy.", code="backup_damaged"
    )
