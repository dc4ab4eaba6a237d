"""Keeping an installation: copies of it, bringing one back, and what is wrong with it."""

from legalqa.operations.services.backup import Backup, backup_make
from legalqa.operations.services.restore import Restored, RestoreFailed, restore_run

__all__ = ["Backup", "RestoreFailed", "Restored", "backup_make", "restore_run"]
