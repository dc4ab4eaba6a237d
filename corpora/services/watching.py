"""Folders that feed a corpus: looked at again and again, each file taken once, and none half-written.

A file is taken when two looks in a row find it with the same size and time, and when neither changed while it was
read. What was taken is written down with the file's size and time, so that a restart takes nothing twice; a kill
between taking and writing down ends in the refusal of a duplicate, which counts as taken. Files are polled, because
notifications of the system are lost on network folders and across restarts.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from time import monotonic
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from corpora.models import Document, WatchedFile, WatchedFolder, WatchedState
from corpora.selectors import corpus_get
from corpora.services.documents import document_remove
from corpora.services.uploads import document_name, document_upload
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict, NotFound

PART_BYTES = 1 << 20
BUSY = timedelta(minutes=10)  # how long a look may be without a sign of life
LOOK_S = 5.0  # ours: seconds after which a look takes nothing more, so that other organisations have their turn
MAX_FILES = 20_000  # ours: more in one folder is a mistake in its path more often than a corpus


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at a folder did; `job_ids` read what was taken."""

    taken: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    job_ids: tuple[UUID, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    path: Path
    size: int
    modified_ns: int


def watch_home(*, organization: Organization) -> Path | None:
    """The organisation's own folder below WATCH_ROOT; None where the operators allow no watching."""
    return Path(settings.WATCH_ROOT).resolve() / organization.slug if settings.WATCH_ROOT else None


def folders_available(*, organization: Organization) -> list[str]:
    """Folders that a manager may choose, as ways from the organisation's own: it and two levels below."""
    home = watch_home(organization=organization)
    if home is None or not home.is_dir():
        return []
    inner = (path for level in ("*", "*/*") for path in home.glob(level) if path.is_dir() and not path.is_symlink())
    shown = sorted(path.relative_to(home).as_posix() for path in inner if not path.name.startswith("."))
    return [".", *shown][:500]


def folder_watch(
    *,
    organization: Organization,
    user: User | None,
    corpus_id: UUID,
    path: str,
    removes_missing: bool = False,
    is_by_command: bool = False,
) -> WatchedFolder:
    """Have a folder watched; the same folder again changes what happens to files that go missing.

    Raises:
        NotFound: no such corpus, or you stand outside its wall.
        ApplicationError: the folder is not there, or not one that may be watched.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    if is_by_command:
        kept = str(Path(path).resolve())
        if not Path(kept).is_dir():
            raise ApplicationError(f"There is no folder {path!r}. Check the path.", code="no_such_file")
    else:
        home = watch_home(organization=organization)
        inside = _inside(home, path) if home is not None else None
        if home is None or inside is None or not inside.is_dir():
            raise ApplicationError(
                "This folder cannot be watched. Choose one from the list; the operators of the system add others.",
                code="folder_not_allowed",
            )
        kept = inside.relative_to(home).as_posix()
    folder, _ = WatchedFolder.objects.update_or_create(
        organization=organization,
        corpus=corpus,
        path=kept,
        is_by_command=is_by_command,
        defaults={"removes_missing": removes_missing},
    )
    audit(organization=organization, actor=user, action="folder.watched", subject_id=folder.pk)
    return folder


def folder_unwatch(*, organization: Organization, user: User, folder_id: UUID) -> WatchedFolder:
    """Look at a folder no more; what was taken from it stays.

    Raises:
        NotFound: no such folder, or you stand outside the wall of its corpus.
    """
    folder = folder_get(organization=organization, folder_id=folder_id)
    audit(organization=organization, actor=user, action="folder.unwatched", subject_id=folder.pk)
    WatchedFolder.objects.filter(pk=folder.pk).delete()
    return folder


def folder_get(*, organization: Organization, folder_id: UUID) -> WatchedFolder:
    """A watched folder of a corpus that the active person may see."""
    folder = WatchedFolder.objects.filter(organization=organization, pk=folder_id).first()
    if folder is None:
        raise NotFound("folder")
    corpus_get(organization=organization, corpus_id=folder.corpus_id)
    return folder


def folders_look() -> int:
    """Look at every folder that managers have watched, as background work; returns how many were looked at."""
    n_looks = 0
    for organization in Organization.objects.all() if settings.WATCH_ROOT else ():
        with organization_scope(organization, user=None):
            folders = list(WatchedFolder.objects.filter(is_by_command=False).values_list("pk", flat=True))
        n_looks += sum(folder_look(organization=organization, folder_id=pk) is not None for pk in folders)
    return n_looks


def folder_look(*, organization: Organization, folder_id: UUID) -> Look | None:
    """Look at a folder once: take what is new and stable, and say what went missing; None while another process looks.

    Opens its own short transactions: nothing is held while a file is read.
    """
    now = timezone.now()
    with organization_scope(organization, user=None):
        mine = WatchedFolder.objects.filter(pk=folder_id)
        free = mine.filter(Q(busy_until=None) | Q(busy_until__lt=now))
        if not free.update(busy_until=now + BUSY):
            return None
        folder = mine.get()
        known = {file.name: file for file in WatchedFile.objects.filter(folder=folder)}
    look, problem = Look(), ""
    try:
        found = _files(organization, folder)
        look = _compared(organization, folder, found, known)
    except OSError as error:
        problem = f"The folder cannot be read: {error.strerror or 'it is gone'}."
    except ApplicationError as error:
        problem = error.message
    finally:
        with organization_scope(organization, user=None):
            mine.update(busy_until=None, looked_at=timezone.now(), problem=problem[:200])
    return look if not problem else Look(problem=problem)


def _compared(
    organization: Organization, folder: WatchedFolder, found: dict[str, _Found], known: dict[str, WatchedFile]
) -> Look:
    lists: dict[str, list[str]] = {"taken": [], "refused": [], "missing": [], "removed": [], "waiting": []}
    jobs: list[UUID] = []
    until = monotonic() + LOOK_S
    for name, file in found.items():
        if monotonic() > until:  # the others in their turn; what is left is found by the next look
            break
        row = known.get(name)
        is_same = row is not None and (row.size, row.modified_ns) == (file.size, file.modified_ns)
        if row is None or not is_same or row.state in (WatchedState.MISSING, WatchedState.REMOVED):
            _note(organization, folder, name, file, WatchedState.SEEN)
            lists["waiting"].append(name)
        elif row.state == WatchedState.SEEN:
            state, job_id = _take(organization, folder, name, file)
            lists[state].append(name)
            jobs += [job_id] if job_id else []
    for name, row in known.items():
        if name not in found and row.state not in (WatchedState.MISSING, WatchedState.REMOVED):
            lists[_gone(organization, folder, row)].append(name)
    return Look(
        taken=tuple(lists["taken"]),
        refused=tuple(lists["refused"]),
        missing=tuple(lists["missing"]),
        removed=tuple(lists["removed"]),
        waiting=tuple(lists["waiting"]),
        job_ids=tuple(jobs),
    )


def _take(organization: Organization, folder: WatchedFolder, name: str, file: _Found) -> tuple[str, UUID | None]:
    """Upload a file that was found unchanged twice; one that changes while it is read waits for the next looks."""
    try:
        upload = document_upload(
            organization=organization,
            user=None,
            corpus_id=folder.corpus_id,
            name=watched_name(name),
            parts=_unchanged_parts(file),
        )
    except _Changing:
        _note(organization, folder, name, _Found(file.path, 0, 0), WatchedState.SEEN)
        return "waiting", None
    except Conflict as error:
        if error.code != "duplicate_file":
            raise
        _note(organization, folder, name, file, WatchedState.TAKEN, reason=error.message)
        return "taken", None
    except ApplicationError as error:
        _note(organization, folder, name, file, WatchedState.REFUSED, reason=error.message)
        return "refused", None
    _note(organization, folder, name, file, WatchedState.TAKEN, document=upload.document)
    return "taken", upload.job.pk


def watched_name(name: str) -> str:
    """The name of the document that a file becomes: the way to it, so that files of one name stay apart."""
    return document_name(" – ".join(Path(name).parts))


class _Changing(Exception):
    """A file that was written to while we read it."""


def _unchanged_parts(file: _Found) -> Iterator[bytes]:
    """The bytes of a file; at the end it must still be what was looked at.

    Raises:
        _Changing: it is not.
    """
    with file.path.open("rb") as handle:
        while part := handle.read(PART_BYTES):
            yield part
        after = os.fstat(handle.fileno())
    if (after.st_size, after.st_mtime_ns) != (file.size, file.modified_ns):
        raise _Changing


def _note(
    organization: Organization,
    folder: WatchedFolder,
    name: str,
    file: _Found,
    state: WatchedState,
    *,
    reason: str = "",
    document: Document | None = None,
) -> None:
    values = {"size": file.size, "modified_ns": file.modified_ns, "state": state, "reason": reason[:400]}
    with organization_scope(organization, user=None):
        WatchedFolder.objects.filter(pk=folder.pk).update(busy_until=timezone.now() + BUSY)
        if document is None and state == WatchedState.TAKEN:
            named = Document.objects.filter(corpus=folder.corpus_id, name=watched_name(name), removed_at=None)
            document = named.first()
        if document is not None:
            values["document"] = document
        WatchedFile.objects.update_or_create(organization=organization, folder=folder, name=name, defaults=values)


def _gone(organization: Organization, folder: WatchedFolder, row: WatchedFile) -> str:
    """A file that is no longer there: its document goes too where the folder says so, and is reported otherwise."""
    state = WatchedState.MISSING
    with organization_scope(organization, user=None):
        if folder.removes_missing and row.document_id is not None:
            with suppress(NotFound):  # somebody removed it before
                document_remove(organization=organization, user=None, document_id=row.document_id)
            state = WatchedState.REMOVED
        WatchedFile.objects.filter(pk=row.pk).update(state=state, reason="")
    return str(state)


def _files(organization: Organization, folder: WatchedFolder) -> dict[str, _Found]:
    """Every file below the folder, by its way from there; links are not followed, hidden files left out.

    Raises:
        OSError: the folder cannot be read.
        ApplicationError: it lies outside what may be watched, or holds more than MAX_FILES files.
    """
    root = _root(organization, folder)
    found: dict[str, _Found] = {}
    for parent, folders, names in os.walk(root, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent) / name
            if name.startswith(".") or path.is_symlink() or not path.is_file():
                continue
            about = path.stat()
            found[path.relative_to(root).as_posix()[:1000]] = _Found(path, about.st_size, about.st_mtime_ns)
            if len(found) > MAX_FILES:
                raise ApplicationError(
                    f"The folder holds more than {MAX_FILES:,} files. Watch smaller folders.", code="folder_too_large"
                )
    return found


def _root(organization: Organization, folder: WatchedFolder) -> Path:
    if folder.is_by_command:
        return Path(folder.path)
    home = watch_home(organization=organization)
    inside = _inside(home, folder.path) if home is not None else None
    if inside is None:
        raise ApplicationError("The operators no longer allow this folder to be watched.", code="folder_not_allowed")
    return inside


def _inside(home: Path, path: str) -> Path | None:
    """The folder `path` leads to from `home`, with all links resolved; None if it does not lie in there."""
    try:
        target = (home / path).resolve()
    except (OSError, ValueError):
        return None
    return target if target.is_relative_to(home.resolve()) else None


def _raise(error: OSError) -> None:
    raise error
