"""One graph that several files read; nothing of it stays changed."""

from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.committed import committed
from tests.people import make_firm
from tests.retrieval.graph.world import Built, make_built


@pytest.fixture(scope="package")
def committed_graph(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Built]:
    yield from committed(django_db_blocker, lambda: make_built(make_firm("hiring", "Hiring & Partners")))


@pytest.fixture
def built(committed_graph: Built, db: None) -> Built:
    return committed_graph
