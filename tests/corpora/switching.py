"""A corpus of leases whose index or encoder is switched: its texts, the work on a job, and what a search finds."""

from typing import Any

from django.test import override_settings

from corpora.models import Corpus
from corpora.services import encoder_switch_work
from legalqa.accounts.scoping import organization_scope
from legalqa.jobs.models import Job
from legalqa.jobs.services import job_retry
from retrieval.pipelines.presets import preset_get
from retrieval.pipelines.request import SearchRequest
from retrieval.services.search import SearchResult, corpus_search
from tests.ingestion import make_corpus
from tests.people import Firm

RENT = "# Lease\n\nThe tenant pays a rent of 900 euros each month.\n\n"
LEASE = RENT + "A tenant who pays late owes interest of five percent.\n"
NOTICE = "# Notice\n\nEither party may end the lease by a notice of three months.\n"
DEPOSIT = "# Deposit\n\nThe tenant leaves a deposit of two rents with the landlord.\n"
QUESTION = "What interest does a tenant who pays late owe?"
SMALL: dict[str, object] = {"kind": "sentence.v1", "size_tokens": 24, "overlap_tokens": 0}


def make_leases(firm: Firm) -> Corpus:
    return make_corpus(firm, chunker=SMALL, files={"lease.md": LEASE, "notice.md": NOTICE})


def work(job: Job, by: Any = encoder_switch_work, *, steps: int = 0) -> Job:
    """Work on the job until it has ended, or for a number of single steps."""
    for _ in range(steps or 50):
        with override_settings(JOB_SLICE_S=0 if steps else 60):
            by(job_id=job.pk)
        job = Job.objects.get(pk=job.pk)
        if not job.is_open:
            break
    return job


def again(firm: Firm, job: Job) -> Job:
    """Try a job again, as its row in the list of work does."""
    with organization_scope(firm.organization, user=firm.manager):
        return job_retry(organization=firm.organization, job_id=job.pk)


def found(firm: Firm, corpus: Corpus, **settings: str) -> SearchResult:
    return corpus_search(
        request=SearchRequest(
            **firm.by_lawyer, corpus_id=corpus.pk, text=QUESTION, preset=preset_get("fixed-5", settings)
        )
    )


def now(firm: Firm, corpus: Corpus) -> Corpus:
    with organization_scope(firm.organization, user=None):
        return Corpus.objects.get(pk=corpus.pk)
