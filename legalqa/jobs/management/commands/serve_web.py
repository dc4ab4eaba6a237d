"""`serve_web`: the pages and the API, started by `up`."""

import sys
from argparse import ArgumentParser
from typing import Any

import uvicorn
from django.core.management.base import BaseCommand

from legalqa.common.static_files import static_update
from legalqa.common.web_door import server_settings
from legalqa.jobs.processes import die_with_parent

SWITCH_S = 0.001  # ours: a short request does not wait 5 ms, Python's own number, each time a long one computes


class Command(BaseCommand):
    help = "Serve pages and API. `up` starts this; alone it serves without encoder and worker."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        die_with_parent()
        sys.setswitchinterval(SWITCH_S)
        static_update()
        uvicorn.run("legalqa.asgi:application", **server_settings(host=options["host"], port=options["port"]))
