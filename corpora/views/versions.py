"""The versions of a document, and what changed from one to another."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from corpora import selectors, services, versions
from corpora.forms.documents import DocumentFieldsForm, EffectiveDateForm, TitleForm
from corpora.pages.changes import changes_page
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page


@member_page(in_scope=False)
def document_versions(request: MemberRequest, document_id: UUID) -> HttpResponse:
    table = versions.version_table(**request.acting, document_id=document_id)
    context = {
        "document": table.document,
        "corpus": table.document.corpus,
        "rows": table.rows,
        "awaited": table.awaited,
        "is_short": table.is_short,
        "fields": DocumentFieldsForm.of(table.document),
        "can_manage": request.membership.role in MANAGERS,
    }
    return render(request, "corpora/document_versions.html", context)


@member_page(roles=MANAGERS, methods=("POST",))
def document_rename(request: MemberRequest, document_id: UUID) -> HttpResponseBase:
    form = TitleForm(request.POST)
    title = form.cleaned_data["title"] if form.is_valid() else ""
    services.document_rename(**request.acting, document_id=document_id, title=title)
    messages.success(request, "Title saved. Citations of this document now show it.")
    return redirect("document_versions", request.organization.slug, document_id)


@member_page(roles=MANAGERS, methods=("POST",))
def document_describe(request: MemberRequest, document_id: UUID) -> HttpResponseBase:
    document = selectors.document_get(organization=request.organization, document_id=document_id)
    form = DocumentFieldsForm.of(document, request.POST)
    if form.is_valid():
        services.document_describe(**request.acting, document_id=document_id, changes=form.changes)
        messages.success(request, "Saved. Filters of questions and searches now use it.")
    else:
        messages.error(request, " ".join(str(text) for errors in form.errors.values() for text in errors))
    return redirect("document_versions", request.organization.slug, document_id)


@member_page(in_scope=False)
def document_changes(request: MemberRequest, document_id: UUID) -> HttpResponse:
    context = changes_page(**request.acting, document_id=document_id, query=request.GET)
    return render(request, "corpora/document_changes.html", context)


@member_page(roles=MANAGERS, methods=("POST",))
def version_date(request: MemberRequest, document_id: UUID) -> HttpResponseBase:
    form = EffectiveDateForm(request.POST)
    if form.is_valid():
        version = services.version_date_set(**request.acting, document_id=document_id, **form.cleaned_data)
        messages.success(request, "Date saved. Searches by date now use it.")
        if warning := versions.date_check(version=version):
            messages.warning(request, warning)
    else:
        messages.error(request, " ".join(str(text) for errors in form.errors.values() for text in errors))
    return redirect("document_versions", request.organization.slug, document_id)
