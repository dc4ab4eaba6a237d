"""Files that an interrupted upload left behind: put aside first, removed a week later."""

import logging
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from uuid import UUID

from django.conf import settings

from corpora.models import DocumentVersion
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.encoder.weights import weights_sweep

logger = logging.getLogger(__name__)

ORPHAN_AGE_S = 3600  # far longer than lies between a file's last byte and its row
ASIDE = ".orphans"  # beside the organisations' folders, in the same file system: a file moves there without a copy
ASIDE_AGE_S = 7 * 86_400  # time to notice that the files of one database were swept with another one connected


def files_sweep() -> int:
    """Put the stored files that no version refers to aside.

    Rule: a file is moved to `.orphans/<organization>/` once it is an hour old, and removed there after seven days.
    Folders of organisations that the connected database does not know are left alone: their files may belong to
    another database. What a version refers to is never removed, wherever it lies. Weights of trained encoders that lie
    in files only because they were used go once they were not for a week.

    Returns:
        How many files were moved.
    """
    weights_sweep()
    root = Path(settings.FILES_ROOT)
    for orphan in _orphans_under(root / ASIDE, age_s=ASIDE_AGE_S):
        orphan.unlink(missing_ok=True)
    return sum(_put_aside(orphan, root / ASIDE) for orphan in _orphans_under(root, age_s=ORPHAN_AGE_S))


def _orphans_under(root: Path, *, age_s: int) -> Iterator[Path]:
    """Files in the organisations' folders under `root` that are old enough and that no version refers to."""
    for folder in root.iterdir() if root.is_dir() else ():
        if folder.is_dir() and folder.name != ASIDE:
            yield from _orphans_in(folder, newest=time.time() - age_s)


def _orphans_in(folder: Path, *, newest: float) -> list[Path]:
    old = [file for file in folder.iterdir() if _is_older(file, newest)]
    organization_id = _organization_id(folder.name)
    if not old:
        return []
    if organization_id is None or not Organization.objects.filter(pk=organization_id).exists():
        _say_skipped(folder.name)
        return []
    with organization_scope(organization_id, user=None):
        known = {str(file_id) for file_id in DocumentVersion.objects.values_list("file_id", flat=True)}
    return [file for file in old if file.name not in known]


def _is_older(file: Path, newest: float) -> bool:
    with suppress(FileNotFoundError):  # an upload has just given it its name, or another sweep has taken it
        return file.is_file() and file.stat().st_mtime < newest
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


def _put_aside(orphan: Path, aside: Path) -> bool:
    folder = aside / orphan.parent.name
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(FileNotFoundError):  # another sweep was faster
        os.utime(orphan)  # its seven days begin now
        orphan.rename(folder / orphan.name)
        return True
    return False
