"""Keeping an installation: copies of it, bringing one back, and what is wrong with it."""

from legalqa.operations.services.backup import backup_make
from legalqa.operations.services.restore import RestoreFailed, restore_run
