"""Pages of judges, for those who keep the corpora."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from judging.judges import pages, services
from judging.judges.forms import JudgeForm
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.errors import ApplicationError
from legalqa.common.page_errors import errors_in


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def judge_list(request: MemberRequest) -> HttpResponseBase:
    form = JudgeForm(request.POST or None)
    if form.is_valid():
        with errors_in(form):
            services.judge_save(**request.acting, **form.cleaned_data)
            messages.success(request, "The judge was saved. Try it on one item.")
            return redirect("judge_list", request.organization.slug)
    context = pages.judge_page(**request.acting) | {"form": form}
    return render(request, "judging/judges.html", context, status=422 if form.errors else 200)


@member_page(roles=MANAGERS, methods=("GET", "POST"), in_scope=False)
def judge_try(request: MemberRequest) -> HttpResponse:
    """No transaction is open while the judge's model writes."""
    initial = {"judge": request.GET.get("judge", "")}
    form = pages.try_form(request.POST or None, **request.acting, initial=initial)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        corpus_id = UUID(form.cleaned_data["corpus"]) if form.cleaned_data["corpus"] else None
        try:
            trial = services.judge_try(**request.acting, name=form.name, item=form.item, corpus_id=corpus_id)
            context["trial"] = pages.trial_shown(trial, **request.acting)
        except ApplicationError as error:
            form.add_error(None, error.message)
    return render(request, "judging/judge_try.html", context, status=422 if form.errors else 200)


@member_page(roles=MANAGERS, methods=("POST",))
def judge_retire(request: MemberRequest, judge_id: UUID) -> HttpResponseBase:
    row = services.judge_retire(**request.acting, judge_id=judge_id)
    messages.success(request, f"{row.name} was taken out of use. Its judgments are kept.")
    return redirect("judge_list", request.organization.slug)
