"""Files that an interrupted upload left behind."""

import time
from pathlib import Path
from uuid import UUID

from django.conf import settings

from corpora.models import DocumentVersion
from legalqa.accounts.scoping import organization_scope

ORPHAN_AGE_S = 3600  # far longer than lies between a file's last byte and its row


def files_sweep() -> int:
    """Remove the stored files that no version refers to, once they are an hour old; returns how many."""
    root = Path(settings.FILES_ROOT)
    folders = [folder for folder in root.iterdir() if folder.is_dir()] if root.is_dir() else []
    return sum(_folder_sweep(folder) for folder in folders)


def _folder_sweep(folder: Path) -> int:
    newest = time.time() - ORPHAN_AGE_S
    old = [file for file in folder.iterdir() if file.stat().st_mtime < newest]
    if not old:
        return 0
    with organization_scope(UUID(folder.name), user=None):
        known = {str(file_id) for file_id in DocumentVersion.objects.values_list("file_id", flat=True)}
    orphans = [file for file in old if file.name not in known]
    for orphan in orphans:
        orphan.unlink(missing_ok=True)
    return len(orphans)
