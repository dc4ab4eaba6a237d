"""Two committed organisations behind a running server."""

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from tests.committed import committed_fixture
from tests.isolation.world import World, make_world
from tests.live import LiveServer

world = committed_fixture(make_world)


@pytest.fixture(scope="module")
def server(world: World, django_db_blocker: DjangoDbBlocker) -> Iterator[LiveServer]:
    """Its threads use the database, so it stays unblocked as long as they run."""
    with django_db_blocker.unblock():
        running = LiveServer()
        yield running
        running.close()
