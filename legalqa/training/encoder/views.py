"""Cancelling and resuming the switch from one encoder to another."""

from uuid import UUID

from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path

from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.jobs.services import job_cancel, job_retry
from legalqa.training.encoder.pages import switch_job


@member_page(roles=MANAGERS, methods=("POST",))
def encoder_switch_cancel(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    job = switch_job(organization=request.organization, corpus_id=corpus_id)
    job_cancel(organization=request.organization, job_id=job.pk)
    return redirect("encoder_list", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def encoder_switch_resume(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    job = switch_job(organization=request.organization, corpus_id=corpus_id)
    job_retry(organization=request.organization, job_id=job.pk)
    return redirect("encoder_list", request.organization.slug, corpus_id)


SWITCH = "corpora/<uuid:corpus_id>/encoders/switch/"
urlpatterns = [
    path(f"{SWITCH}cancel/", encoder_switch_cancel, name="encoder_switch_cancel"),
    path(f"{SWITCH}resume/", encoder_switch_resume, name="encoder_switch_resume"),
]
