"""What the page of chunk sets and encoders shows."""

from typing import Any
from uuid import UUID

from corpora.forms.chunking import chunker_words
from corpora.forms.indexes import EndpointForm, FolderForm
from corpora.indexed import chunk_set_rows, encoder_rows
from corpora.models import Corpus
from corpora.selectors import activation_list, corpus_get, encoder_switch_pending
from corpora.services.added_encoders import models_offered
from legalqa.accounts.models import Organization
from legalqa.encoder.client import folder_cards
from legalqa.jobs.models import Job, JobState
from legalqa.jobs.pages import reason_words, work_state
from legalqa.jobs.selectors import job_latest_by_subject


def indexes_page(*, organization: Organization, corpus_id: UUID, sent: Any = None) -> dict[str, Any]:
    """Chunk sets, encoders, and the forms that add one; `sent` is the form that was filled in wrongly."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    sets = [_with_state(row, is_ready=row.is_live or not row.n_behind) for row in chunk_set_rows(corpus=corpus)]
    encoders = [_with_state(row, is_ready=row.is_in_use or not row.n_lacking) for row in encoder_rows(corpus=corpus)]
    switch = _switch(organization, corpus)
    folders = [(one.slug, f"{one.title} ({one.dimensions} dimensions)") for one in folder_cards()]
    models = models_offered(organization=organization)
    forms = {
        "folder_form": FolderForm(folders=folders) if folders else None,
        "endpoint_form": EndpointForm(models=models) if models else None,
    }
    if sent is not None:
        forms["folder_form" if isinstance(sent, FolderForm) else "endpoint_form"] = sent
    return {
        "corpus": corpus,
        "sets": sets,
        "encoders": encoders,
        "switch": switch,
        "can_roll_back": switch is None and activation_list(corpus=corpus).exists(),
        **forms,
    }


def _with_state(row: Any, *, is_ready: bool) -> dict[str, Any]:
    job: Job | None = row.job
    is_working = job is not None and job.is_open
    stopped = job is not None and not job.is_open and job.state != JobState.DONE and not is_ready
    state = "ready" if is_ready else "behind"
    if job is not None and (is_working or stopped):
        state = work_state(job)
    return {
        "row": row,
        "words": chunker_words(row.chunker) if hasattr(row, "chunker") else "",
        "state": state,
        "is_working": is_working,
        "reason": reason_words(job) if job is not None and stopped else "",
    }


def _switch(organization: Organization, corpus: Corpus) -> dict[str, Any] | None:
    """The switch to another encoder that is running or stopped; None where there is none."""
    pending = encoder_switch_pending(corpus=corpus)
    jobs = job_latest_by_subject(organization=organization, subject_ids=[pending.pk] if pending is not None else [])
    if pending is None or pending.pk not in jobs:
        return None
    job = jobs[pending.pk]
    return {"job": job, "to": str(pending.target or "the packaged encoder"), "is_open": job.is_open}
