"""One graph that several files read; nothing of it stays changed."""

import pytest

from tests.committed import committed_fixture
from tests.people import make_firm
from tests.retrieval.graph.world import Built, make_built

committed_graph = committed_fixture(lambda: make_built(make_firm("hiring", "Hiring & Partners")), scope="package")


@pytest.fixture
def built(committed_graph: Built, db: None) -> Built:
    return committed_graph
