"""`restore`: bring a backup back into a stopped installation."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.operations.services import RestoreFailed, restore_run

CONFIRMATION = "replace"


class Command(LegalQACommand):
    help = "Restore a backup: it is checked completely before anything is written, then restored in full or not at all."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="a file that `backup` made")
        parser.add_argument("--replace", action="store_true", help="delete what this installation contains now")
        parser.add_argument("--yes", action="store_true", help="do not ask before replacing")

    def run(self, options: dict[str, Any]) -> None:
        if options["replace"] and not options["yes"]:
            self._confirm()
        try:
            restored = restore_run(path=options["path"], is_replacing=options["replace"], progress=self.progress)
        except RestoreFailed as error:
            raise CommandError(f"The restore failed and nothing was changed: {error}", returncode=1) from None
        manifest = restored.manifest
        n_rows = sum(manifest.tables.values())
        document = {
            "path": str(options["path"]),
            "created_at": manifest.created_at,
            "version": manifest.version,
            "tables": manifest.tables,
            "rows": n_rows,
            "files": len(manifest.files),
            "files_missing": manifest.files_missing,
            "secrets": manifest.secrets,
            "migrations_run": restored.n_migrations,
            "audit": [report.document() for report in restored.chains],
            "seconds": round(restored.seconds, 2),
        }
        self.emit(
            document,
            options,
            f"Restored the backup of {manifest.created_at}: {n_rows} rows, {len(manifest.files)} files, "
            f"{restored.n_migrations} migrations applied, {restored.seconds:.1f} s.",
        )
        if names := [report.organization for report in restored.chains if report.broken]:
            raise CommandError(
                f"Everything was restored, but the audit log of {', '.join(names)} was changed after it was written, "
                f"before the backup was made. `manage.py audit verify` says where.",
                returncode=1,
            )

    def _confirm(self) -> None:
        if not sys.stdin.isatty():
            raise ApplicationError("--replace needs --yes when there is no terminal.", code="confirmation_needed")
        answer = input(f"Everything in this installation will be lost. Type {CONFIRMATION} to continue: ")
        if answer.strip() != CONFIRMATION:
            raise ApplicationError("Nothing was changed.", code="not_confirmed")
