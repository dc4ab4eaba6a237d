"""`serve_worker`: the queue's processes, started by `up`."""

from typing import Any

from django.core.management.base import BaseCommand
from django_q.cluster import Cluster

from legalqa.jobs.processes import descendants_die_with_parents, die_with_parent


class Command(BaseCommand):
    help = "Run background jobs. `up` starts this; run it alone on a second machine."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        die_with_parent()
        descendants_die_with_parents()
        Cluster().start()
