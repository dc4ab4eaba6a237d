"""A corpus with its own vector index beside many small ones: the short form of the measurement at 100,000 chunks."""

from collections.abc import Iterator

import numpy as np
import pytest
from django.conf import settings
from django.test import override_settings
from pytest_django.plugin import DjangoDbBlocker

from corpora.hnsw import index_is_ready, live_windows
from legalqa.accounts.scoping import organization_scope
from legalqa.reproduce.benchmarks.scale import ScaleSize, SyntheticData, Tenant, dense_recalls, tenants_make
from legalqa.reproduce.benchmarks.scale_words import words_checks
from tests.committed import committed

SIZE = ScaleSize(big=2_500, tenants=5, small=60, queries=60)
SEED = 20871

World = tuple[SyntheticData, Tenant, list[Tenant]]


def make_world() -> World:
    data = SyntheticData(SEED)
    big, small = tenants_make(data=data, size=SIZE, note=lambda _: None)
    return data, big, small


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with override_settings(EXACT_SEARCH_MAX=1_000), django_db_blocker.unblock():
        yield from committed(django_db_blocker, make_world)


def test_the_large_corpus_is_searched_by_its_own_index_and_finds_nearly_all(world: World) -> None:
    data, big, _ = world

    found = dense_recalls(tenant=big, queries=data.vectors(SIZE.queries))

    with organization_scope(big.organization, user=None):
        assert live_windows(corpus=big.corpus) > settings.EXACT_SEARCH_MAX
    assert found.by_index
    assert float(np.mean(found.values)) >= 0.95


def test_small_tenants_beside_it_find_every_neighbour(world: World) -> None:
    data, _, small = world

    for tenant in small:
        with organization_scope(tenant.organization, user=None):
            assert not index_is_ready(corpus=tenant.corpus)
        assert set(dense_recalls(tenant=tenant, queries=data.vectors(10)).values) == {1.0}


def test_word_search_equals_brute_force_after_every_change(world: World) -> None:
    data, big, _ = world

    assert words_checks(tenant=big, data=data, n_operations=8, seed=SEED, note=lambda _: None) == [True] * 8
