"""Files that an interrupted upload left behind: put aside first, removed a week later."""

import logging
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from functools import cache
from uuid import UUID

from django.utils import timezone

from corpora.files import ASIDE, file_names, file_put_aside, file_storage, folder_names
from corpora.models import DocumentVersion
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.encoder.weights import weights_sweep

logger = logging.getLogger(__name__)

ORPHAN_AGE = timedelta(hours=1)  # far longer than the time between a file's last byte and its row
ASIDE_AGE = timedelta(days=7)  # time to notice that the files of one database were swept with another one connected


def files_sweep() -> int:
    """Put the stored files that no version refers to aside.

    Rule: a file is moved to `.orphans/<organization>/` once it is an hour old, and removed there after seven days.
    Folders of organisations that the connected database does not know are left alone: their files may belong to
    another database. What a version refers to is never removed, wherever it is. Weights of trained encoders that are
    in files only because they were used go once they were not for a week.

    Returns:
        How many files were moved.
    """
    weights_sweep()
    for orphan in _orphans_under(f"{ASIDE}/", age=ASIDE_AGE):
        file_storage().delete(orphan)
    return sum(_put_aside(orphan) for orphan in _orphans_under("", age=ORPHAN_AGE))


def _orphans_under(root: str, *, age: timedelta) -> Iterator[str]:
    """Files in the organisations' folders under `root` that are old enough and that no version refers to."""
    for folder in folder_names(root):
        if folder != ASIDE:
            yield from _orphans_in(f"{root}{folder}", age=age)


def _orphans_in(path: str, *, age: timedelta) -> list[str]:
    old = [name for name in file_names(path) if _is_older(name, age)]
    folder = path.rpartition("/")[2]
    organization_id = _organization_id(folder)
    if not old:
        return []
    if organization_id is None or not Organization.objects.filter(pk=organization_id).exists():
        _say_skipped(folder)
        return []
    with organization_scope(organization_id, user=None):
        file_ids = {str(file_id) for file_id in DocumentVersion.objects.values_list("file_id", flat=True)}
    return [name for name in old if name.rpartition("/")[2] not in file_ids]


def _is_older(name: str, age: timedelta) -> bool:
    with suppress(FileNotFoundError):  # an upload has just given it its name, or another sweep has taken it
        return file_storage().get_modified_time(name) < timezone.now() - age
    return False


def _organization_id(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None


@cache
def _say_skipped(name: str) -> None:
    """Once in the life of a process: the sweep comes back every hour."""
    logger.warning("files of %r are not swept: the database has no such organisation", name)


def _put_aside(orphan: str) -> bool:
    with suppress(FileNotFoundError):  # another sweep was faster
        file_put_aside(orphan)
        return True
    return False
