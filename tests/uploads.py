"""Where the uploads of a test are."""

from pathlib import Path
from uuid import UUID

from corpora.files import LocalFiles, file_name


def file_path(*, organization_id: UUID, file_id: UUID) -> Path:
    """Where a file of an organisation is in the local storage."""
    return Path(LocalFiles().path(file_name(organization_id=organization_id, file_id=file_id)))
