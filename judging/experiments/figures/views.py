"""Pages of an experiment's figures, for those who keep the corpora."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.text import slugify

from judging.experiments.figures import pages as presentation
from judging.experiments.figures.files import COLUMNS, chart_file, runs_file, score_rows
from judging.experiments.figures.items import items_of, shown_of
from judging.experiments.figures.runs import compared_page
from judging.experiments.figures.selectors import experiment_with, reported_experiment
from judging.models import Experiment
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.accounts.services import audit
from legalqa.common.downloads import csv_response, download
from legalqa.common.errors import NotFound

ITEMS_A_PAGE = 10


@member_page(roles=MANAGERS)
def experiment_results(request: MemberRequest, experiment_id: UUID) -> HttpResponse:
    experiment = reported_experiment(organization=request.organization, experiment_id=experiment_id)
    context = presentation.results_page(
        experiment=experiment, key=request.GET.get("measure", ""), slug=request.organization.slug
    )
    return render(request, "judging/experiments/results.html", context)


@member_page(roles=MANAGERS)
def experiment_items(request: MemberRequest, experiment_id: UUID) -> HttpResponse:
    experiment = reported_experiment(organization=request.organization, experiment_id=experiment_id)
    previous = experiment_with(experiment=experiment, raw_id=request.GET.get("with", ""))
    selection = shown_of(experiment=experiment, previous=previous, query=request.GET.dict())
    word = request.GET.get("change", "")
    context = presentation.items_page(selection=selection, word=word)
    page = Paginator(context["changes"], ITEMS_A_PAGE).get_page(request.GET.get("page"))
    context |= {"page_obj": page, "items": items_of(selection, list(page.object_list))}
    return render(request, "judging/experiments/items.html", context)


@member_page(roles=MANAGERS)
def experiment_compare(request: MemberRequest, experiment_id: UUID) -> HttpResponse:
    experiment = reported_experiment(organization=request.organization, experiment_id=experiment_id)
    context = compared_page(
        experiment=experiment,
        raw_id=request.GET.get("with", ""),
        key=request.GET.get("measure", ""),
        slug=request.organization.slug,
    )
    return render(request, "judging/experiments/compare.html", context)


@member_page(roles=MANAGERS)
def experiment_scores_csv(request: MemberRequest, experiment_id: UUID) -> HttpResponse:
    experiment = reported_experiment(organization=request.organization, experiment_id=experiment_id)
    rows = list(score_rows(experiment=experiment))
    _exported(request, experiment, rows=len(rows))
    return csv_response(name=f"{slugify(experiment.name) or 'experiment'}-scores.csv", header=tuple(COLUMNS), rows=rows)


@member_page(roles=MANAGERS)
def experiment_runs(request: MemberRequest, experiment_id: UUID) -> HttpResponse:
    experiment = reported_experiment(organization=request.organization, experiment_id=experiment_id)
    content = runs_file(experiment=experiment)
    _exported(request, experiment, kind="runs")
    return download(content, name=f"{slugify(experiment.name) or 'experiment'}-runs.zip", kind="application/zip")


def _exported(request: MemberRequest, experiment: Experiment, **what: object) -> None:
    audit(
        organization=request.organization,
        actor=request.user,
        action="experiment.exported",
        subject_id=experiment.corpus_id,
        **what,
    )


@member_page(roles=MANAGERS)
def experiment_chart(request: MemberRequest, experiment_id: UUID) -> HttpResponse:
    experiment = reported_experiment(organization=request.organization, experiment_id=experiment_id)
    _, charts = presentation.charts_shown(
        experiment=experiment, key=request.GET.get("measure", ""), slug=request.organization.slug
    )
    key = request.GET.get("chart", "")
    chart = next((one for one in charts if key in ("", one.key)), None)
    if chart is None:
        raise NotFound("chart")
    kind = "png" if request.GET.get("kind") == "png" else "svg"
    content, content_type = chart_file(chart=chart, kind=kind)
    return download(content, name=f"{slugify(experiment.name)}-{chart.key}.{kind}", kind=content_type)
