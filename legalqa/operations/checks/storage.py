"""The data folder, and whether uploads and rows agree."""

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.files.base import ContentFile

from corpora.files import HALF, file_names, file_storage
from corpora.models import DocumentVersion
from legalqa.accounts.models import Organization
from legalqa.accounts.scoping import organization_scope
from legalqa.operations.archive import SECRET_NAMES
from legalqa.operations.checks.types import Check, fail, ok, warn

OTHERS = 0o077  # a file's permissions for its group and for everybody


def writable() -> Check:
    try:
        file_storage().delete(file_storage().save("writable", ContentFile(b"x")))
    except OSError as error:
        return fail(
            f"{error.strerror or error}",
            "Allow the user that runs LegalQA to write to the data folder, and free some space there.",
        )
    return ok("can be written")


def private() -> Check:
    """Whether other users of the machine can read keys or uploads."""
    var = Path(settings.VAR)
    secrets = [var / name for name in SECRET_NAMES]
    open_secrets = [file.name for file in secrets if file.exists() and file.stat().st_mode & OTHERS]
    if open_secrets:
        return fail(f"others may read {', '.join(open_secrets)}", "chmod 600 these files, and create new keys.")
    root = Path(settings.FILES_ROOT)
    folders = [folder for folder in root.iterdir() if folder.is_dir()] if root.is_dir() else []
    if any(folder.stat().st_mode & OTHERS for folder in folders):
        return warn("other users may enter folders of uploads", "chmod 700 the folders in var/files.")
    return ok("closed to others")


def documents_have_files() -> Check:
    missing = [file_id for row_ids, stored in _by_organization() for file_id in row_ids - stored]
    if missing:
        names = ", ".join(sorted(missing)[:3])
        return fail(f"{len(missing)} uploads are missing ({names} …)", "Copy var/files from a backup.")
    return ok("every document has its file")


def no_orphans() -> Check:
    n_orphans = sum(len(stored - row_ids) for row_ids, stored in _by_organization())
    if n_orphans:
        return warn(f"{n_orphans} files without a document", "Nothing: they are moved aside within the hour.")
    return ok("every file has its document")


def _by_organization() -> Iterator[tuple[set[str], set[str]]]:
    """For each organisation the uploads that its rows refer to, and those in the storage."""
    for organization_id in Organization.objects.values_list("pk", flat=True):
        with organization_scope(UUID(str(organization_id)), user=None):
            row_ids = {str(file_id) for file_id in DocumentVersion.objects.values_list("file_id", flat=True)}
        stored = {name.rpartition("/")[2] for name in file_names(str(organization_id)) if not name.endswith(HALF)}
        yield row_ids, stored
