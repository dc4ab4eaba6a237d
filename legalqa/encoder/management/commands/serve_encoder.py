"""`serve_encoder`: the process that holds the embedding model, started by `up`."""

from typing import Any

from django.core.management.base import BaseCommand

from legalqa.encoder.server import serve
from legalqa.jobs.processes import die_with_parent


class Command(BaseCommand):
    help = "Hold the embedding model for all other processes. `up` starts this."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        die_with_parent()
        serve()
