"""Building a graph from documents, and keeping it in line with them."""

from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from corpora.services import document_remove
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job, JobState
from retrieval.graph.building import BUILD
from retrieval.models import Graph, GraphEntity, GraphTriplet
from retrieval.pipelines.presets import preset_get
from retrieval.services.search import SearchResult, corpus_search
from tests.committed import committed
from tests.ingestion import ingest, make_corpus
from tests.people import make_firm
from tests.retrieval.graph.world import LAW, Built, build, drawn, make_built, run_graph, statements


pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Built]:
    yield from committed(django_db_blocker, lambda: make_built(make_firm("harding", "Harding & Stone")))


def search(built: Built, text: str, preset: str = "fixed-3", **settings: str) -> SearchResult:
    return corpus_search(
        organization=built.firm.organization,
        user=built.firm.lawyer,
        corpus_id=built.corpus.pk,
        text=text,
        preset=preset_get(preset, settings),
    )


def test_the_statements_of_a_law_stand_in_its_graph(built: Built) -> None:
    with organization_scope(built.firm.organization, user=built.firm.lawyer):
        found = statements(built.corpus)

    assert ("definition", "Hiring tool", "means", "any software that ranks candidates") in found
    assert ("permission", "An employer", "may use", "a hiring tool") in found
    assert ("reference", "§ 20-872", "refers to", "§ 20-871") in found
    assert {kind for kind, *_ in found} >= {"duty", "deadline", "condition", "amount", "definition", "reference"}


def test_short_and_long_form_singular_and_plural_are_one_entity(built: Built) -> None:
    with organization_scope(built.firm.organization, user=built.firm.lawyer):
        tool = GraphEntity.objects.get(corpus=built.corpus, key="n:hiring tool")

    assert (tool.kind, tool.aliases) == ("term", ["hiring tool", "ht"])
    assert tool.n_triplets >= 5


def test_paths_lead_from_the_question_to_statements_beside_the_passages(built: Built) -> None:
    result = search(built, "How long must the auditor keep records?", "hypa-2", classifier="off", k="1")

    assert any("five years" in side.text for side in result.side)
    assert {side.source.kind for side in result.side} == {"triplet"}
    step = next(timed for timed in result.times if timed.stage == "graph.v1")
    assert step.note.startswith("from auditor")
    assert "tokens" in step.note
