"""The two organisations of the isolation tests: committed once, every test's changes rolled back."""

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.committed import committed_fixture
from tests.isolation.callers import Callers, cookies_of
from tests.isolation.sessions import Sessions
from tests.isolation.world import World, make_world

committed_world = committed_fixture(make_world, scope="package")


@pytest.fixture(scope="package")
def cookies(committed_world: World, django_db_blocker: DjangoDbBlocker) -> dict[str, str]:
    """Sessions of everybody, signed in once."""
    with django_db_blocker.unblock():
        return cookies_of(committed_world)


@pytest.fixture(scope="package")
def sessions(cookies: dict[str, str]) -> Sessions:
    return Sessions(cookies)


@pytest.fixture
def sessions_seen(sessions: Sessions, django_db_blocker: DjangoDbBlocker) -> None:
    """Everybody was there within the last minute: written before the transaction of a test, which is rolled back."""
    with django_db_blocker.unblock():
        sessions.keep_seen()


@pytest.fixture
def world(committed_world: World, sessions_seen: None, db: None) -> World:
    return committed_world


@pytest.fixture
def callers(world: World, cookies: dict[str, str]) -> Callers:
    return Callers(world, cookies)
