"""The background work on a corpus: a list, and the buttons that stop a job or try it again."""

from uuid import UUID

from django.http import HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.htmx import render_partial
from legalqa.jobs import services
from legalqa.jobs.pages import jobs_page
from legalqa.jobs.selectors import job_by_hand


@member_page()
def job_list(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    state, number = request.GET.get("state", ""), request.GET.get("page")
    context = jobs_page(organization=request.organization, corpus_id=corpus_id, state=state, number=number)
    context["can_manage"] = request.membership.role in MANAGERS
    return render_partial(request, "jobs/job_list.html", context, partial="job-table")


@member_page(roles=MANAGERS, methods=("POST",))
def job_cancel(request: MemberRequest, job_id: UUID) -> HttpResponseBase:
    job = job_by_hand(organization=request.organization, job_id=job_id)
    services.job_cancel(organization=request.organization, job_id=job.pk)
    return _back(request, job.corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def job_retry(request: MemberRequest, job_id: UUID) -> HttpResponseBase:
    job = job_by_hand(organization=request.organization, job_id=job_id)
    services.job_retry(organization=request.organization, job_id=job.pk)
    return _back(request, job.corpus_id)


def _back(request: MemberRequest, corpus_id: UUID | None) -> HttpResponseBase:
    """To the page that the button was on, if the form names it; else to the corpus."""
    back = request.POST.get("back", "")
    if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None):  # never to another site
        return HttpResponseRedirect(back)
    return redirect("corpus_detail", request.organization.slug, corpus_id)
