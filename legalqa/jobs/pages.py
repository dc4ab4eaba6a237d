"""Background work on pages: its state, why it ended early, and the list of a corpus's work."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.paginator import Paginator
from django.utils.module_loading import import_string

from legalqa.accounts.models import Organization
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.selectors import job_corpus, job_list

JOBS_A_PAGE = 50
REASONS = {  # for every kind of work; a kind's further reasons are declared with it
    "cancelled": "Somebody cancelled this. What was done so far is kept.",
    "crashed": "It stopped several times without making progress. Resume it, or tell an operator.",
    "fault": "A system fault interrupted it; it will be tried again.",
    "corpus_gone": "The corpus is being removed.",
}


def reason_words(job: Job) -> str:
    """Why a job ended early or is waiting, in a sentence; "" if there is no reason."""
    return job.kind.reasons.get(job.reason) or REASONS.get(job.reason, "")


def work_state(job: Job | None, *, without: str = "done") -> str:
    """A code of `components/state.html`; `without` if there is no job, or its row has been removed."""
    if job is None:
        return without
    return "working" if job.is_open and job.stage else str(job.state)


def work_shown(job: Job | None, *, stages: Mapping[str, str] | None = None, without: str = "done") -> dict[str, Any]:
    """What `components/job.html` shows of a job, besides its buttons.

    Args:
        job: The newest on a subject.
        stages: What an open job does, by its stage; "" for any other stage.
        without: As for `work_state`.
    """
    is_open, words = job is not None and job.is_open, stages or {}
    return {
        "job": job,
        "state": work_state(job, without=without),
        "stage": words.get(job.stage, words.get("", "")) if job is not None and is_open else "",
        "reason": reason_words(job) if job is not None and not is_open else "",
    }


def jobs_page(*, organization: Organization, corpus_id: UUID, state: str, number: str | None) -> dict[str, Any]:
    """One page of the work on a corpus, newest first, and the links that show one state only.

    Raises:
        NotFound, Conflict: as `job_corpus`.
    """
    corpus = job_corpus(organization=organization, corpus_id=corpus_id)
    state = state if state in JobState.values else ""
    jobs = job_list(organization=organization, corpus_id=corpus_id, state=state)
    page = Paginator(jobs, JOBS_A_PAGE).get_page(number)
    return {
        "corpus": corpus,
        "page_obj": page,
        "rows": _rows(list(page.object_list)),
        "state": state,
        "filters": [
            {"url": f"?state={value}" if value else "?", "label": label, "is_active": value == state}
            for value, label in (("", "All"), *JobState.choices)
        ],
        "is_working": any(job.is_open for job in page.object_list),
    }


def _rows(jobs: list[Job]) -> list[dict[str, Any]]:
    additions: dict[UUID, dict[str, Any]] = {}
    for task, kind in settings.JOB_TASKS.items():
        if kind.shown and (mine := [job for job in jobs if job.task == task]):
            additions |= import_string(kind.shown)(jobs=mine)
    return [
        {"job": job, "label": job.kind.label, "reason": reason_words(job)} | additions.get(job.pk, {}) for job in jobs
    ]
