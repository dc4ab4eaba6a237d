"""Background entry points of the queue itself."""

from legalqa.jobs import services


def heartbeat_write() -> None:
    services.heartbeat_write()
