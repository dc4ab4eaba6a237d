"""The pages of a corpus's knowledge graph."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render

from corpora.selectors import corpus_get
from legalqa.accounts.access import MANAGERS, REVIEWERS, MemberRequest, member_page
from legalqa.common.downloads import download
from legalqa.common.errors import NotFound
from legalqa.common.htmx import render_partial
from retrieval.forms import DecisionForm
from retrieval.graph.building import graph_start
from retrieval.graph.exporting import FORMATS, graph_text
from retrieval.graph.reviewing import graph_decide
from retrieval.pages import graph as pages
from retrieval.services.search import MAX_QUERY_CHARS


@member_page(roles=REVIEWERS)
def graph_page(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    context = pages.graph_page(organization=request.organization, corpus_id=corpus_id, query=request.GET.dict())
    context["can_manage"] = request.membership.role in MANAGERS
    return render_partial(request, "retrieval/graph.html", context, partial="statements")


@member_page(roles=REVIEWERS, methods=("GET", "POST"), in_scope=False)
def graph_paths(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    question = " ".join(request.POST.get("question", "").split())[:MAX_QUERY_CHARS]
    context = pages.paths_page(**request.acting, corpus_id=corpus_id, query=request.GET, question=question)
    return render(request, "retrieval/graph_paths.html", context, status=422 if context["form"].errors else 200)


@member_page(roles=MANAGERS, methods=("POST",))
def graph_build(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    graph_start(
        **request.acting,
        corpus_id=corpus_id,
        uses_parser="uses_parser" in request.POST,
        uses_model="uses_model" in request.POST,
    )
    return redirect("graph_page", request.organization.slug, corpus_id)


@member_page(roles=REVIEWERS)
def graph_entity(request: MemberRequest, corpus_id: UUID, entity_id: UUID) -> HttpResponseBase:
    context = pages.entity_page(
        organization=request.organization, corpus_id=corpus_id, entity_id=entity_id, query=request.GET.dict()
    )
    return render(request, "retrieval/graph_entity.html", context)


@member_page(roles=REVIEWERS, methods=("POST",))
def graph_review(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    form, into_id = DecisionForm(request.POST), None
    if form.is_valid():
        into_id = form.cleaned_data["into_id"]
        graph_decide(**request.acting, corpus_id=corpus_id, **form.cleaned_data)
        messages.success(request, "The change is saved, and every later build keeps it.")
    else:
        messages.error(request, "This decision is not complete. Choose what it is about and try again.")
    return redirect(
        pages.decided_url(
            organization=request.organization, corpus_id=corpus_id, query=request.GET.dict(), into_id=into_id
        )
    )


@member_page(roles=REVIEWERS)
def graph_export(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    kind = request.GET.get("shape", "csv")
    if kind not in FORMATS:
        raise NotFound("shape")
    return download(graph_text(corpus=corpus, kind=kind), name=f"graph.{kind}", kind=FORMATS[kind])
