"""The two organisations of the isolation tests: committed once, every test's changes rolled back."""

from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.committed import committed
from tests.isolation.callers import Callers, cookies_of
from tests.isolation.sessions import Sessions
from tests.isolation.world import World, make_world


@pytest.fixture(scope="package")
def committed_world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    yield from committed(django_db_blocker, make_world)


@pytest.fixture
def world(committed_world: World, db: None) -> World:
    return committed_world


@pytest.fixture(scope="package")
def cookies(committed_world: World, django_db_blocker: DjangoDbBlocker) -> dict[str, str]:
    """Sessions of everybody, signed in once."""
    with django_db_blocker.unblock():
        return cookies_of(committed_world)


@pytest.fixture(scope="package")
def sessions(cookies: dict[str, str]) -> Sessions:
    return Sessions(cookies)


@pytest.fixture
def seen_cookies(sessions: Sessions, django_db_blocker: DjangoDbBlocker) -> dict[str, str]:
    """The cookies of sessions that were seen within the last minute."""
    with django_db_blocker.unblock():
        sessions.keep_seen()
    return sessions.cookies


@pytest.fixture
def callers(seen_cookies: dict[str, str], world: World) -> Callers:
    return Callers(world, seen_cookies)
