"""Pages of gold sets, for those who keep the corpora."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify

from corpora.selectors import corpus_get
from judging.gold import pages as presentation
from judging.gold.forms import GoldSetForm
from judging.gold.services import files, sets
from judging.gold.services.cases import gold_set_keep
from judging.gold.services.doubles import MAX_COMPARED
from judging.gold.services.files import gold_set_bring, gold_set_deal
from judging.gold.services.indexing import gold_set_index
from judging.models import GoldSet
from legalqa.accounts.access import MANAGERS, REVIEWERS, MemberRequest, member_page
from legalqa.accounts.scoping import organization_scope
from legalqa.common.downloads import download
from legalqa.common.errors import ApplicationError
from legalqa.common.page_errors import errors_told

QUESTIONS_A_PAGE = 50
MAX_NOTES = 20  # shown after an upload


@member_page(roles=MANAGERS, methods=("GET", "POST"), in_scope=False)
def gold_set_list(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    with organization_scope(request.organization, user=request.user):
        corpus_get(organization=request.organization, corpus_id=corpus_id)
    if request.method != "POST":
        return _list(request, corpus_id, GoldSetForm())
    form = GoldSetForm(request.POST, request.FILES)
    if not form.is_valid():
        return _list(request, corpus_id, form, status=422)
    try:
        gold_set, notes = gold_set_bring(
            **request.acting,
            corpus_id=corpus_id,
            name=form.cleaned_data["name"],
            data=form.cleaned_data["file"],
            shape=form.cleaned_data["shape"],
            n_compared=MAX_COMPARED,
        )
    except ApplicationError as error:
        form.add_error("file" if "line" in error.extra else None, error.message)
        return _list(request, corpus_id, form, status=422)
    for note in notes[:MAX_NOTES]:
        messages.warning(request, note)
    return redirect("gold_set_detail", request.organization.slug, gold_set.pk)


@member_page(roles=MANAGERS, methods=("POST",))
def gold_set_of_marks(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    return _made(request, corpus_id, sets.gold_set_of_marks)


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def gold_set_of_grades(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    if request.method == "POST":
        return _made(request, corpus_id, sets.gold_set_of_grades)
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    kind = request.GET.get("kind", "")
    context = presentation.graded_page(organization=request.organization, corpus=corpus, kind=kind)
    page = Paginator(context["questions"], QUESTIONS_A_PAGE).get_page(request.GET.get("page"))
    rows = presentation.graded_question_rows(questions=list(page.object_list), slug=request.organization.slug)
    return render(request, "judging/graded_questions.html", context | {"rows": rows, "page_obj": page})


def _made(request: MemberRequest, corpus_id: UUID, make: Callable[..., GoldSet]) -> HttpResponseBase:
    """A gold set of what people have said already."""
    name = request.POST.get("name", "")
    with errors_told(request):
        gold_set = make(**request.acting, corpus_id=corpus_id, name=name)
        return redirect("gold_set_detail", request.organization.slug, gold_set.pk)
    return redirect("gold_set_list", request.organization.slug, corpus_id)


def _list(request: MemberRequest, corpus_id: UUID, form: GoldSetForm, *, status: int = 200) -> HttpResponse:
    with organization_scope(request.organization, user=request.user):
        context = presentation.gold_set_page(organization=request.organization, corpus_id=corpus_id) | {"form": form}
        return render(request, "judging/gold_sets.html", context, status=status)


@member_page(roles=REVIEWERS)
def gold_set_detail(request: MemberRequest, gold_set_id: UUID) -> HttpResponse:
    gold_set = sets.gold_set_get(organization=request.organization, gold_set_id=gold_set_id)
    query = request.GET.dict()
    questions = presentation.questions_chosen(gold_set=gold_set, query=query)
    page = Paginator(questions, QUESTIONS_A_PAGE).get_page(request.GET.get("page"))
    rows = presentation.question_rows(questions=list(page.object_list), slug=request.organization.slug)
    context = presentation.gold_set_shown(organization=request.organization, gold_set=gold_set, query=query)
    is_manager = request.membership.role in MANAGERS
    return render(
        request, "judging/gold_set.html", context | {"rows": rows, "page_obj": page, "is_manager": is_manager}
    )


@member_page(roles=MANAGERS)
def gold_set_file(request: MemberRequest, gold_set_id: UUID) -> HttpResponse:
    gold_set = sets.gold_set_get(organization=request.organization, gold_set_id=gold_set_id)
    body, ending, kind = files.gold_set_file(
        **request.acting, gold_set=gold_set, shape=request.GET.get("shape", "jsonl")
    )
    return download(body, name=f"{slugify(gold_set.name) or 'goldset'}.{ending}", kind=kind)


@member_page(roles=MANAGERS, methods=("POST",))
def gold_set_to_index(request: MemberRequest, gold_set_id: UUID) -> HttpResponseBase:
    report = gold_set_index(**request.acting, gold_set_id=gold_set_id)
    messages.success(
        request,
        f"{report.n_added} questions added to the question index, {report.n_known} known already. Drafts and the test "
        "split were left out.",
    )
    return redirect("gold_set_detail", request.organization.slug, gold_set_id)


@member_page(roles=MANAGERS, methods=("POST",))
def gold_set_remove(request: MemberRequest, gold_set_id: UUID) -> HttpResponseBase:
    with errors_told(request):
        corpus = sets.gold_set_remove(**request.acting, gold_set_id=gold_set_id)
        messages.success(request, "The gold set was removed. Mappings tuned on it are kept.")
        return redirect("gold_set_list", request.organization.slug, corpus.pk)
    return redirect("gold_set_detail", request.organization.slug, gold_set_id)


@member_page(roles=MANAGERS, methods=("POST",))
def gold_set_cases(request: MemberRequest, gold_set_id: UUID) -> HttpResponseBase:
    added = gold_set_keep(**request.acting, gold_set_id=gold_set_id)
    messages.success(request, f"{len(added.cases)} solved cases were made; {added.n_known} were there already.")
    return redirect("gold_set_detail", request.organization.slug, gold_set_id)


@member_page(roles=MANAGERS, methods=("POST",))
def gold_set_splits(request: MemberRequest, gold_set_id: UUID) -> HttpResponseBase:
    with errors_told(request):
        counts = gold_set_deal(**request.acting, gold_set_id=gold_set_id)
        messages.success(request, "Dealt into " + ", ".join(f"{name} {n}" for name, n in counts.items()) + ".")
    return redirect("gold_set_detail", request.organization.slug, gold_set_id)
