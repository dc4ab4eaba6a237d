"""A corpus with two rules, and three solved questions about them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from pytest_django.plugin import DjangoDbBlocker

from corpora.models import Corpus
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_run
from retrieval.cases.files import case_rows_read
from retrieval.cases.indexing import TASK, cases_embed_slice
from retrieval.cases.services import cases_add, cases_approve_waiting
from tests.committed import committed
from tests.ingestion import Ingested, ingest, make_corpus, positions
from tests.people import Firm, make_firm

LAW = (
    "# Audit Rules 2021\n\n"
    "## Audits\n\nAn employer must have every hiring tool audited for bias within one year before its use.\n\n"
    "## Notice\n\nAn employer must notify each candidate ten business days before a hiring tool is used.\n\n"
    "## Fines\n\nA first violation is punished by a civil penalty of 500 dollars.\n"
)
AUDIT, NOTICE, FINE = 1, 3, 5  # ordinals of the three rules


@dataclass(frozen=True)
class Base:
    """A corpus with a case base: the first two cases cite a paragraph, the third on a text of its own."""

    firm: Firm
    corpus: Corpus
    law: Ingested
    audit_id: str
    notice_id: str

    @property
    def acting(self) -> dict[str, Any]:
        return {"organization": self.firm.organization, "user": self.firm.owner, "corpus_id": self.corpus.pk}


def lines(audit_id: str, notice_id: str) -> str:
    cases = [
        {
            "id": "audit",
            "question": "How often must an employer audit a hiring tool?",
            "answer": "It must be audited within one year before use.",
            "paragraph_ids": [audit_id],
        },
        {
            "id": "notice",
            "question": "When are candidates told that a hiring tool is used?",
            "answer": "Ten business days before.",
            "paragraph_ids": [notice_id],
        },
        {
            "id": "search",
            "question": "Was the search of the plaintiff lawful?",
            "support": "In Smith v The State of New South Wales (2015), no drugs were found.",
            "answer": "It was not, without reasonable grounds.",
        },
    ]
    return "".join(json.dumps(case) + "\n" for case in cases)


def embed(firm: Firm) -> None:
    """Work on every open job that fills a case base."""
    for job in Job.objects.filter(organization_id=firm.organization.pk, task=TASK, state="queued"):
        job_run(job_id=job.pk, work=cases_embed_slice)


@pytest.fixture(scope="module")
def base(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Base]:
    def make() -> Base:
        firm = make_firm("solvers", "Solvers & Co")
        corpus = make_corpus(firm, "Hiring law")
        law = ingest(firm, corpus, "rules.md", LAW)
        ids = [position.paragraph.public_id for position in positions(firm, law.version)]
        made = Base(firm, corpus, law, ids[AUDIT + 1], ids[NOTICE + 1])
        with organization_scope(firm.organization, user=firm.owner):
            cases_add(**made.acting, rows=case_rows_read(lines(made.audit_id, made.notice_id)))
            cases_approve_waiting(**made.acting)
        embed(firm)
        return made

    yield from committed(django_db_blocker, make)
