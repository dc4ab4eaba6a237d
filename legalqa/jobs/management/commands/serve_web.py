"""`serve_web`: the pages and the API, started by `up`."""

from argparse import ArgumentParser
from typing import Any

import uvicorn
from django.core.management.base import BaseCommand

from legalqa.jobs.processes import die_with_parent

GRACE_S = 8


class Command(BaseCommand):
    help = "Serve pages and API. `up` starts this; alone it serves without encoder and worker."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        die_with_parent()
        uvicorn.run(
            "legalqa.asgi:application",
            host=options["host"],
            port=options["port"],
            lifespan="off",
            access_log=False,
            log_config=None,  # ours: it leaves out what exceptions say
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=GRACE_S,
        )
