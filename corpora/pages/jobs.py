"""What the list of background work on a corpus shows."""

from collections.abc import Mapping
from typing import Any

from django.core.paginator import Paginator

from corpora.models import Corpus, DocumentVersion
from corpora.pages.documents import reason_words
from corpora.selectors import job_list
from legalqa.accounts.models import Organization
from legalqa.jobs.models import Job, JobState

JOBS_A_PAGE = 50
FEW_LEFT = "Too few of the questions have a passage that is still searched. Bring the gold sets up to date."
WORK_REASONS = {  # sentences for the reasons of work that reads no document
    "cancelled": "Somebody cancelled this. What was done is kept.",
    "crashed": "It stopped several times without making progress. Resume it, or tell an operator.",
    "fault": "A fault in the system interrupted it; it is tried again.",
    "too_few_pairs": FEW_LEFT,
    "too_few_questions": FEW_LEFT,
    "training_refused": "The training questions do not cover every class. Add more of each.",
    "gold_set_removed": "A gold set that it learns from was removed.",
    "preset_gone": "One of its presets was deleted or is no longer valid.",
    "experiment_gone": "The experiment or its gold set was removed.",
    "nothing_to_ask": "Rules found nothing in the documents to ask about. Add documents, or set up a language model.",
    "corpus_gone": "The corpus is being removed.",
    "too_many_questions": "A question index has at most 200,000 questions. Move documents to another corpus.",
    "encoder_gone": "Another switch took its place, or the encoder was removed.",
    "model_silent": "The language model gave no reply that can be used. What was read so far is kept; try again.",
    "case_evaluation_gone": "The evaluation was removed.",
    "case_not_used": "A case that a test question needs is not in use any more. Measure without that question.",
    "case_index_gone": "The cases are no longer compared by this encoder.",
}


def work_state(job: Job | None, *, without: str = "done") -> str:
    """A code of `components/state.html`; `without` where there is no job, or the ledger has forgotten it."""
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
        "reason": WORK_REASONS.get(job.reason, "") if job is not None and not is_open else "",
    }


def jobs_page(*, organization: Organization, corpus: Corpus, state: str, number: str | None) -> dict[str, Any]:
    """One page of the work on a corpus, newest first, and the links that show one state only."""
    state = state if state in JobState.values else ""
    jobs = job_list(organization=organization, corpus=corpus, state=state)
    page = Paginator(jobs, JOBS_A_PAGE).get_page(number)
    versions = DocumentVersion.objects.filter(corpus=corpus, pk__in=[job.subject_id for job in page.object_list])
    documents = {version.pk: version for version in versions.select_related("document").defer("text")}
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


def _row(job: Job, documents: dict[Any, DocumentVersion]) -> dict[str, Any]:
    version = documents.get(job.subject_id)
    return {
        "job": job,
        "label": job.kind.label,
        "document": version.document if version else None,
        "reason": reason_words(job.reason) if version else WORK_REASONS.get(job.reason) or reason_words(job.reason),
    }
