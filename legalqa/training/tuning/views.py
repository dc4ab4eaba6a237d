"""Pages of tunings, for those who keep the corpora."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from judging.gold.pages import gold_set_choices
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.errors import ApplicationError
from legalqa.training.tuning import pages as presentation
from legalqa.training.tuning import services
from legalqa.training.tuning.forms import TuningForm

STOP_POLLING = 286  # htmx's status for "this was the last answer"


@member_page(roles=MANAGERS, methods=("POST",))
def tuning_start(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    choices = gold_set_choices(organization=request.organization, corpus_id=corpus_id)
    form = TuningForm(request.POST, gold_sets=choices)
    slug = request.organization.slug
    if not form.is_valid():
        messages.error(request, "Choose a gold set of this corpus, and settings from the lists.")
        return redirect("gold_set_list", slug, corpus_id)
    data: dict[str, Any] = form.cleaned_data
    try:
        run = services.tuning_start(
            organization=request.organization,
            user=request.user,
            gold_set_id=UUID(data["gold_set"]),
            corpus_id=corpus_id,
            options=services.tuning_options(
                n_classes=data["n_classes"],
                is_reranked=data["is_reranked"],
                rewrites=[data["rewrites"]],
                price=data["price"],
            ),
        )
    except ApplicationError as error:
        messages.error(request, error.message)
        return redirect("gold_set_list", slug, corpus_id)
    return redirect("tuning_detail", slug, run.pk)


@member_page(roles=MANAGERS)
def tuning_detail(request: MemberRequest, tuning_id: UUID) -> HttpResponse:
    return _tuning(request, tuning_id, "judging/tuning.html")


@member_page(roles=MANAGERS)
def tuning_state(request: MemberRequest, tuning_id: UUID) -> HttpResponse:
    return _tuning(request, tuning_id, "judging/_tuning_state.html", last=STOP_POLLING)


def _tuning(request: MemberRequest, tuning_id: UUID, template: str, *, last: int = 200) -> HttpResponse:
    run, job = services.tuning_get(organization=request.organization, tuning_id=tuning_id)
    context = presentation.tuning_page(run=run, job=job)
    return render(request, template, context, status=200 if job is not None and job.is_open else last)


@member_page(roles=MANAGERS, methods=("POST",))
def tuning_cancel(request: MemberRequest, tuning_id: UUID) -> HttpResponseBase:
    run = services.tuning_cancel(organization=request.organization, tuning_id=tuning_id)
    return redirect("tuning_detail", request.organization.slug, run.pk)


@member_page(roles=MANAGERS, methods=("POST",))
def tuning_go_on(request: MemberRequest, tuning_id: UUID) -> HttpResponseBase:
    run = services.tuning_go_on(organization=request.organization, tuning_id=tuning_id)
    return redirect("tuning_detail", request.organization.slug, run.pk)


@member_page(roles=MANAGERS, methods=("POST",))
def tuning_use(request: MemberRequest, tuning_id: UUID) -> HttpResponseBase:
    version = services.tuning_use(organization=request.organization, user=request.user, tuning_id=tuning_id)
    messages.success(request, f"The mapping is in use, as version {version.number}.")
    return redirect("mapping_page", request.organization.slug, version.corpus_id, version.n_classes)
