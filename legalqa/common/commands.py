"""The common part of all commands: the organisation, `--json`, and bad input as exit code 2 with one line."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import Error as DatabaseError

from legalqa.common.database.refusals import refusal_of
from legalqa.common.errors import ApplicationError
from legalqa.common.text_files import file_at


@contextmanager
def database_refusals_told() -> Iterator[None]:
    """End the command with one sentence and exit code 2 if the database refuses what the block asks for."""
    try:
        yield
    except DatabaseError as error:
        if (refusal := refusal_of(error)) is None:
            raise
        raise CommandError(refusal.message, returncode=2) from None


class LegalQACommand(BaseCommand):
    """Standard output carries the answer and nothing else; progress goes to standard error."""

    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
        self.add_options(parser)

    def add_options(self, parser: ArgumentParser) -> None:
        """The command's own arguments."""

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            with database_refusals_told():
                self.run(options)
        except ApplicationError as error:
            raise CommandError(error.message, returncode=2) from None

    def run(self, options: dict[str, Any]) -> None:
        """What the command does; ApplicationError ends it with exit code 2."""

    def file_named(self, options: dict[str, Any], *, is_read: bool) -> Path:
        """The file that `--file` names.

        Raises:
            ApplicationError: it was left out, it is to be read and is not there, or it has no folder to be written to.
        """
        if options["file"] is None:
            raise ApplicationError("Name the file with --file FILE.", code="bad_arguments")
        if is_read:
            return file_at(options["file"])
        file = Path(options["file"])
        if file.is_dir() or not file.parent.is_dir():
            raise ApplicationError(f"No file can be written at {str(file)!r}. Check the path.", code="no_such_file")
        return file

    def emit(self, document: dict[str, Any], options: dict[str, Any], table: str) -> None:
        """Print the JSON document, or the table for people."""
        if options["json"]:
            self.stdout.write(json.dumps(document, ensure_ascii=False, default=str))
        else:
            self.stdout.write(table)

    def note(self, text: str) -> None:
        """A line for people, on standard error."""
        print(text, file=sys.stderr, flush=True)  # noqa: T201 - standard output carries the answer alone

    def progress(self, text: str) -> None:
        """Progress on one line that rewrites itself; nothing if standard error is not a terminal."""
        if sys.stderr.isatty():
            print(f"\r{text:60}", end="", file=sys.stderr, flush=True)  # noqa: T201 - as above
