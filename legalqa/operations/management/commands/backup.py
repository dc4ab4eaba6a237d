"""`backup`: one file with everything, made while the product runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from legalqa.common.commands import LegalQACommand
from legalqa.operations.services import backup_make

WARNING = (
    "The archive contains secret keys: anyone who has it can sign in as anybody and read encrypted data. Keep it "
    "apart from ordinary backups."
)
WITHOUT = (
    "Secret keys are not in it: keep copies of secret_key and field_keys elsewhere (--with-secrets includes them). "
    "If restored without them, people must sign in again, and second factors and other encrypted fields cannot be read."
)


class Command(LegalQACommand):
    help = "Write database and uploads to one file; LegalQA can keep running."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", nargs="?", type=Path, help="file to write (backups/legalqa-<time>.tar in var)")
        parser.add_argument(
            "--with-secrets", action="store_true", help="include secret_key and field_keys; keep such a file safe"
        )

    def run(self, options: dict[str, Any]) -> None:
        backup = backup_make(path=options["path"], with_secrets=options["with_secrets"], progress=self.progress)
        manifest = backup.manifest
        self.note(WARNING if manifest.secrets else WITHOUT)
        if manifest.files_missing:
            self.note(f"{len(manifest.files_missing)} documents have no file on disk; `doctor` names them.")
        n_rows, n_files = sum(manifest.tables.values()), len(manifest.files)
        document = {
            "path": str(backup.path),
            "bytes": backup.size,
            "seconds": round(backup.seconds, 2),
            "tables": manifest.tables,
            "rows": n_rows,
            "files": n_files,
            "files_missing": manifest.files_missing,
            "secrets": manifest.secrets,
        }
        self.emit(
            document,
            options,
            f"{backup.path}: {n_rows} rows of {len(manifest.tables)} tables, {n_files} files, "
            f"{backup.size / 1e6:.1f} MB in {backup.seconds:.1f} s.",
        )
