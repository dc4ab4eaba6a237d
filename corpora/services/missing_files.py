"""Files that a watched folder no longer holds: reported at once, and removed from search at the second look in a row.

A share that is not mounted looks like a folder that somebody has emptied. So nothing is removed while all files are
missing, or most of them.
"""

from collections.abc import Container, Mapping
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from corpora.models import WATCHED_TRANSITIONS, Document, WatchedFile, WatchedFolder, WatchedState
from corpora.services.documents import document_remove
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import NotFound
from legalqa.common.transitions import sources

FEW = 5  # ours: of so few documents, most can be removed at once by a person who tidies up
GONE = (WatchedState.MISSING, WatchedState.REMOVED)


@dataclass(frozen=True, slots=True)
class Missing:
    """What a look did about files that are not there: newly missing, removed, or why none was removed."""

    missing: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    problem: str = ""


def files_missing(
    *, organization: Organization, folder: WatchedFolder, rows: Mapping[str, WatchedFile], found: Container[str]
) -> Missing:
    """Note which files are missing; the documents of those that were missing before go if the folder says so.

    Args:
        organization: Whose folder it is.
        folder: The folder.
        rows: Its files by name, as the look before left them.
        found: Names that this look found.
    """
    gone = [row for name, row in rows.items() if name not in found]
    newly = [row for row in gone if row.state not in GONE]
    again = [row for row in gone if row.state == WatchedState.MISSING and row.document_id is not None]
    for row in newly:
        _move(organization, row, WatchedState.MISSING)
    missing = tuple(row.name for row in newly)
    if not (folder.removes_missing and again):
        return Missing(missing)
    present, held = _documents(organization, folder)
    for row in again:
        if row.document_id not in present:  # somebody removed the document before
            _move(organization, row, WatchedState.REMOVED)
    files: dict[UUID, list[WatchedFile]] = {}
    for row in rows.values():
        if row.document_id in present and (row.state != WatchedState.REMOVED or row.name in found):
            files.setdefault(row.document_id, []).append(row)
    lost = [pk for pk, those in files.items() if not any(row.name in found for row in those)]
    if lost and (len(lost) == len(files) or (len(files) > FEW and 2 * len(lost) > len(files))):
        problem = (
            f"The files of {len(lost):,} of {len(files):,} documents are missing at once, so none was removed. Check"
            " that the folder is mounted. If the files are really gone, remove the documents from the corpus."
        )
        return Missing(missing, problem=problem)
    removed: list[str] = []
    for pk in lost:
        if all(row.state == WatchedState.MISSING for row in files[pk]):
            removed += _removed(organization, pk, files[pk], is_held=pk in held)
    return Missing(missing, tuple(removed))


def _documents(organization: Organization, folder: WatchedFolder) -> tuple[set[UUID], set[UUID]]:
    """Documents of a folder that nobody has removed, and those that another watched folder has a file of."""
    with organization_scope(organization, user=None):
        own = WatchedFile.objects.filter(folder=folder, document__isnull=False).values("document_id")
        present = Document.objects.filter(pk__in=own, removed_at=None).values_list("pk", flat=True)
        others = WatchedFile.objects.filter(document_id__in=own).exclude(folder=folder)
        others = others.exclude(state=WatchedState.REMOVED)
        return set(present), {pk for pk in others.values_list("document_id", flat=True) if pk is not None}


def _removed(organization: Organization, document_id: UUID, rows: list[WatchedFile], *, is_held: bool) -> list[str]:
    """Remove a document with its files; one that another folder holds stays, and is from now on that folder's alone."""
    with organization_scope(organization, user=None):
        if not is_held:
            with suppress(NotFound):  # somebody was faster
                document_remove(organization=organization, user=None, document_id=document_id)
        for row in rows:
            _move(organization, row, WatchedState.REMOVED)
    return [] if is_held else [row.name for row in rows]


def _move(organization: Organization, row: WatchedFile, state: WatchedState) -> None:
    with organization_scope(organization, user=None):
        before = WatchedFile.objects.filter(pk=row.pk, state__in=sources(WATCHED_TRANSITIONS, state))
        before.update(state=state, reason="")
