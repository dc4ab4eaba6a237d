"""What the pages say of the encoder in use, and of the switch from one to another."""

from typing import Any

from corpora.models import AddedEncoder, Corpus, EncoderActivation
from corpora.selectors import encoder_list, encoder_switch_pending
from legalqa.accounts.models import Organization
from legalqa.encoder.client import NAME
from legalqa.jobs.pages import work_shown
from legalqa.jobs.selectors import job_latest


def encoder_words(name: str, *, corpus: Corpus) -> str:
    """An encoder of a corpus in words, by its name."""
    if name == NAME:
        return "the packaged encoder"
    if (row := AddedEncoder.objects.filter(corpus=corpus, name=name).first()) is not None:
        return row.title
    number = next((version.number for version in encoder_list(corpus=corpus) if version.name == name), None)
    return f"encoder version {number}" if number else "an encoder that was removed"


def switch_state(*, organization: Organization, corpus: Corpus) -> dict[str, Any] | None:
    """The switch that is running, or that stopped early; None where there is none."""
    pending = encoder_switch_pending(corpus=corpus)
    if pending is None:
        return None
    job = job_latest(organization=organization, subject_id=pending.pk)
    if job is None:
        return None
    return {"encoder_id": pending.encoder_id, "to": _target_words(pending), **work_shown(job)}


def _target_words(pending: EncoderActivation) -> str:
    if pending.encoder is not None:
        return f"version {pending.encoder.number}"
    return pending.added.title if pending.added is not None else "the packaged encoder"
