"""Two people who act on one row at once: the second has read it, and then waits for what the first is writing."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic, sleep
from typing import TypeVar

from django.db import connection, connections

from legalqa.accounts.models import Organization, User
from legalqa.accounts.scoping import organization_scope

Result = TypeVar("Result")

LONGEST_S = 10


def somebody_waits() -> bool:
    """Whether a transaction waits for a lock that another holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])


def overtaken(organization: Organization, user: User, *, by: Callable[[], object], act: Callable[[], Result]) -> Result:
    """What `act` returns or raises, where `by` has written first and commits only once `act` waits for it.

    Both run in scopes of the organisation, `by` as `user` and in a thread; `act` opens its own.
    """
    is_written = Event()

    def first() -> None:
        with organization_scope(organization, user=user):
            by()
            is_written.set()
            deadline = monotonic() + LONGEST_S
            while not somebody_waits() and monotonic() < deadline:
                sleep(0.01)
        connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        faster = pool.submit(first)
        assert is_written.wait(LONGEST_S)
        try:
            return act()
        finally:
            faster.result()
