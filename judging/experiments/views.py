"""Pages of experiments, for those who keep the corpora."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from corpora.runs.views import run_pages
from corpora.selectors import corpus_get
from judging.experiments import pages as presentation
from judging.experiments import services
from judging.experiments.forms import ExperimentForm
from judging.experiments.settings import ExperimentSettings, experiment_settings
from judging.gold.services.sets import gold_set_get
from judging.models import Experiment
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.page_errors import errors_in
from legalqa.jobs.models import Job


@member_page(roles=MANAGERS)
def experiment_list(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    of: dict[str, Any] = {"organization": request.organization, "corpus_id": corpus_id}
    context = presentation.experiments_page(**of, number=request.GET.get("page"))
    return render(request, "judging/experiments/list.html", context)


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def experiment_start(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    data = request.POST if request.method == "POST" else None
    form = presentation.experiment_form(organization=request.organization, corpus_id=corpus_id, data=data)
    context: dict[str, Any] = {"corpus": corpus, "form": form}
    if data is not None and form.is_valid():
        with errors_in(form):
            settings = _settings(form)
            if "estimate" not in data:
                return _started(request, corpus_id, form, settings)
            context["estimate"] = _estimate(request, form, settings)
    return render(request, "judging/experiments/start.html", context, status=422 if form.errors else 200)


def _settings(form: ExperimentForm) -> ExperimentSettings:
    data = form.cleaned_data
    return experiment_settings(
        presets=form.configurations,
        generators=data["generators"],
        measures=data["measures"],
        judges=form.chosen_judges,
        repeats=data["repeats"],
        budget=data["budget"],
    )


def _estimate(request: MemberRequest, form: ExperimentForm, settings: ExperimentSettings) -> str:
    gold_set = gold_set_get(organization=request.organization, gold_set_id=UUID(form.cleaned_data["gold_set"]))
    return presentation.estimate_words(services.experiment_estimate(gold_set=gold_set, settings=settings))


def _started(
    request: MemberRequest, corpus_id: UUID, form: ExperimentForm, settings: ExperimentSettings
) -> HttpResponseBase:
    experiment = services.experiment_start(
        **request.acting,
        gold_set_id=UUID(form.cleaned_data["gold_set"]),
        corpus_id=corpus_id,
        settings=settings,
        name=form.cleaned_data["name"],
        rerun=form.cleaned_data["rerun"],
    )
    return redirect("experiment_detail", request.organization.slug, experiment.pk)


def _shown(request: MemberRequest, experiment: Experiment, job: Job | None) -> dict[str, Any]:
    return presentation.experiment_page(user=request.user, experiment=experiment, job=job)


experiment_detail, experiment_state = run_pages(services.EXPERIMENTS, "judging/experiments/detail.html", _shown)


@member_page(roles=MANAGERS, methods=("POST",))
def experiment_resume(request: MemberRequest, experiment_id: UUID) -> HttpResponseBase:
    experiment = services.experiment_resume(**request.acting, experiment_id=experiment_id)
    return redirect("experiment_detail", request.organization.slug, experiment.pk)


@member_page(roles=MANAGERS, methods=("POST",))
def experiment_schedule(request: MemberRequest, experiment_id: UUID) -> HttpResponseBase:
    experiment = services.experiment_rerun_set(
        **request.acting, experiment_id=experiment_id, rerun=request.POST.get("rerun", "")
    )
    return redirect("experiment_detail", request.organization.slug, experiment.pk)


@member_page(roles=MANAGERS, methods=("POST",))
def experiment_remove(request: MemberRequest, experiment_id: UUID) -> HttpResponseBase:
    experiment = services.experiment_remove(**request.acting, experiment_id=experiment_id)
    messages.success(request, "The experiment was removed with its answers.")
    return redirect("experiment_list", request.organization.slug, experiment.corpus_id)
