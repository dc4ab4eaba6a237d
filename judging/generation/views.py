"""Pages of generations of gold questions, for those who keep the corpora."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from corpora.pages.jobs import WORK_REASONS
from corpora.selectors import corpus_get
from judging.generation import services
from judging.generation.forms import GenerationForm
from judging.generation.model import has_model
from judging.gold.kinds import kinds_all
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.errors import ApplicationError, NotFound

STOP_POLLING = 286  # htmx: swap, and do not ask again
RUNS_SHOWN = 20


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def generation_start(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    types = [(kind.name, kind.label) for kind in kinds_all(organization=request.organization)]
    form = GenerationForm(request.POST if request.method == "POST" else None, types=types)
    if request.method == "POST" and form.is_valid():
        try:
            run = services.generation_start(
                organization=request.organization, user=request.user, corpus_id=corpus_id, **form.cleaned_data
            )
            return redirect("generation_detail", request.organization.slug, run.pk)
        except NotFound:
            raise
        except ApplicationError as error:
            form.add_error(None, error.message)
    context: dict[str, Any] = {
        "corpus": corpus,
        "form": form,
        "has_model": has_model(organization=request.organization),
        "runs": services.generation_list(organization=request.organization, corpus_id=corpus_id)[:RUNS_SHOWN],
    }
    return render(request, "judging/generations.html", context, status=422 if form.errors else 200)


@member_page(roles=MANAGERS)
def generation_detail(request: MemberRequest, generation_id: UUID) -> HttpResponse:
    return _generation(request, generation_id, "judging/generation.html")


@member_page(roles=MANAGERS)
def generation_state(request: MemberRequest, generation_id: UUID) -> HttpResponse:
    return _generation(request, generation_id, "judging/generation.html#state", last=STOP_POLLING)


def _generation(request: MemberRequest, generation_id: UUID, template: str, *, last: int = 200) -> HttpResponse:
    run, job = services.generation_get(organization=request.organization, generation_id=generation_id)
    is_open = job is not None and job.is_open
    context: dict[str, Any] = {
        "run": run,
        "job": job,
        "corpus": run.corpus,
        "state": "done" if job is None else "working" if is_open and job.stage else job.state,
        "reason": WORK_REASONS.get(job.reason, "") if job is not None and not is_open else "",
        "written": sorted(run.report.get("written", {}).items()),
    }
    return render(request, template, context, status=200 if is_open else last)


@member_page(roles=MANAGERS, methods=("POST",))
def generation_cancel(request: MemberRequest, generation_id: UUID) -> HttpResponseBase:
    services.generation_cancel(organization=request.organization, generation_id=generation_id)
    return redirect("generation_detail", request.organization.slug, generation_id)


@member_page(roles=MANAGERS, methods=("POST",))
def generation_resume(request: MemberRequest, generation_id: UUID) -> HttpResponseBase:
    services.generation_resume(organization=request.organization, generation_id=generation_id)
    return redirect("generation_detail", request.organization.slug, generation_id)
