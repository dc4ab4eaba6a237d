"""Maintaining an installation: backups, restoring one, and checks."""

from legalqa.operations.services.backup import backup_make
from legalqa.operations.services.restore import RestoreFailed, restore_run
