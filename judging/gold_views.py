"""Pages of gold sets and tunings, for those who keep the corpora."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify

from corpora.selectors import corpus_get
from judging import gold_presentation as presentation
from judging import gold_sets, tunings
from judging.forms import GoldSetForm, TuningForm
from judging.gold_files import gold_lines, gold_rows_read
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.accounts.services import audit
from legalqa.common.errors import ApplicationError, NotFound

QUESTIONS_A_PAGE = 50
STOP_POLLING = 286  # htmx's status for "this was the last answer"


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def gold_set_list(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    corpus_get(organization=request.organization, corpus_id=corpus_id)
    if request.method != "POST":
        return _list(request, corpus_id, GoldSetForm())
    form = GoldSetForm(request.POST, request.FILES)
    if not form.is_valid():
        return _list(request, corpus_id, form, status=422)
    try:
        gold_set = gold_sets.gold_set_import(
            organization=request.organization,
            user=request.user,
            corpus_id=corpus_id,
            name=form.cleaned_data["name"],
            rows=gold_rows_read(form.cleaned_data["file"]),
        )
    except ApplicationError as error:
        form.add_error("file" if "line" in error.extra else None, error.message)
        return _list(request, corpus_id, form, status=422)
    return redirect("gold_set_detail", request.organization.slug, gold_set.pk)


@member_page(roles=MANAGERS, methods=("POST",))
def gold_set_of_marks(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    try:
        gold_set = gold_sets.gold_set_of_marks(
            organization=request.organization,
            user=request.user,
            corpus_id=corpus_id,
            name=request.POST.get("name", ""),
        )
    except NotFound:
        raise
    except ApplicationError as error:
        messages.error(request, error.message)
        return redirect("gold_set_list", request.organization.slug, corpus_id)
    return redirect("gold_set_detail", request.organization.slug, gold_set.pk)


def _list(request: MemberRequest, corpus_id: UUID, form: GoldSetForm, *, status: int = 200) -> HttpResponse:
    context = presentation.gold_set_page(organization=request.organization, corpus_id=corpus_id) | {"form": form}
    return render(request, "judging/gold_sets.html", context, status=status)


@member_page(roles=MANAGERS)
def gold_set_detail(request: MemberRequest, gold_set_id: UUID) -> HttpResponse:
    gold_set = gold_sets.gold_set_get(organization=request.organization, gold_set_id=gold_set_id)
    page = Paginator(gold_sets.gold_questions(gold_set=gold_set), QUESTIONS_A_PAGE).get_page(request.GET.get("page"))
    rows = presentation.question_rows(questions=list(page.object_list), slug=request.organization.slug)
    context = {"gold_set": gold_set, "corpus": gold_set.corpus, "rows": rows, "page_obj": page}
    return render(request, "judging/gold_set.html", context)


@member_page(roles=MANAGERS)
def gold_set_file(request: MemberRequest, gold_set_id: UUID) -> HttpResponse:
    gold_set = gold_sets.gold_set_get(organization=request.organization, gold_set_id=gold_set_id)
    body = "".join(gold_lines(gold_sets.gold_set_rows(gold_set=gold_set)))
    audit(
        organization=request.organization,
        actor=request.user,
        action="gold_set.exported",
        subject_id=gold_set.corpus_id,
    )
    response = HttpResponse(body, content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(gold_set.name) or "goldset"}.jsonl"'
    return response


@member_page(roles=MANAGERS, methods=("POST",))
def gold_set_remove(request: MemberRequest, gold_set_id: UUID) -> HttpResponseBase:
    corpus = gold_sets.gold_set_remove(organization=request.organization, user=request.user, gold_set_id=gold_set_id)
    messages.success(request, "The gold set is removed. Mappings that were tuned on it stay.")
    return redirect("gold_set_list", request.organization.slug, corpus.pk)


@member_page(roles=MANAGERS, methods=("POST",))
def tuning_start(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    choices = presentation.gold_set_choices(organization=request.organization, corpus_id=corpus_id)
    form = TuningForm(request.POST, gold_sets=choices)
    slug = request.organization.slug
    if not form.is_valid():
        messages.error(request, "Choose a gold set of this corpus, and settings from the lists.")
        return redirect("gold_set_list", slug, corpus_id)
    data: dict[str, Any] = form.cleaned_data
    try:
        run = tunings.tuning_start(
            organization=request.organization,
            user=request.user,
            gold_set_id=UUID(data["gold_set"]),
            corpus_id=corpus_id,
            options=tunings.tuning_options(
                n_classes=data["n_classes"],
                is_reranked=data["is_reranked"],
                rewrites=[data["rewrites"]],
                price=data["price"],
            ),
        )
    except ApplicationError as error:
        messages.error(request, error.message)
        return redirect("gold_set_list", slug, corpus_id)
    return redirect("tuning_detail", slug, run.pk)


@member_page(roles=MANAGERS)
def tuning_detail(request: MemberRequest, tuning_id: UUID) -> HttpResponse:
    return _tuning(request, tuning_id, "judging/tuning.html")


@member_page(roles=MANAGERS)
def tuning_state(request: MemberRequest, tuning_id: UUID) -> HttpResponse:
    return _tuning(request, tuning_id, "judging/_tuning_state.html", last=STOP_POLLING)


def _tuning(request: MemberRequest, tuning_id: UUID, template: str, *, last: int = 200) -> HttpResponse:
    run, job = tunings.tuning_get(organization=request.organization, tuning_id=tuning_id)
    context = presentation.tuning_page(run=run, job=job)
    return render(request, template, context, status=200 if job is not None and job.is_open else last)


@member_page(roles=MANAGERS, methods=("POST",))
def tuning_cancel(request: MemberRequest, tuning_id: UUID) -> HttpResponseBase:
    run = tunings.tuning_cancel(organization=request.organization, tuning_id=tuning_id)
    return redirect("tuning_detail", request.organization.slug, run.pk)


@member_page(roles=MANAGERS, methods=("POST",))
def tuning_go_on(request: MemberRequest, tuning_id: UUID) -> HttpResponseBase:
    run = tunings.tuning_go_on(organization=request.organization, tuning_id=tuning_id)
    return redirect("tuning_detail", request.organization.slug, run.pk)


@member_page(roles=MANAGERS, methods=("POST",))
def tuning_use(request: MemberRequest, tuning_id: UUID) -> HttpResponseBase:
    version = tunings.tuning_use(organization=request.organization, user=request.user, tuning_id=tuning_id)
    messages.success(request, f"The mapping is in use, as version {version.number}.")
    return redirect("mapping_page", request.organization.slug, version.corpus_id, version.n_classes)
