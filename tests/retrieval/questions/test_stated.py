"""Questions that templates make of what the knowledge graph states, beside those of the sentences."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.urls import reverse
from pytest_django.plugin import DjangoDbBlocker

from corpora.provisions.types import Part
from legalqa.accounts.scopes import TokenScope
from legalqa.accounts.scoping import organization_scope
from legalqa.common.sentences import sentence_spans
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import job_cancel
from retrieval.graph.reviewing import graph_decide
from retrieval.graph.rules.reading import triplets_of, units_of
from retrieval.models import AskedParagraph, GraphTriplet
from retrieval.questions.building import BY_GRAPH, BY_TEMPLATES, TASK
from retrieval.questions.sentences import QuestionBasis, Stated, paragraphs_asked
from retrieval.questions.services import indexes_refresh
from tests.committed import committed
from tests.corpora.switching import again
from tests.ingestion import ingest, make_corpus
from tests.pages import one_line
from tests.people import make_firm, signed_in
from tests.retrieval.graph.world import build as build_graph
from tests.retrieval.graph.world import run_graph
from tests.retrieval.questions.library import Library, build, build_again, questions, words

TWO_DUTIES = "The notified body shall inform the provider within 10 days and shall keep the certificate for two years."
LAW = f"# Notified bodies\n\n## Duties\n\n{TWO_DUTIES}\n\nThe provider shall pay the fee of the notified body.\n"
KEEPING = "For how long must the notified body keep the certificate?"
INFORMING = "Within what period must the notified body inform the provider?"


def asked(text: str) -> QuestionBasis:
    """A paragraph with what the rules of the graph read in it."""
    parts = [Part(0, text, "text", role="operative")]
    triplets = [one for unit in units_of(parts) for one in triplets_of(parts, unit)]
    stated = [Stated.of(one.kind, one.subject, one.predicate, one.object, (one.start, one.end)) for one in triplets]
    return next(paragraphs_asked(parts, {0: [one for one in stated if one is not None]}))


def test_two_duties_in_one_sentence_are_asked_about_one_by_one() -> None:
    made = {written.text: written for written in asked(TWO_DUTIES).questions(7)}
    without = {written.text for written in replace(asked(TWO_DUTIES), stated=()).questions(7)}

    assert {KEEPING, INFORMING} <= made.keys() - without
    assert made[KEEPING].is_stated
    assert made[KEEPING].references == ((7, *sentence_spans(TWO_DUTIES)[0]),)
    assert not [written for text, written in made.items() if text in without and written.is_stated]


def test_a_definition_is_asked_about_by_its_term() -> None:
    one = Stated.of("definition", "bias audit", "means", "an impartial evaluation by an auditor", (0, 9))

    assert one == Stated("“bias audit” means an impartial evaluation by an auditor.", 0, 9)


@pytest.mark.parametrize(("kind", "said"), [("reference", "Article 6"), ("deadline", "the report … within 30 days")])
def test_what_is_no_rule_or_was_shortened_is_not_asked_about(kind: str, said: str) -> None:
    assert Stated.of(kind, "The auditor", "shall publish", said, (0, 9)) is None


@pytest.fixture(scope="module")
def committed_library(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Library]:
    def make() -> Library:
        firm = make_firm("notified", "Notified & Partners")
        library = Library(firm, make_corpus(firm, "Bodies"))
        ingest(firm, library.corpus, "law.md", LAW)
        build(library)
        return library

    yield from committed(django_db_blocker, make)


@pytest.fixture
def library(committed_library: Library, db: None) -> Library:
    return committed_library


def by_author(library: Library) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {BY_TEMPLATES: set(), BY_GRAPH: set()}
    for question in questions(library):
        found[question.author].add(question.text)
    return found


def test_a_graph_that_is_built_later_adds_its_questions_to_the_paragraphs_it_states(library: Library) -> None:
    before = by_author(library)
    with organization_scope(library.firm.organization, user=None):
        bases = dict(AskedParagraph.objects.values_list("paragraph", "basis"))
    build_graph(library.firm, library.corpus)

    assert indexes_refresh() == 0  # the end of the graph's build has begun it
    build_again(library)

    assert before[BY_GRAPH] == set()
    assert {KEEPING, INFORMING} <= by_author(library)[BY_GRAPH]
    assert by_author(library)[BY_TEMPLATES] <= before[BY_TEMPLATES]
    assert indexes_refresh() == 0
    with organization_scope(library.firm.organization, user=None):
        assert bases.keys() == dict(AskedParagraph.objects.values_list("paragraph", "basis")).keys()


def test_of_a_changed_document_the_questions_are_made_once_when_its_graph_is_complete(library: Library) -> None:
    firm = library.firm
    build_graph(firm, library.corpus)
    build_again(library)
    before = index_jobs(library)
    ingest(firm, library.corpus, "fees.md", LAW.replace("notified body", "testing laboratory"))

    assert (index_jobs(library), indexes_refresh()) == (before, 0), "the graph is not complete yet"
    assert waits(library) == (True, True)
    graph_job = Job.objects.get(subject_id=library.corpus.pk, state=JobState.QUEUED)
    job_cancel(organization=firm.organization, job_id=graph_job.pk)
    assert waits(library) == (False, False)
    assert indexes_refresh() == 1, "it is not coming"
    build_again(library)
    assert run_graph(again(firm, graph_job)).state == JobState.DONE
    build_again(library)
    assert INFORMING.replace("notified body", "testing laboratory") in by_author(library)[BY_GRAPH]
    assert index_jobs(library) == before + 2


def waits(library: Library) -> tuple[bool, bool]:
    """Whether the page and the endpoint say that the index waits for the graph."""
    browser, slug = signed_in(library.firm.manager), library.firm.organization.slug
    page = one_line(browser.get(reverse("question_index", args=(slug, library.corpus.pk))).content.decode())
    headers = library.firm.bearer(library.firm.manager, TokenScope.CORPORA_READ)
    index = browser.get(f"/api/v1/corpora/{library.corpus.pk}/question-index/", headers=headers).json()
    return "brought up to date right after it" in page, index["waits_for_graph"]


def index_jobs(library: Library) -> int:
    return Job.objects.filter(organization_id=library.firm.organization.pk, task=TASK).count()


def test_a_rejected_statement_is_asked_about_no_more(library: Library) -> None:
    firm = library.firm
    build_graph(firm, library.corpus)
    build_again(library)
    with organization_scope(firm.organization, user=firm.lawyer):
        for row in GraphTriplet.objects.filter(corpus=library.corpus, object__contains="certificate"):
            graph_decide(
                organization=firm.organization,
                user=firm.lawyer,
                corpus_id=library.corpus.pk,
                action="reject",
                triplet_id=row.pk,
            )
    build(library)

    assert KEEPING not in {text for text, *_ in words(library)}
    assert INFORMING in {text for text, *_ in words(library)}
