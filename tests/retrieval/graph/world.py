"""A short law on hiring tools and the graph of it, as the product builds it."""

from dataclasses import dataclass

from corpora.models import Corpus
from legalqa.accounts.models import User
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job
from retrieval.graph.building import graph_start, graph_work
from retrieval.models import GraphEntity, GraphLink, GraphTriplet
from tests.ingestion import Ingested, ingest, make_corpus
from tests.people import Firm

LAW = """# Hiring Tools Act

## § 20-870 Definitions

"Hiring tool" or "HT" means any software that ranks candidates.

## § 20-871 Duties

An employer shall have each hiring tool audited no more than one year before its use.

The employer must notify every candidate at least 10 business days before the hiring tool is used.

An employer may use a hiring tool only if the auditor is independent.

## § 20-872 Penalties

Any person that violates § 20-871 is liable for a civil penalty of not more than $500 for a first violation.

The auditor shall keep the records of the audit for a period of five years.
"""


@dataclass(frozen=True)
class Built:
    firm: Firm
    corpus: Corpus
    law: Ingested


def run_graph(job: Job) -> Job:
    """Work on the job until it has ended, as a worker would."""
    for _ in range(20):
        graph_work(job_id=job.pk)
        job = Job.objects.get(pk=job.pk)
        if not job.is_open:
            return job
    raise AssertionError(f"The job did not end: {job.state}, {job.stage}, {job.reason}.")


def build(firm: Firm, corpus: Corpus, *, user: User | None = None, **choices: bool) -> Job:
    with organization_scope(firm.organization, user=user or firm.manager):
        job = graph_start(organization=firm.organization, user=user or firm.manager, corpus_id=corpus.pk, **choices)
    return run_graph(job)


def make_built(firm: Firm, text: str = LAW, name: str = "Hiring") -> Built:
    corpus = make_corpus(firm, name)
    law = ingest(firm, corpus, "act.md", text)
    build(firm, corpus)
    return Built(firm, corpus, law)


def statements(corpus: Corpus) -> set[tuple[str, str, str, str]]:
    """(kind, subject, predicate, object) of what counts; inside a scope."""
    rows = GraphTriplet.objects.filter(corpus=corpus, is_rejected=False)
    return set(rows.values_list("kind", "subject", "predicate", "object"))


def drawn(corpus: Corpus) -> tuple[set[object], set[object], set[object]]:
    """All that a graph holds, without the ids that differ from one build to another; inside a scope."""
    triplets = GraphTriplet.objects.filter(corpus=corpus)
    links = GraphLink.objects.filter(corpus=corpus)
    entities = GraphEntity.objects.filter(corpus=corpus)
    return (
        set(triplets.values_list("paragraph__text", "start", "kind", "subject", "predicate", "object", "section")),
        {(row.kind, row.name, row.n_triplets, row.is_rejected, tuple(row.aliases)) for row in entities},
        set(links.values_list("triplet__subject", "triplet__object", "entity__name", "role")),
    )
