"""The two organisations of the isolation tests: committed once, every test's changes rolled back."""

from collections.abc import Iterator

import pytest
from django.db import connections
from pytest_django.plugin import DjangoDbBlocker

from tests.database import empty_test_database
from tests.isolation.callers import Callers, cookies_of
from tests.isolation.world import World, make_world


@pytest.fixture(scope="package")
def committed_world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with django_db_blocker.unblock():
        made = make_world()
    yield made
    with django_db_blocker.unblock():
        for connection in connections.all():
            connection.close()
        empty_test_database()


@pytest.fixture
def world(committed_world: World, db: None) -> World:
    return committed_world


@pytest.fixture(scope="package")
def cookies(committed_world: World, django_db_blocker: DjangoDbBlocker) -> dict[str, str]:
    """Sessions of everybody, signed in once."""
    with django_db_blocker.unblock():
        return cookies_of(committed_world)


@pytest.fixture
def callers(world: World, cookies: dict[str, str]) -> Callers:
    return Callers(world, cookies)
