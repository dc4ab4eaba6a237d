"""The search lab, for those who keep the corpora."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from corpora.selectors import corpus_get
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.accounts.scoping import organization_scope
from legalqa.common.errors import ApplicationError
from legalqa.common.htmx import render_partial
from legalqa.common.numbers import whole_number
from retrieval.forms import LabForm, PresetForm
from retrieval.pages import lab as presentation
from retrieval.services.lab import SHOWN, lab_search, relevance_set
from retrieval.services.presets import preset_resolve, preset_save, saved_preset_remove


@member_page(roles=MANAGERS, methods=("GET", "POST"), in_scope=False)
def search_lab(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    """Posted, although it changes nothing but marks and kept settings: a query must not be in an address."""
    with organization_scope(request.organization, user=request.user):
        corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
        form = LabForm(request.POST or None, organization=request.organization, corpus_id=corpus_id)
        is_valid = form.is_valid()
    context: dict[str, Any] = {"corpus": corpus, "form": form}
    if is_valid:
        for step in (_act, _search):  # the results stay visible if a name or a mark is refused
            try:
                step(request, corpus_id, form, context)
            except ApplicationError as error:
                form.add_error(None, error.message)
    with organization_scope(request.organization, user=request.user):
        context |= presentation.lab_page(organization=request.organization, corpus_id=corpus_id)
        status = 422 if form.errors else 200
        return render_partial(request, "retrieval/lab.html", context, partial="lab-results", status=status)


def _act(request: MemberRequest, corpus_id: UUID, form: LabForm, _context: dict[str, Any]) -> None:
    """What the pressed button asks for besides the search: a mark set or taken back, or a setting kept."""
    if "mark" in request.POST or "unmark" in request.POST:
        paragraph_id = whole_number(request.POST.get("mark") or request.POST.get("unmark") or "")
        if not paragraph_id:
            raise ApplicationError("That passage is not in this corpus. Search again.", code="unknown_passage")
        with organization_scope(request.organization, user=request.user):
            relevance_set(
                **request.acting,
                corpus_id=corpus_id,
                text=form.cleaned_data["text"],
                paragraph_id=paragraph_id,
                is_relevant="mark" in request.POST,
            )
    elif (side := request.POST.get("keep", "")) in ("left", "right"):
        _keep(request, corpus_id, form, side)


def _keep(request: MemberRequest, corpus_id: UUID, form: LabForm, side: str) -> None:
    fields = {
        "name": request.POST.get(f"{side}_name", "").strip(),
        "base": form.cleaned_data[side],
        "overrides": request.POST.get(f"{side}_settings", ""),
    }
    form_of_preset = PresetForm(fields)
    if not form_of_preset.is_valid():
        raise ApplicationError(
            "Only a setting of the product can be changed and kept, under a name. Choose one of these, and name it.",
            code="unknown_setting",
        )
    with organization_scope(request.organization, user=request.user):
        saved = preset_save(**request.acting, corpus_id=corpus_id, **form_of_preset.cleaned_data)
    messages.success(request, f"Saved as {saved.name}. Everyone who may ask this corpus can choose it.")


def _search(request: MemberRequest, corpus_id: UUID, form: LabForm, context: dict[str, Any]) -> None:
    of: Any = {**request.acting, "corpus_id": corpus_id}
    presets = []
    for side in ("left", "right"):
        changes = form.cleaned_data[f"{side}_settings"]
        preset = preset_resolve(**of, name=form.cleaned_data[side], overrides=changes, hits=SHOWN)
        presets.append((preset, " ".join(f"{name}={value}" for name, value in changes.items())))
    trials = lab_search(**of, text=form.cleaned_data["text"], presets=presets)
    context["trials"] = presentation.trials_shown(trials=trials, slug=request.organization.slug)


@member_page(roles=MANAGERS, methods=("POST",))
def preset_remove(request: MemberRequest, corpus_id: UUID, preset_id: UUID) -> HttpResponseBase:
    saved_preset_remove(**request.acting, corpus_id=corpus_id, preset_id=preset_id)
    messages.success(request, "Preset deleted. Answers made with it keep their settings.")
    return redirect("search_lab", request.organization.slug, corpus_id)
