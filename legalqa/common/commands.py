"""The common part of all commands: the organisation, `--json`, and bad input as exit code 2 with one line."""

import json
import sys
from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

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
    """Standard output carries the answer and nothing else; progress goes to standard error.

    Attributes:
        acts: Of a command that does one of several things (its argument `action`): the options that each of them reads.
            An option that no act names goes with all of them.
    """

    requires_system_checks: list[str] = []
    acts: ClassVar[Mapping[str, Collection[str]]] = {}

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
        self.add_options(parser)
        of_acts = {name for names in self.acts.values() for name in names}
        self._of_acts: list[Action] = [option for option in parser._actions if option.dest in of_acts]
        self._defaults = {option.dest: option.default for option in self._of_acts}
        for option in self._of_acts:
            option.default = SUPPRESS  # one that is left out is not among the options

    def add_options(self, parser: ArgumentParser) -> None:
        """The command's own arguments."""

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            with database_refusals_told():
                self.run(self._of_act(options))
        except ApplicationError as error:
            raise CommandError(error.message, returncode=2) from None

    def _of_act(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options, those that were left out at their defaults.

        Raises:
            ApplicationError: an option is given that the act does not read.
        """
        for option in self._of_acts:
            if option.dest in options and option.dest not in self.acts[options["action"]]:
                name = option.option_strings[0] if option.option_strings else repr(options[option.dest])
                message = f"{name} does not go with {options['action']}. Leave it out."
                raise ApplicationError(message, code="bad_arguments")
        return self._defaults | options

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
