"""Fixtures from the domain: firms, their people, and a database used as the application's own role."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connections
from django.db.backends.signals import connection_created
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.llm.wire import sdk_load
from tests import named
from tests.balance import Sharing, longest_first
from tests.database import create_test_database, empty_test_database
from tests.people import Firm, make_firm, signed_in
from tests.provider import ScriptedProvider, provider_running


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    longest_first(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Sharing:
    return Sharing(config, log)


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with django_db_blocker.unblock():
        create_test_database()
    yield
    for connection in connections.all():
        connection.close()


@pytest.fixture(autouse=True)
def every_query_names_its_organization() -> Iterator[None]:
    connection_created.connect(named.watch)
    yield
    nameless, named.nameless[:] = sorted(set(named.nameless)), []
    assert not nameless, "\n".join(nameless)


@pytest.fixture
def committed_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A database whose transactions really commit; emptied afterwards."""
    with django_db_blocker.unblock():
        yield
        for connection in connections.all():
            connection.close()
        empty_test_database()


@pytest.fixture
def firm(db: None) -> Firm:
    return make_firm("harding", "Harding & Stone")


@pytest.fixture
def rivals(db: None) -> Firm:
    return make_firm("rivals", "Rival Chambers")


@pytest.fixture
def inside(firm: Firm) -> Iterator[Firm]:
    """The test runs inside the firm, as its corpus manager."""
    with organization_scope(firm.organization, user=firm.manager):
        yield firm


@pytest.fixture
def client_of() -> Callable[[User], Client]:
    """A browser in which the person is signed in."""
    return signed_in


@pytest.fixture(scope="session")
def sdk() -> None:
    """Loaded before any transaction is open: it takes seconds, once."""
    sdk_load()


@pytest.fixture
def scripted_provider() -> Iterator[ScriptedProvider]:
    """A provider of language models on loopback, at `url`; see tests/provider.py for what it can say."""
    yield from provider_running()
