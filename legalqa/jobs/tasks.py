"""Background entry points of the queue itself."""

from legalqa.jobs import services, turns


def job_work() -> None:
    turns.job_work()


def heartbeat_write() -> None:
    services.heartbeat_write()
