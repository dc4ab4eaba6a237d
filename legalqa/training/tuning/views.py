"""Pages of tunings, for those who keep the corpora."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render

from corpora.runs.views import run_pages
from judging.models import TuningRun
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.page_errors import errors_in
from legalqa.jobs.models import Job
from legalqa.training.choices import gold_set_choices
from legalqa.training.tuning import pages as presentation
from legalqa.training.tuning import services
from legalqa.training.tuning.forms import TuningForm


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def tuning_start(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    choices, _ = gold_set_choices(organization=request.organization, corpus_id=corpus_id)
    form = TuningForm(request.POST if request.method == "POST" else None, gold_sets=choices)
    if request.method == "POST" and form.is_valid():
        with errors_in(form):
            data = dict(form.cleaned_data)
            gold_set_id, rewrites = UUID(data.pop("gold_set")), [data.pop("rewrites")]
            options = services.tuning_options(**data, rewrites=rewrites)
            run = services.tuning_start(**request.acting, gold_set_id=gold_set_id, options=options, corpus_id=corpus_id)
            return redirect("tuning_detail", request.organization.slug, run.pk)
    context = presentation.tunings_page(organization=request.organization, corpus_id=corpus_id, form=form)
    return render(request, "training/tunings.html", context, status=422 if form.errors else 200)


def _shown(_request: MemberRequest, run: TuningRun, job: Job | None) -> dict[str, Any]:
    return presentation.tuning_page(run=run, job=job)


tuning_detail, tuning_state = run_pages(services.TUNINGS, "training/tuning.html", _shown)


@member_page(roles=MANAGERS, methods=("POST",))
def tuning_use(request: MemberRequest, tuning_id: UUID) -> HttpResponseBase:
    version = services.tuning_use(**request.acting, tuning_id=tuning_id)
    messages.success(request, f"The mapping is in use, as version {version.number}.")
    return redirect("mapping_page", request.organization.slug, version.corpus_id, version.n_classes)
