"""The page on which managers see and change what the complexity of a question means for its search."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from corpora.selectors import corpus_get
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.errors import existing
from legalqa.common.numbers import whole_number
from legalqa.common.page_errors import errors_in
from retrieval.forms import MappingForm
from retrieval.graph.selectors import graph_of
from retrieval.pages.mappings import mapping_page as page_of
from retrieval.services.mappings import classes_check, mapping_active, mapping_read, mapping_save, mapping_use


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def mapping_page(request: MemberRequest, corpus_id: UUID, n_classes: int) -> HttpResponseBase:
    classes_check(n_classes=n_classes)
    if request.method != "POST":
        return _page(request, corpus_id, n_classes)
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    active = mapping_active(corpus=corpus, n_classes=n_classes)
    form = MappingForm(request.POST, mapping=active.mapping, has_graph=graph_of(corpus=corpus) is not None)
    if form.is_valid():
        with errors_in(form):
            mapping = mapping_read(data=form.as_mapping())
    if form.errors:
        return _page(request, corpus_id, n_classes, form)
    version = mapping_save(**request.acting, corpus_id=corpus_id, mapping=mapping)
    messages.success(request, f"Saved as version {version.number}, and activated.")
    return redirect("mapping_page", request.organization.slug, corpus_id, n_classes)


def _page(request: MemberRequest, corpus_id: UUID, n_classes: int, form: MappingForm | None = None) -> HttpResponse:
    context: dict[str, Any] = page_of(
        organization=request.organization, corpus_id=corpus_id, n_classes=n_classes, form=form
    )
    return render(request, "retrieval/mapping.html", context, status=422 if form is not None else 200)


@member_page(roles=MANAGERS, methods=("POST",))
def mapping_again(request: MemberRequest, corpus_id: UUID, n_classes: int) -> HttpResponseBase:
    """Use an older version, or (0) the mapping of the paper."""
    number = existing(whole_number(request.POST.get("number", ""), digits=9), "version")
    version = mapping_use(
        **request.acting, corpus_id=corpus_id, n_classes=classes_check(n_classes=n_classes), number=number
    )
    message = f"Version {version.number} is active again." if version else "The mapping of the paper is active again."
    messages.success(request, message)
    return redirect("mapping_page", request.organization.slug, corpus_id, n_classes)
