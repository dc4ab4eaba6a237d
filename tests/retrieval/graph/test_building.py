"""Building a graph from documents, and keeping it in line with them."""

import pytest
from pytest_django.fixtures import Settings

from corpora.models import Corpus
from corpora.services import document_remove
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job, JobState
from retrieval.graph import building
from retrieval.graph.building import graph_start, graph_work
from retrieval.graph.selectors import BUILD, triplet_list
from retrieval.models import Graph, GraphDocument, GraphEntity, GraphTriplet
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import SearchResult, corpus_search
from tests.crash_points import GRAPH_CRASH_POINTS
from tests.ingestion import ingest, make_corpus
from tests.people import Firm
from tests.retrieval.graph.world import LAW, Built, build, drawn, make_built, run_graph, statements

NEW_LAW = LAW.replace("10 business days", "20 business days").replace("five years", "six years")
pytestmark = pytest.mark.django_db


def search(built: Built, text: str, preset: str = "fixed-3", **settings: str) -> SearchResult:
    return corpus_search(
        request=SearchRequest(
            **built.firm.by_lawyer, corpus_id=built.corpus.pk, text=text, preset=preset_get(preset, settings)
        )
    )


def test_the_statements_of_a_law_are_in_its_graph(built: Built) -> None:
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


def test_a_changed_document_is_read_again_only_where_it_changed(firm: Firm) -> None:
    built = make_built(firm)
    with organization_scope(firm.organization, user=None):
        rows = GraphTriplet.objects.filter(corpus=built.corpus)
        is_changed = rows.filter(paragraph__text__contains="days") | rows.filter(paragraph__text__contains="five years")
        changed = set(is_changed.values_list("pk", flat=True))
        kept = set(rows.values_list("pk", flat=True)) - changed

    ingest(firm, built.corpus, "act.md", NEW_LAW)
    run_graph(_open_job(built))
    fresh = make_built(firm, NEW_LAW, "Built again")

    with organization_scope(firm.organization, user=None):
        after = set(rows.values_list("pk", flat=True))
        assert drawn(built.corpus) == drawn(fresh.corpus)
        assert kept <= after
        assert changed and not changed & after


def test_the_statements_of_a_removed_document_go(firm: Firm) -> None:
    built = make_built(firm)
    with organization_scope(firm.organization, user=firm.manager):
        document_remove(**firm.by_manager, document_id=built.law.document.pk)
        assert not triplet_list(corpus=built.corpus).exists()  # before the graph is built again
    run_graph(_open_job(built))

    with organization_scope(firm.organization, user=None):
        assert drawn(built.corpus) == (set(), set(), set())


def test_a_corpus_without_a_graph_gets_none_by_itself(firm: Firm) -> None:
    corpus = make_corpus(firm, files={"act.md": LAW})

    assert not Job.objects.filter(task=BUILD, subject_id=corpus.pk).exists()


def test_a_build_that_is_stopped_goes_on_where_it_was(firm: Firm, settings: Settings) -> None:
    corpus = make_corpus(firm, files={"act.md": LAW, "second.md": LAW.replace("Hiring", "Leasing")})
    settings.JOB_SLICE_S = 0
    with organization_scope(firm.organization, user=firm.manager):
        job = graph_start(**firm.by_manager, corpus_id=corpus.pk)

    graph_work(job_id=job.pk)
    with organization_scope(firm.organization, user=None):
        half = GraphDocument.objects.filter(corpus=corpus, version_id__isnull=False).count()

    assert half == 1
    assert run_graph(Job.objects.get(pk=job.pk)).state == JobState.DONE


@pytest.mark.parametrize("point", GRAPH_CRASH_POINTS)
def test_a_worker_that_dies_loses_and_doubles_nothing(
    built: Built, firm: Firm, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    corpus = make_corpus(firm, files={"act.md": LAW})
    passed: list[str] = []

    def die_once(name: str) -> None:
        passed.append(name)
        if passed.count(point) == 1 and name == point:
            raise RuntimeError(name)

    monkeypatch.setattr(building, "crash_point", die_once)  # a death between two steps
    assert build(firm, corpus).state == JobState.DONE

    with organization_scope(built.firm.organization, user=None):
        expected = drawn(built.corpus)
    with organization_scope(firm.organization, user=None):
        assert drawn(corpus) == expected


def test_documents_that_change_at_the_last_moment_are_read(firm: Firm, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = make_corpus(firm, files={"act.md": LAW})
    late = ["second.md"]

    def add_document(name: str) -> None:
        if name == "graph.linked" and late:
            ingest(firm, corpus, late.pop(), LAW.replace("Hiring", "Leasing"))

    monkeypatch.setattr(building, "crash_point", add_document)  # something happens between two steps
    build(firm, corpus)

    with organization_scope(firm.organization, user=None):
        assert GraphDocument.objects.filter(corpus=corpus, version_id__isnull=False).count() == 2
        assert Graph.objects.get(corpus=corpus).built_version == Corpus.objects.get(pk=corpus.pk).version


def _open_job(built: Built) -> Job:
    return Job.objects.get(task=BUILD, subject_id=built.corpus.pk, state=JobState.QUEUED)
