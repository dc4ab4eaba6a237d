"""Pages of trained versions: one set, made for each kind from its face."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import URLPattern, path

from corpora.selectors import corpus_get
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.errors import NotFound
from legalqa.common.htmx import render_partial, render_state
from legalqa.common.page_errors import errors_in
from legalqa.training.versions.pages import AnyFace, report_page, state_page, versions_page

BEGUN = "Training has started. Nothing changes for anyone until you activate the result."

View = Callable[..., HttpResponseBase]


def page_routes(face: AnyFace, group: Sequence[AnyFace]) -> list[URLPattern]:
    """The pages of a kind: the list of its group with the forms, the report of a version, and a page for each step."""
    at = face.addresses
    page = f"corpora/<uuid:corpus_id>/{at.pages}"
    one = f"{page}<uuid:{face.trainer.name}_id>/"
    views: list[tuple[str, str, View]] = [
        (page, "list", _start(face, group)),
        (f"{page}back/", "roll_back", _step(face, "roll_back")),
        (one, "detail", _report(face, group)),
        *((f"{one}{step}/", step, _step(face, step)) for step in ("use", "remove")),
    ]
    if at.state:
        views.append((f"{page}{at.state}/", "state", _state(group)))
    if at.can_use_packaged:
        views.append((f"{page}packaged/", "use_packaged", _step(face, "use_packaged")))
    return [path(address, view, name=at.name(name)) for address, name, view in views]


def _start(face: AnyFace, group: Sequence[AnyFace]) -> View:
    """The list with the forms; a kind that is listed on the page of another takes its own form only."""

    @member_page(roles=MANAGERS, methods=("GET", "POST") if face is group[0] else ("POST",))
    def start(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        of: dict[str, Any] = {"organization": request.organization, "corpus": corpus}
        form = face.form(**of, data=request.POST, files=request.FILES) if request.method == "POST" else None
        if form is not None and form.is_valid():
            with errors_in(form):
                face.trainer.start(**request.acting, corpus_id=corpus_id, choices=face.choices(**of, form=form))
                messages.success(request, BEGUN)
                return redirect(face.addresses.listed, request.organization.slug, corpus_id)
        context = versions_page(group, **of, forms={face: form} if form is not None else {})
        return render(request, "training/versions.html", context, status=200 if form is None else 422)

    return start


def _state(group: Sequence[AnyFace]) -> View:
    @member_page(roles=MANAGERS)
    def state(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        context = state_page(group, organization=request.organization, corpus=corpus)
        return render_state(request, "training/versions.html#state", context, is_working=context["is_working"])

    return state


def _report(face: AnyFace, group: Sequence[AnyFace]) -> View:
    @member_page(roles=MANAGERS)
    def report(request: MemberRequest, /, corpus_id: UUID, **ids: UUID) -> HttpResponseBase:
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        (version_id,) = ids.values()
        version, _ = face.trainer.get(organization=request.organization, run_id=version_id, corpus_id=corpus_id)
        if not version.is_ready:
            raise NotFound("report")
        of: dict[str, Any] = {"organization": request.organization, "corpus": corpus, "version": version}
        context = report_page(group, face, **of, query=request.GET, address=request.path)
        if face.report_partial:
            return render_partial(request, face.report_template, context, partial=face.report_partial)
        return render(request, face.report_template, context)

    return report


def _step(face: AnyFace, step: str) -> View:
    """A page that takes a step and leads back to the list, or to the indexes if it was taken there."""
    call = getattr(face.trainer, "use" if step == "use_packaged" else step)

    @member_page(roles=MANAGERS, methods=("POST",))
    def take(request: MemberRequest, /, corpus_id: UUID, **ids: UUID) -> HttpResponseBase:
        if step == "roll_back":
            of: dict[str, Any] = {"slot": face.slot(request.POST)}
        else:
            of = {"version_id": ids.get(f"{face.trainer.name}_id")}
        call(**request.acting, corpus_id=corpus_id, **of)
        if words := face.words.said.get(step):
            messages.success(request, words)
        address = "corpus_indexes" if request.POST.get("from") == "indexes" else face.addresses.listed
        return redirect(address, request.organization.slug, corpus_id)

    return take
