"""Rows that several tests share: committed once, emptied when the last of the tests is done."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar

import pytest
from django.db import connections
from pytest_django.plugin import DjangoDbBlocker

from tests.database import empty_test_database

T = TypeVar("T")


def committed(blocker: DjangoDbBlocker, make: Callable[[], T]) -> Iterator[T]:
    """The body of a fixture wider than a test: what `make` writes is really there, for every test that it serves.

    Tests beside it ask for `db`, so that their own changes are rolled back.
    """
    try:
        with blocker.unblock():
            made = make()
        yield made
    finally:
        with blocker.unblock():
            for connection in connections.all():
                connection.close()
            empty_test_database()


def committed_fixture(make: Callable[[], T], *, scope: Literal["module", "package"] = "module") -> Any:
    """A fixture of what `make` writes, under the name that it is assigned to; what `committed` says holds of it."""

    @pytest.fixture(scope=scope)
    def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[T]:
        yield from committed(django_db_blocker, make)

    return made
