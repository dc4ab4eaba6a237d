"""`serve_web`: the pages and the API, started by `up`."""

import sys
from argparse import ArgumentParser
from typing import Any

import uvicorn
from django.core.management.base import BaseCommand

from legalqa.common.static_files import static_update
from legalqa.common.web_door import server_settings
from legalqa.jobs.processes import die_with_parent, shared_listener

SWITCH_S = 0.001  # ours: with Python's default, a short request waits 5 ms each time that a long one computes
NOT_STARTED = 3  # uvicorn's own exit code for it


class Command(BaseCommand):
    help = "Serve pages and API. `up` starts this; run alone, it has no encoder and no worker."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--shared", action="store_true", help="accept connections from the socket that `up` shares")

    def handle(self, *args: Any, **options: Any) -> None:
        die_with_parent()
        sys.setswitchinterval(SWITCH_S)
        static_update()
        shared = [shared_listener()] if options["shared"] else None
        settings = server_settings(host=options["host"], port=options["port"])
        server = uvicorn.Server(uvicorn.Config("legalqa.asgi:application", **settings))
        server.run(sockets=shared)
        if not server.started:
            sys.exit(NOT_STARTED)
