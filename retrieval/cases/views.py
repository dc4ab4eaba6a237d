"""Pages of the case base: lawyers read and review, managers bring cases in and take them out."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from corpora.selectors import corpus_get
from legalqa.accounts.access import MANAGERS, REVIEWERS, MemberRequest, member_page
from legalqa.common.downloads import download
from legalqa.common.page_errors import errors_in, errors_told
from retrieval.cases import indexing, selectors, services
from retrieval.cases.files import case_lines, case_rows_read
from retrieval.cases.forms import CaseImportForm, CaseIndexForm, CaseReviewForm
from retrieval.cases.pages import case_page, cases_page, encoders, statistics_page
from retrieval.cases.reading import case_entities_begin

CASES_A_PAGE = 30


@member_page(roles=REVIEWERS)
def case_list(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    return _list(request, corpus_id, CaseImportForm())


def _list(request: MemberRequest, corpus_id: UUID, form: CaseImportForm, *, status: int = 200) -> HttpResponse:
    context = cases_page(organization=request.organization, corpus_id=corpus_id, filters=request.GET.dict())
    page = Paginator(context["cases"], CASES_A_PAGE).get_page(request.GET.get("page"))
    context |= {
        "form": form,
        "index_form": CaseIndexForm(encoders=context["encoders"]),
        "page_obj": page,
        "is_manager": request.membership.role in MANAGERS,
    }
    return render(request, "retrieval/cases.html", context, status=status)


@member_page(roles=MANAGERS, methods=("POST",))
def case_import(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    corpus_get(organization=request.organization, corpus_id=corpus_id)
    form = CaseImportForm(request.POST, request.FILES)
    if form.is_valid():
        with errors_in(form, "file"):
            rows = case_rows_read(form.cleaned_data["file"])
            added = services.cases_add(**request.acting, corpus_id=corpus_id, rows=rows)
            messages.success(request, f"{len(added.cases)} cases wait for review; {added.n_known} were there already.")
            if added.warning:
                messages.warning(request, added.warning)
            return redirect("case_list", request.organization.slug, corpus_id)
    return _list(request, corpus_id, form, status=422)


@member_page(roles=MANAGERS, methods=("POST",))
def case_approve_waiting(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    n = services.cases_approve_waiting(**request.acting, corpus_id=corpus_id)
    messages.success(request, f"{n} cases were approved.")
    return redirect("case_list", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def case_build(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    form = CaseIndexForm(request.POST, encoders=encoders(corpus))
    if form.is_valid():
        indexing.case_index_build(**request.acting, corpus_id=corpus_id, **form.cleaned_data)
        messages.success(request, "The cases are being compared in the background.")
    else:
        messages.error(request, "Choose one of the search models of this corpus.")
    return redirect("case_list", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def case_index_remove(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    encoder = request.POST.get("removed", "")
    indexing.case_index_remove(**request.acting, corpus_id=corpus_id, encoder=encoder)
    messages.success(request, f"The cases are no longer compared by {encoder}.")
    return redirect("case_list", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def case_entities(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    with errors_told(request):
        case_entities_begin(**request.acting, corpus_id=corpus_id)
        messages.success(request, "The model is reading the cases in the background.")
    return redirect("case_list", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS)
def case_file(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    cases = selectors.case_list(organization=request.organization, corpus_id=corpus_id)
    body = case_lines(selectors.case_documents(cases=cases))
    return download(body, name="cases.jsonl", kind="application/x-ndjson")


@member_page(roles=REVIEWERS)
def case_statistics(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    context = statistics_page(organization=request.organization, corpus_id=corpus_id)
    return render(request, "retrieval/case_statistics.html", context)


@member_page()
def case_detail(request: MemberRequest, case_id: UUID) -> HttpResponse:
    case = selectors.case_get(organization=request.organization, case_id=case_id)
    context = case_page(case=case) | {"form": CaseReviewForm(), "is_manager": request.membership.role in MANAGERS}
    context["can_review"] = request.membership.role in REVIEWERS
    return render(request, "retrieval/case.html", context)


@member_page(roles=REVIEWERS, methods=("POST",))
def case_review(request: MemberRequest, case_id: UUID) -> HttpResponseBase:
    decision, note = request.POST.get("decision", ""), request.POST.get("note", "")
    with errors_told(request):
        case = services.case_review(**request.acting, case_id=case_id, decision=decision, note=note)
        messages.success(request, f"{case.get_state_display()}.")
    return redirect("case_detail", request.organization.slug, case_id)


@member_page(roles=MANAGERS, methods=("POST",))
def case_remove(request: MemberRequest, case_id: UUID) -> HttpResponseBase:
    corpus = services.case_remove(**request.acting, case_id=case_id)
    messages.success(request, "The case was removed.")
    return redirect("case_list", request.organization.slug, corpus.pk)
