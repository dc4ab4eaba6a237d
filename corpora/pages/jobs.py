"""What the list of background work on a corpus shows."""

from typing import Any

from django.core.paginator import Paginator

from corpora.models import Corpus, DocumentVersion
from corpora.pages.documents import reason_words
from corpora.selectors import job_list
from legalqa.accounts.models import Organization
from legalqa.jobs.models import Job, JobState

JOBS_A_PAGE = 50


def jobs_page(*, organization: Organization, corpus: Corpus, state: str, number: str | None) -> dict[str, Any]:
    """One page of the work on a corpus, newest first, and the links that show one state only."""
    state = state if state in JobState.values else ""
    jobs = job_list(organization=organization, corpus=corpus, state=state)
    page = Paginator(jobs, JOBS_A_PAGE).get_page(number)
    documents = _documents(corpus, list(page.object_list))
    return {
        "corpus": corpus,
        "page_obj": page,
        "rows": [_row(job, documents) for job in page.object_list],
        "state": state,
        "filters": [
            {"url": f"?state={value}" if value else "?", "label": label, "is_active": value == state}
            for value, label in (("", "All"), *JobState.choices)
        ],
        "is_working": any(job.is_open for job in page.object_list),
    }


def _documents(corpus: Corpus, jobs: list[Job]) -> dict[Any, DocumentVersion]:
    versions = DocumentVersion.objects.filter(corpus=corpus, pk__in=[job.subject_id for job in jobs])
    return {version.pk: version for version in versions.select_related("document").defer("text")}


def _row(job: Job, documents: dict[Any, DocumentVersion]) -> dict[str, Any]:
    version = documents.get(job.subject_id)
    return {
        "job": job,
        "label": job.kind.label,
        "document": version.document if version else None,
        "reason": reason_words(job.reason),
    }
