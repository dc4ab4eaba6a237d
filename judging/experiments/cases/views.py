"""Pages of the evaluations of a case base: reviewers read them, managers start them and choose their questions."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from corpora.runs.views import run_pages
from judging.experiments.cases import services
from judging.experiments.cases.forms import CaseEvaluationForm, CaseMeasureForm
from judging.experiments.cases.pages import evaluation_page, evaluations_page
from judging.gold.services.sets import GoldSetCounts, gold_set_list
from judging.models import CaseEvaluation
from legalqa.accounts.access import MANAGERS, REVIEWERS, MemberRequest, member_page
from legalqa.common.page_errors import errors_in, errors_told
from legalqa.jobs.models import Job


@member_page(roles=REVIEWERS)
def case_evaluation_list(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    return _list(request, corpus_id, CaseEvaluationForm(gold_sets=_gold_sets(request, corpus_id)))


def _gold_sets(request: MemberRequest, corpus_id: UUID) -> list[GoldSetCounts]:
    return gold_set_list(organization=request.organization, corpus_id=corpus_id)


def _list(request: MemberRequest, corpus_id: UUID, form: CaseEvaluationForm) -> HttpResponse:
    context = evaluations_page(organization=request.organization, corpus_id=corpus_id)
    context |= {"form": form, "is_manager": request.membership.role in MANAGERS}
    return render(request, "judging/cases/list.html", context, status=422 if form.errors else 200)


@member_page(roles=MANAGERS, methods=("POST",))
def case_evaluation_start(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    form = CaseEvaluationForm(request.POST, request.FILES, gold_sets=_gold_sets(request, corpus_id))
    if form.is_valid():
        of = form.wanted()
        with errors_in(form):
            evaluation = services.case_evaluation_start(**request.acting, corpus_id=corpus_id, **of)
            return redirect("case_evaluation_detail", request.organization.slug, evaluation.pk)
    return _list(request, corpus_id, form)


def _shown(request: MemberRequest, evaluation: CaseEvaluation, job: Job | None) -> dict[str, Any]:
    context = evaluation_page(evaluation=evaluation, job=job, query=request.GET.dict())
    return context | {"is_manager": request.membership.role in MANAGERS}


case_evaluation_detail, case_evaluation_state = run_pages(
    services.CASE_EVALUATIONS, "judging/cases/detail.html", _shown, roles=REVIEWERS
)


@member_page(roles=MANAGERS, methods=("POST",))
def case_evaluation_measure(request: MemberRequest, evaluation_id: UUID) -> HttpResponseBase:
    evaluation, _ = services.CASE_EVALUATIONS.get(organization=request.organization, run_id=evaluation_id)
    form = CaseMeasureForm(request.POST, n_questions=len(evaluation.questions))
    if form.is_valid():
        with errors_told(request):
            services.case_evaluation_measure(**request.acting, evaluation_id=evaluation_id, **form.cleaned_data)
    else:
        messages.error(request, str(form.errors["chosen"][0]))
    return redirect("case_evaluation_detail", request.organization.slug, evaluation_id)


@member_page(roles=MANAGERS, methods=("POST",))
def case_evaluation_remove(request: MemberRequest, evaluation_id: UUID) -> HttpResponseBase:
    corpus = services.case_evaluation_remove(**request.acting, evaluation_id=evaluation_id)
    messages.success(request, "The evaluation was removed with its test questions.")
    return redirect("case_evaluation_list", request.organization.slug, corpus.pk)
