"""A small law with its question index, as the product builds it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from corpora.models import Corpus
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.services import job_run
from retrieval.models import IndexedQuestion
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.questions import services
from retrieval.questions.building import questions_slice
from retrieval.services.search import SearchResult, corpus_search
from tests.ingestion import ingest, make_corpus
from tests.people import Firm, make_firm

RULES = """# Records

An employer must keep the summary of results posted for at least 6 months after its latest use of the tool.

If a candidate asks, an employer shall provide the retention policy within 30 days of a written request.

An employer may not use the tool if more than one year has passed since the most recent bias audit.

# Definitions

The term "bias audit" means an impartial evaluation by an independent auditor.
"""
CHANGED = RULES.replace("at least 6 months", "at least 12 months").replace("an impartial evaluation", "a fair review")
PERIOD = "Which period applies when an employer has to keep the summary of results posted?"
KEEPING = "For how long must an employer keep the summary of results posted?"


@dataclass(frozen=True)
class Library:
    firm: Firm
    corpus: Corpus


def make_library() -> Library:
    firm = make_firm("harding", "Harding & Stone")
    library = Library(firm, make_corpus(firm, "Rules"))
    ingest(firm, library.corpus, "rules.md", RULES)
    build(library)
    return library


def build(library: Library, corpus: Corpus | None = None, **options: Any) -> Job:
    with organization_scope(library.firm.organization, user=library.firm.manager):
        job = services.questions_build(
            organization=library.firm.organization,
            user=library.firm.manager,
            corpus_id=(corpus or library.corpus).pk,
            **options,
        )
    return finish(job)


def finish(job: Job) -> Job:
    for _ in range(20):
        job_run(job_id=job.pk, work=questions_slice)
        job = Job.objects.get(pk=job.pk)
        if not job.is_open:
            return job
    raise AssertionError(f"The build did not end: {job.state}, {job.reason}")


def build_again(library: Library) -> None:
    """Work on the job that a change has enqueued."""
    with organization_scope(library.firm.organization, user=None):
        _, _, job = services.question_index_get(organization=library.firm.organization, corpus_id=library.corpus.pk)
    assert job is not None
    assert finish(job).state == JobState.DONE


def questions(library: Library, corpus: Corpus | None = None, **where: Any) -> list[IndexedQuestion]:
    with organization_scope(library.firm.organization, user=None):
        mine = IndexedQuestion.objects.filter(corpus=corpus or library.corpus, **where)
        return list(mine.select_related("paragraph").order_by("pk"))


def words(library: Library, corpus: Corpus | None = None) -> set[tuple[str, str, int, int, str]]:
    return {(q.text, " ".join(q.paragraph.text.split()), q.start, q.end, q.state) for q in questions(library, corpus)}


def search(
    library: Library, text: str, preset: str = "question-index", changes: Mapping[str, str] | None = None
) -> SearchResult:
    return corpus_search(
        request=SearchRequest(
            organization=library.firm.organization,
            user=None,
            corpus_id=library.corpus.pk,
            text=text,
            preset=preset_get(preset, changes),
        )
    )


def one(library: Library, text: str) -> IndexedQuestion:
    (found,) = questions(library, text=text)
    return found


def acting(library: Library) -> Any:
    return organization_scope(library.firm.organization, user=library.firm.manager)
