"""Pages of the clause library and of the clauses of contracts."""

from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from corpora.selectors import corpus_get, document_get
from legalqa.accounts.access import REVIEWERS, MemberRequest, member_page
from legalqa.answering.clauses import pages, services
from legalqa.common.downloads import csv_response
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.common.htmx import render_partial


@member_page(roles=REVIEWERS, methods=("GET", "POST"))
def clause_table(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    if request.method != "POST":
        return _table(request, corpus_id)
    try:
        services.clauses_ask(
            **request.acting,
            corpus_id=corpus_id,
            document_ids=_documents_ticked(request, corpus_id),
            clauses=request.POST.getlist("clause"),
            again="again" in request.POST,
        )
    except NotFound:
        raise
    except ApplicationError as error:
        return _table(request, corpus_id, error=error.message)
    return redirect("clause_table", request.organization.slug, corpus_id)


def _documents_ticked(request: MemberRequest, corpus_id: UUID) -> list[str] | list[UUID]:
    if "every" not in request.POST:
        return request.POST.getlist("document")
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    return [one.pk for one in pages.documents_readable(corpus=corpus)]


def _table(request: MemberRequest, corpus_id: UUID, *, error: str = "") -> HttpResponse:
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    keys, number = request.GET.getlist("clause"), request.GET.get("page")
    context = pages.table_page(organization=request.organization, corpus=corpus, keys=keys, number=number)
    context["error"] = error
    status = 422 if error else 200
    return render_partial(request, "answering/clause_table.html", context, partial="clause-table", status=status)


@member_page(roles=REVIEWERS)
def clause_csv(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    rows = pages.csv_rows(organization=request.organization, corpus=corpus, keys=request.GET.getlist("clause"))
    return csv_response(name=f"clauses-{corpus.slug}.csv", header=pages.CSV_HEADER, rows=rows)


@member_page(roles=REVIEWERS)
def clause_document(request: MemberRequest, document_id: UUID) -> HttpResponse:
    document = document_get(organization=request.organization, document_id=document_id)
    show = request.GET.get("show", "")
    context = pages.document_page(organization=request.organization, document=document, show=show)
    return render(request, "answering/clause_document.html", context)


@member_page(roles=REVIEWERS, methods=("POST",))
def clause_verdict_review(request: MemberRequest, verdict_id: UUID) -> HttpResponseBase:
    row = services.verdict_review(**request.acting, verdict_id=verdict_id, state=request.POST.get("state", ""))
    response = redirect("clause_document", request.organization.slug, row.document_id)
    show = request.POST.get("show", "")
    response["Location"] += f"?show={show}#{row.clause}" if show in pages.SHOWS else f"#{row.clause}"
    return response


@member_page(roles=REVIEWERS, methods=("GET", "POST"))
def clause_library(request: MemberRequest) -> HttpResponseBase:
    if request.method != "POST":
        return _library(request)
    typed = {"name": request.POST.get("name", ""), "question": request.POST.get("question", "")}
    try:
        services.clause_add(**request.acting, **typed)
    except ApplicationError as error:
        return _library(request, error=error.message, typed=typed)
    return redirect("clause_library", request.organization.slug)


def _library(request: MemberRequest, *, error: str = "", typed: dict[str, str] | None = None) -> HttpResponse:
    context = pages.library_page(organization=request.organization) | {"error": error, "typed": typed or {}}
    return render(request, "answering/clause_library.html", context, status=422 if error else 200)


@member_page(roles=REVIEWERS, methods=("POST",))
def clause_question_remove(request: MemberRequest, clause_id: UUID) -> HttpResponseBase:
    services.clause_remove(**request.acting, clause_id=clause_id)
    return redirect("clause_library", request.organization.slug)
