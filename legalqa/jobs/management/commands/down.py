"""`down`: end what `up` started."""

import os
import signal
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings

from legalqa.common.commands import LegalQACommand
from legalqa.common.errors import ApplicationError
from legalqa.jobs.processes import end_leftovers
from legalqa.jobs.run_lock import run_lock, run_state, wait_until_free
from legalqa.jobs.supervisor import ENDING_S


class Command(LegalQACommand):
    help = "Stop what `up` started, wherever it runs on this machine; waits for work in progress."

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--now", action="store_true", help="do not wait; work in progress is repeated at the next start"
        )

    def run(self, options: dict[str, Any]) -> None:
        var = Path(settings.VAR)
        running = run_state(var)
        was_running = running is not None
        if running is not None and running.pid:
            with suppress(ProcessLookupError):
                os.kill(running.pid, signal.SIGTERM)
                if options["now"]:
                    os.kill(running.pid, signal.SIGINT)  # another signal: two of the same kind may arrive as one
            if not wait_until_free(var, wait_s=3 * ENDING_S + settings.JOB_SLICE_S):
                raise ApplicationError(
                    f"Process {running.pid} does not stop. Look at {var / 'log' / 'up.log'}, "
                    f"or end it with `kill -9 {running.pid}`; the next `up` cleans up after it.",
                    code="does_not_end",
                )
        with run_lock(var):
            leftovers = end_leftovers(str(var))
        self.emit(
            {"was_running": was_running, "leftovers": leftovers},
            options,
            f"LegalQA has stopped ({var})." if was_running or leftovers else f"Nothing is running on {var}.",
        )
