"""`results`: measure every figure that is to be reached, and say which are."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings

from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.reproduce.expected import expected_load
from legalqa.reproduce.report import page_write, report_document, screen_table
from legalqa.reproduce.running import is_current, names_chosen, row_measure, store, stored
from legalqa.reproduce.types import Context, Status


class Command(LegalQACommand):
    help = "Measure the figures of docs/results.md; each row is kept when it is done. Exit code 1 where one fails."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--data", default=settings.DATA, help="folder of the data sets")
        parser.add_argument("--only", nargs="+", default=[], metavar="ROW", help="measure these rows alone")
        parser.add_argument("--resume", action="store_true", help="keep rows measured on the same files and seed")
        parser.add_argument("--show", action="store_true", help="measure nothing, show what is kept")
        parser.add_argument("--soak", default=str(settings.BASE_DIR / "var" / "soak"))
        parser.add_argument("--page", metavar="FILE.md", default=str(settings.BASE_DIR / "docs" / "results.md"))

    def run(self, options: dict[str, Any]) -> None:
        expected, folder = expected_load(), settings.VAR / "results"
        names = names_chosen(expected, options["only"])
        if not options["show"]:
            self._measure(names, options, folder)
        rows = stored(folder, expected.rows)
        document = report_document(expected, rows)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "results.json").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        page_write(Path(options["page"]), expected, rows)
        self.emit(document, options, screen_table(expected, rows))
        if any(line["status"] == Status.FAIL and line["row"] in names for line in document["figures"]):
            raise SystemExit(1)

    def _data(self, options: dict[str, Any]) -> str:
        if not options["data"]:
            raise ApplicationError("Name the folder of the data sets with --data or LEGALQA_DATA.", code="no_data")
        return str(options["data"])

    def _measure(self, names: list[str], options: dict[str, Any], folder: Path) -> None:
        expected, data, soak = expected_load(), Path(self._data(options)), Path(options["soak"])
        earlier = stored(folder, names) if options["resume"] else {}
        for name in names:
            spec = expected.rows[name]
            if is_current(earlier.get(name), seed=expected.seed, spec=spec, data=data):
                self.note(f"{name}: kept")
                continue
            self.note(f"{name} …")
            context = Context(name, spec, data, settings.VAR, soak, expected.seed, self.progress)
            row = row_measure(context)
            store(folder, row)
            self.note(f"{name}: {row.reason or f'{row.seconds:.0f} s'}")
