"""`up`: start everything."""

import subprocess
from argparse import ArgumentParser
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import OperationalError

from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.common.private import private_file, private_folder
from legalqa.jobs.processes import command_line, log_tail
from legalqa.jobs.run_lock import run_state
from legalqa.jobs.supervisor import Address, Supervisor

PATIENCE_S = 900.0  # ours: how long one stage of the start may take on a busy machine
TELL_S = 30.0  # between two lines that say what is still happening


class Command(LegalQACommand):
    help = "Start everything: database, migrations, encoder, pages, background worker. Ctrl-C stops everything."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000)")
        parser.add_argument("--workers", type=int, default=settings.WORKERS, help="background workers")
        parser.add_argument("--detach", action="store_true", help="return once the pages answer; `down` stops it")

    def run(self, options: dict[str, Any]) -> None:
        if not 0 < options["port"] < 65536:
            raise ApplicationError(f"--port is {options['port']}, but must be from 1 to 65535.", code="bad_port")
        if not 0 < options["workers"] <= 32:
            raise ApplicationError(f"--workers is {options['workers']}, but must be from 1 to 32.", code="bad_workers")
        if options["detach"]:
            url = self._detached(options)
        else:
            self.note("starting; the first start creates the database ...")
            try:
                Supervisor(
                    Address(options["host"], options["port"]), workers=options["workers"], announce=self._announce
                ).run()
            except OperationalError as error:
                raise ApplicationError(f"The database does not answer: {error}".strip(), code="database") from None
            return
        self.emit({"url": url}, options, f"LegalQA answers at {url} (log: {_log_file()}; `manage.py down` stops it)")

    def _announce(self, url: str) -> None:
        self.stdout.write(f"LegalQA answers at {url} (Ctrl-C stops it)")
        self.stdout.flush()

    def _detached(self, options: dict[str, Any]) -> str:
        """Start `up` in a session of its own and wait until it answers."""
        log = _log_file()
        private_folder(log.parent)
        command = command_line("up")
        for name in ("host", "port", "workers"):
            command += [f"--{name}", str(options[name])]
        with private_file(log) as handle:
            started = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=handle, stderr=handle, start_new_session=True
            )
        return self._wait(started, log)

    def _wait(self, started: "subprocess.Popen[bytes]", log: Path) -> str:
        """The address at which it answers; waits for as long as the start advances from stage to stage.

        Raises:
            CommandError: it has ended, or has been in one stage for PATIENCE_S.
        """
        stage, since, last_note = "starting", monotonic(), monotonic()
        while monotonic() - since < PATIENCE_S:
            if (code := started.poll()) is not None:
                raise CommandError(f"It did not start:\n{log_tail(log)}", returncode=code or 1)
            running = run_state(Path(settings.VAR))
            if running is not None and running.pid == started.pid:
                if running.url:
                    return running.url
                if running.stage not in ("", stage):
                    stage, since = running.stage, monotonic()
            if monotonic() - last_note >= TELL_S:
                last_note = monotonic()
                self.note(f"still {stage}, for {last_note - since:.0f} s ...")
            sleep(0.2)
        started.terminate()
        raise CommandError(
            f"It was still {stage} after {PATIENCE_S / 60:.0f} minutes and was stopped:\n{log_tail(log)}", returncode=1
        )


def _log_file() -> Path:
    return Path(settings.VAR) / "log" / "up.log"
