"""The page on which managers choose how documents are split, see what that would do, and rebuild the index."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from corpora import selectors, services
from corpora.forms.chunking import ChunkingForm
from corpora.pages import indexing as presentation
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.common.htmx import render_partial, render_state


@member_page(roles=MANAGERS, methods=("GET", "POST"), in_scope=False)
def corpus_chunking(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    if request.method == "POST":
        return _start(request, corpus_id)
    return _page(request, corpus_id)


def _start(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    form = ChunkingForm({"kind": request.POST.get("kind")}, request.POST)
    try:
        with organization_scope(request.organization, user=request.user):
            services.corpus_reindex(
                **request.acting, corpus_id=corpus_id, chunker=form.settings(), context=form.context()
            )
    except NotFound:
        raise
    except ApplicationError as error:
        return _page(request, corpus_id, error=error, status=error.status)
    messages.success(request, "The index is being rebuilt. Searches use the previous one until it is complete.")
    return redirect("corpus_chunking", request.organization.slug, corpus_id)


def _page(
    request: MemberRequest, corpus_id: UUID, *, error: ApplicationError | None = None, status: int = 200
) -> HttpResponse:
    context = presentation.chunking_page(request, corpus_id, error=error)
    return render_partial(request, "corpora/corpus_chunking.html", context, partial="chunking", status=status)


@member_page(roles=MANAGERS, methods=("POST",))
def folder_watch(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    services.folder_watch(
        **request.acting,
        corpus_id=corpus_id,
        path=request.POST.get("path", ""),
        removes_missing="removes_missing" in request.POST,
    )
    messages.success(request, "The folder is watched. Files in it are added as soon as they are fully written.")
    return redirect("corpus_detail", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def folder_unwatch(request: MemberRequest, folder_id: UUID) -> HttpResponseBase:
    folder = services.folder_unwatch(**request.acting, folder_id=folder_id)
    messages.success(request, "The folder is no longer watched. Its documents are kept.")
    return redirect("corpus_detail", request.organization.slug, folder.corpus_id)


@member_page(roles=MANAGERS)
def corpus_index_state(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    corpus = selectors.corpus_get(organization=request.organization, corpus_id=corpus_id)
    state = presentation.index_state(organization=request.organization, corpus=corpus)
    context = {"corpus": corpus, "state": state}
    return render_state(request, "corpora/_index_state.html", context, is_working=state.is_working)
