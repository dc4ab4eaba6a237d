"""Cancelling and resuming the switch from one encoder to another."""

from collections.abc import Callable
from uuid import UUID

from django.http import HttpResponseBase
from django.urls import path

from legalqa.accounts.models import Organization
from legalqa.accounts.steps import step_page
from legalqa.jobs.services import job_cancel, job_retry
from legalqa.training.encoder.pages import switch_job


def _page(step: Callable[..., object]) -> Callable[..., HttpResponseBase]:
    """A page that takes a step with the job of the switch."""

    def take(*, organization: Organization, corpus_id: UUID) -> None:
        job = switch_job(organization=organization, corpus_id=corpus_id)
        step(organization=organization, job_id=job.pk)

    return step_page(take, back="encoder_list")


SWITCH = "corpora/<uuid:corpus_id>/encoders/switch/"
urlpatterns = [
    path(f"{SWITCH}cancel/", _page(job_cancel), name="encoder_switch_cancel"),
    path(f"{SWITCH}resume/", _page(job_retry), name="encoder_switch_resume"),
]
