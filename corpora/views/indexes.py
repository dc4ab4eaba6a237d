"""The page of chunk sets and encoders: what is searched, what is kept to be compared, and the switches between them."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from corpora import services
from corpora.forms.chunking import ChunkingForm
from corpora.forms.indexes import EndpointForm, FolderForm
from corpora.pages import indexes as presentation
from corpora.services.added_encoders import models_offered
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.accounts.scoping import organization_scope
from legalqa.common.page_errors import errors_in
from legalqa.encoder.client import folder_cards


@member_page(roles=MANAGERS)
def corpus_indexes(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    context = presentation.indexes_page(organization=request.organization, corpus_id=corpus_id)
    return render(request, "corpora/indexes.html", context)


@member_page(roles=MANAGERS, methods=("POST",), in_scope=False)
def added_encoder_new(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    with organization_scope(request.organization, user=request.user):
        form = _form(request)
    if form.is_valid():
        with errors_in(form):
            services.encoder_add(**request.acting, corpus_id=corpus_id, **form.given())
            messages.success(request, "Its vectors are being computed beside those in use. Searches do not change.")
            return redirect("corpus_indexes", request.organization.slug, corpus_id)
    with organization_scope(request.organization, user=request.user):
        context = presentation.indexes_page(organization=request.organization, corpus_id=corpus_id, sent=form)
        return render(request, "corpora/indexes.html", context, status=422)


def _form(request: MemberRequest) -> FolderForm | EndpointForm:
    if "folder" in request.POST:
        return FolderForm(request.POST, folders=[(one.slug, one.title) for one in folder_cards()])
    return EndpointForm(request.POST, models=models_offered(organization=request.organization))


@member_page(roles=MANAGERS, methods=("POST",))
def chunk_set_keep(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    form = ChunkingForm({"kind": request.POST.get("kind")}, request.POST)
    services.chunk_set_keep(**request.acting, corpus_id=corpus_id, chunker=form.settings(), context=form.context())
    messages.success(request, "The chunk set is being built beside the live one. Searches do not change.")
    return redirect("corpus_indexes", request.organization.slug, corpus_id)


def _step(service: Callable[..., object], key: str, message: str) -> Callable[..., HttpResponseBase]:
    """A page that takes a step with a chunk set or an encoder and leads back to the list."""

    @member_page(roles=MANAGERS, methods=("POST",))
    def take(request: MemberRequest, /, corpus_id: UUID, **ids: UUID) -> HttpResponseBase:
        (subject_id,) = ids.values()
        service(**request.acting, corpus_id=corpus_id, **{key: subject_id})
        messages.success(request, message)
        return redirect("corpus_indexes", request.organization.slug, corpus_id)

    return take


SWITCHING = "The switch has begun. Searches use the current one until the new one is complete."
chunk_set_use = _step(services.chunk_set_use, "chunk_set_id", SWITCHING)
chunk_set_update = _step(services.chunk_set_update, "chunk_set_id", "The missing chunks are being made.")
chunk_set_remove = _step(services.chunk_set_remove, "chunk_set_id", "The chunk set is removed.")
added_encoder_use = _step(services.encoder_use, "encoder_id", SWITCHING)
added_encoder_fill = _step(services.encoder_fill_start, "encoder_id", "The missing vectors are being computed.")
added_encoder_remove = _step(services.encoder_remove, "encoder_id", "The encoder is removed, with its vectors.")
