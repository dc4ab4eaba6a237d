"""Folders that feed a corpus: looked at again and again, each file taken once, and none half-written.

A file is taken when two looks in a row find it with the same size and time, and when neither changed while it was
read. Links are never followed (`handles.py`). What was taken is written down with the file's size and time, so that a
restart takes nothing twice; a kill between taking and writing down ends in the refusal of a duplicate, which counts as
taken. Files are polled, because notifications of the system are lost on network folders and across restarts.
"""

import errno
import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from time import monotonic
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from corpora.models import WATCHED_TRANSITIONS, Document, WatchedFile, WatchedFolder, WatchedState
from corpora.selectors import corpus_get
from corpora.services.handles import (
    Changing,
    FolderEntry,
    file_parts,
    files_found,
    folder_opened,
    folders_found,
    way_within,
)
from corpora.services.missing_files import GONE, Missing, files_missing
from corpora.services.uploads import document_upload
from corpora.services.watched_names import same_document, watched_name, way_check, way_is_text, way_shown
from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, Conflict, DiskFull, existing
from legalqa.common.transitions import sources
from legalqa.jobs.use import bytes_check

logger = logging.getLogger(__name__)

MAX_SHOWN = 500
BUSY = timedelta(minutes=10)  # how long a look may be without a sign of life
LOOK_S = 5.0  # ours: seconds after which a look takes nothing more, so that other organisations have their turn
MAX_FILES = 20_000  # ours: more in one folder is a mistake in its path more often than a corpus
FAULT = "A fault of ours stopped the check of this folder; it is tried again. The operator finds the cause in the log."


@dataclass(frozen=True, slots=True)
class Look(Missing):
    """What one look at a folder did; `job_ids` read what was taken."""

    taken: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    job_ids: tuple[UUID, ...] = ()


def watch_home(*, organization: Organization) -> Path | None:
    """The organisation's own folder below WATCH_ROOT; None where the operators allow no watching."""
    return Path(settings.WATCH_ROOT).resolve() / organization.slug if settings.WATCH_ROOT else None


def folders_available(*, organization: Organization) -> list[str]:
    """Folders that a manager may choose, as ways from the organisation's own: it and two levels below."""
    home = watch_home(organization=organization)
    if home is None or not home.is_dir():
        return []
    with folder_opened(home=home, way=".") as handle:
        found = folders_found(folder=handle, levels=2)
        return [".", *sorted(way for way in found if way_is_text(way=way))][:MAX_SHOWN]


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
        NotFound: no such corpus, or you have no access to it.
        ApplicationError: the folder is not there, or not one that may be watched.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    folder_path = _checked_folder(path) if is_by_command else _checked_way(organization, path)
    folder, _ = WatchedFolder.objects.update_or_create(
        organization=organization,
        corpus=corpus,
        path=folder_path,
        is_by_command=is_by_command,
        defaults={"removes_missing": removes_missing},
    )
    audit(organization=organization, actor=user, action="folder.watched", subject_id=folder.pk)
    return folder


def _checked_folder(path: str) -> str:
    with suppress(OSError, ValueError), folder_opened(home=Path(path), way="."):
        return str(Path(path).resolve())
    raise ApplicationError(f"There is no folder {path[:80]!r}. Check the path.", code="no_such_file")


def _checked_way(organization: Organization, path: str) -> str:
    home, longest = watch_home(organization=organization), WatchedFolder._meta.get_field("path").max_length
    with suppress(OSError, ValueError):
        way = way_within(path=path)
        if home is not None and len(way) <= (longest or 0):
            with folder_opened(home=home, way=way):
                return way
    raise ApplicationError(
        "This folder cannot be watched. Choose one from the list; the operator can add others.",
        code="folder_not_allowed",
    )


def folder_unwatch(*, organization: Organization, user: User, folder_id: UUID) -> WatchedFolder:
    """Look at a folder no more; what was taken from it stays.

    Raises:
        NotFound: no such folder, or you have no access to its corpus.
    """
    folder = folder_get(organization=organization, folder_id=folder_id)
    audit(organization=organization, actor=user, action="folder.unwatched", subject_id=folder.pk)
    WatchedFolder.objects.filter(pk=folder.pk).delete()
    return folder


def folder_get(*, organization: Organization, folder_id: UUID) -> WatchedFolder:
    """A watched folder of a corpus that the active person may see."""
    folder = existing(WatchedFolder.objects.filter(organization=organization, pk=folder_id).first(), "folder")
    corpus_get(organization=organization, corpus_id=folder.corpus_id)
    return folder


def folders_look() -> int:
    """Look at every folder that managers have watched, as background work; returns how many were looked at.

    A fault in one folder must not stop the others. It is logged once, and again after a look without it.
    """
    n_looks = 0
    for organization in Organization.objects.all() if settings.WATCH_ROOT else ():
        with organization_scope(organization, user=None):
            folders = list(WatchedFolder.objects.filter(is_by_command=False).values_list("pk", "problem"))
        for pk, problem in folders:
            try:
                n_looks += folder_look(organization=organization, folder_id=pk) is not None
            except Exception as error:
                if problem != FAULT:
                    logger.exception("watched folder %s: %s", pk, type(error).__name__)
    return n_looks


def folder_look(*, organization: Organization, folder_id: UUID) -> Look | None:
    """Look at a folder once: take what is new and stable, and say what went missing; None while another process looks.

    Opens its own short transactions: nothing is held while a file is read. A fault that nobody expected is raised, and
    said in the folder's `problem`.
    """
    now = timezone.now()
    with organization_scope(organization, user=None):
        folders = WatchedFolder.objects.filter(pk=folder_id)
        free = folders.filter(Q(busy_until=None) | Q(busy_until__lt=now))
        if not free.update(busy_until=now + BUSY):
            return None
        folder = folders.get()
        rows = {file.name: file for file in WatchedFile.objects.filter(folder=folder)}
    look, problem = Look(), ""
    try:
        home, way = _place(organization, folder)
        with folder_opened(home=home, way=way) as handle:
            look = _compared(organization, folder, handle, rows)
            problem = look.problem
    except OSError as error:
        problem = f"The folder cannot be read: {error.strerror or 'it is gone'}."
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            problem = "The folder cannot be read: it is a link, and links are not followed."
    except ApplicationError as error:
        problem = error.message
    except Exception:
        problem = FAULT
        raise
    finally:
        with organization_scope(organization, user=None):
            folders.update(busy_until=None, looked_at=timezone.now(), problem=problem[:200])
    return look if look.problem or not problem else Look(problem=problem)


def _compared(organization: Organization, folder: WatchedFolder, handle: int, rows: dict[str, WatchedFile]) -> Look:
    files = _files(handle)
    lists: dict[str, list[str]] = {"taken": [], "refused": [], "waiting": []}
    jobs: list[UUID] = []
    gone = files_missing(organization=organization, folder=folder, rows=rows, found=files)
    problem = gone.problem
    until = monotonic() + LOOK_S
    for name, file in files.items():
        if monotonic() > until:  # the others in their turn; what is left is found by the next look
            break
        row = rows.get(name)
        is_same = row is not None and (row.size, row.modified_ns) == (file.size, file.modified_ns)
        if row is None or not is_same or row.state in GONE:
            _note(organization, folder, name, file, WatchedState.SEEN)
            lists["waiting"].append(name)
        elif row.state == WatchedState.SEEN:
            try:
                state, job_id = _take(organization, folder, handle, name, file)
            except (Conflict, DiskFull) as error:  # a limit, and no fault of the file: it is taken at a later look
                problem = problem or error.message
                lists["waiting"].append(name)
                continue
            lists[state].append(name)
            jobs += [job_id] if job_id else []
    done = {state: tuple(names) for state, names in lists.items()}
    return Look(**done, missing=gone.missing, removed=gone.removed, job_ids=tuple(jobs), problem=problem)


def _take(
    organization: Organization, folder: WatchedFolder, handle: int, name: str, file: FolderEntry
) -> tuple[str, UUID | None]:
    """Upload a file that was found unchanged twice; one that changes while it is read waits for the next looks.

    Raises:
        Conflict, DiskFull: a limit of the organisation or of the disk is reached; it is asked before the file is read.
    """
    bytes_check(organization=organization, size=file.size)
    try:
        way_check(way=file.way)
        with organization_scope(organization, user=None):
            document = watched_name(folder=folder, name=name)
        upload = document_upload(
            organization=organization,
            user=None,
            corpus_id=folder.corpus_id,
            name=document,
            parts=file_parts(folder=handle, file=file),
        )
    except Changing:
        _note(organization, folder, name, FolderEntry(name, 0, 0), WatchedState.SEEN)
        return "waiting", None
    except Conflict as error:
        if error.code != "duplicate_file":
            raise
        with organization_scope(organization, user=None):
            same = same_document(folder=folder, name=name, document_id=UUID(error.extra["document_id"]))
        _note(organization, folder, name, file, WatchedState.TAKEN, reason=error.message, document=same)
        return "taken", None
    except DiskFull:
        raise
    except ApplicationError as error:
        _note(organization, folder, name, file, WatchedState.REFUSED, reason=error.message)
        return "refused", None
    _note(organization, folder, name, file, WatchedState.TAKEN, document=upload.document)
    return "taken", upload.job.pk


def _note(
    organization: Organization,
    folder: WatchedFolder,
    name: str,
    file: FolderEntry,
    state: WatchedState,
    *,
    reason: str = "",
    document: Document | None = None,
) -> None:
    values = {"size": file.size, "modified_ns": file.modified_ns, "state": state, "reason": reason[:400]}
    with organization_scope(organization, user=None):
        WatchedFolder.objects.filter(pk=folder.pk).update(busy_until=timezone.now() + BUSY)
        if document is not None:
            values["document"] = document
        files = WatchedFile.objects.filter(organization=organization, folder=folder, name=name)
        before = files.filter(state__in=sources(WATCHED_TRANSITIONS, state))
        if not before.update(**values) and state == WatchedState.SEEN:  # the first look that finds it
            WatchedFile.objects.get_or_create(organization=organization, folder=folder, name=name, defaults=values)


def _files(handle: int) -> dict[str, FolderEntry]:
    """Every file below the folder, by the name that it is listed by: its way from there.

    Raises:
        OSError: the folder cannot be read.
        ApplicationError: it holds more than MAX_FILES files.
    """
    files: dict[str, FolderEntry] = {}
    for file in files_found(folder=handle):
        files[way_shown(way=file.way, others=files)] = file
        if len(files) > MAX_FILES:
            raise ApplicationError(
                f"The folder contains more than {MAX_FILES:,} files. Watch smaller folders.", code="folder_too_large"
            )
    return files


def _place(organization: Organization, folder: WatchedFolder) -> tuple[Path, str]:
    """Where a watched folder is: a place that the operators chose, and the way from there."""
    if folder.is_by_command:
        return Path(folder.path), "."
    home = watch_home(organization=organization)
    if home is None:
        raise ApplicationError(
            "The operator no longer allows this folder to be watched. Choose another, or ask the operator.",
            code="folder_not_allowed",
        )
    return home, folder.path
