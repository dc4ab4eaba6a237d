"""A small corpus that the contracts of search stages are checked on."""

from typing import Any

import pytest

from corpora.models import Chunk, Corpus
from legalqa.accounts.scoping import organization_scope
from legalqa.encoder import client as encoder
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_run
from retrieval.cases.files import CaseRow, CaseSpan
from retrieval.cases.indexing import TASK, cases_embed_slice
from retrieval.cases.services import cases_add
from retrieval.models import CaseState
from retrieval.questions.building import questions_slice
from retrieval.questions.services import questions_build
from retrieval.stages import Resources
from tests.committed import committed_fixture
from tests.ingestion import Ingested, ingest, make_corpus, positions
from tests.people import Firm, make_firm

LEASE = "# Lease\n\n" + "\n\n".join(
    f"## Part {n}\n\nThe tenant must pay {n} euros of rent for room {n} on day {n} of each month." for n in range(1, 8)
)
QUESTION = "What rent does the tenant pay for room 3?"
Library = tuple[Firm, Corpus]


def make_library() -> Library:
    """The lease, and a corpus of others beside it that says the same."""
    firm = make_firm("contracts", "Contract & Sons")
    corpus, other = make_corpus(firm, "Leases"), make_corpus(firm, "Other leases")
    lease = ingest(firm, corpus, "lease.md", LEASE)
    ingest(firm, other, "lease.md", LEASE)
    _solve(firm, corpus, lease)
    for indexed in (corpus, other):
        with organization_scope(firm.organization, user=firm.manager):
            job = questions_build(**firm.by_manager, corpus_id=indexed.pk)
        job_run(job_id=job.pk, work=questions_slice)
    return firm, corpus


library = committed_fixture(make_library)


def _solve(firm: Firm, corpus: Corpus, lease: Ingested) -> None:
    """A solved case on each paragraph of the lease."""
    acting: Any = {"organization": firm.organization, "user": firm.owner, "corpus_id": corpus.pk}
    rules = [position.paragraph for position in positions(firm, lease.version) if position.kind != "heading"]
    rows = [
        CaseRow(f"How much is rent {n}?", f"{n} euros.", spans=(CaseSpan(p.public_id),)) for n, p in enumerate(rules)
    ]
    with organization_scope(firm.organization, user=firm.owner):
        cases_add(**acting, rows=rows, state=CaseState.APPROVED)
    job_run(job_id=Job.objects.get(organization_id=firm.organization.pk, task=TASK).pk, work=cases_embed_slice)


@pytest.fixture
def resources(library: Library, db: None) -> Resources:
    """What a search of the lease for QUESTION works with."""
    firm, corpus = library
    vector = encoder.encoder().encode([QUESTION])[0]
    with organization_scope(firm.organization, user=firm.lawyer):
        return Resources(Corpus.objects.get(pk=corpus.pk), vector, None)


def live_chunks(resources: Resources) -> list[int]:
    """The chunks of the corpus, in their order."""
    with organization_scope(resources.corpus.organization, user=None):
        chunks = Chunk.objects.filter(corpus=resources.corpus, is_live=True)
        return list(chunks.order_by("pk").values_list("pk", flat=True))
