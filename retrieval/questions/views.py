"""Pages of the question index, for those who keep the corpora."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.downloads import download
from legalqa.common.errors import ApplicationError, Conflict, NotFound
from legalqa.common.htmx import render_state
from legalqa.common.page_errors import errors_in
from retrieval.models import QuestionState
from retrieval.questions import services
from retrieval.questions.files import file_lines
from retrieval.questions.forms import EditForm, FilterForm, ImportForm
from retrieval.questions.pages import index_page, question_rows

QUESTIONS_A_PAGE = 50
MAX_NOTES = 20  # shown after an import


@member_page(roles=MANAGERS)
def question_index(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    return _page(request, corpus_id, ImportForm())


@member_page(roles=MANAGERS)
def question_index_state(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    corpus, index, job = services.question_index_get(organization=request.organization, corpus_id=corpus_id)
    context = index_page(organization=request.organization, corpus=corpus, index=index, job=job)
    return render_state(request, "retrieval/questions.html#state", context, is_working=bool(job and job.is_open))


@member_page(roles=MANAGERS, methods=("POST",))
def question_index_build(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    uses_model = request.POST.get("writer") == "model"
    try:
        services.questions_build(**request.acting, corpus_id=corpus_id, uses_model=uses_model)
    except (NotFound, Conflict):
        raise
    except ApplicationError as error:
        messages.error(request, error.message)
    return redirect("question_index", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def question_index_import(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    form = ImportForm(request.POST, request.FILES)
    if form.is_valid():
        name, data = form.cleaned_data["file"]
        with errors_in(form, "file"):
            lines = file_lines(data)
            report = services.pairs_import(**request.acting, corpus_id=corpus_id, lines=lines, author=name)
            messages.success(request, f"{report.n_added} questions added, {report.n_known} known already.")
            for reason in report.left_out[:MAX_NOTES]:
                messages.warning(request, reason)
            return redirect("question_index", request.organization.slug, corpus_id)
    return _page(request, corpus_id, form, status=422)


@member_page(roles=MANAGERS)
def question_index_file(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    shape = request.GET.get("shape", "csv")
    body, kind = services.questions_export(**request.acting, corpus_id=corpus_id, shape=shape)
    return download(body, name=f"questions.{shape}", kind=kind)


@member_page(roles=MANAGERS, methods=("POST",))
def indexed_question_state(request: MemberRequest, question_id: int) -> HttpResponseBase:
    """Reject a question, or index it again; remove a real one."""
    if request.POST.get("state") == "removed":
        question = services.pair_remove(**request.acting, question_id=question_id)
    else:
        state = request.POST.get("state", QuestionState.REJECTED.value)
        question = services.question_state_set(**request.acting, question_id=question_id, state=state)
    return redirect("question_index", request.organization.slug, question.corpus_id)


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def indexed_question_edit(request: MemberRequest, question_id: int) -> HttpResponseBase:
    question = services.question_get(organization=request.organization, question_id=question_id)
    form = EditForm(request.POST if request.method == "POST" else None, initial={"text": question.text})
    if form.is_valid():
        with errors_in(form, "text"):
            services.question_edit(**request.acting, question_id=question_id, **form.cleaned_data)
            return redirect("question_index", request.organization.slug, question.corpus_id)
    (row,) = question_rows(questions=[question], slug=request.organization.slug)
    context = {"form": form, "row": row, "corpus": question.corpus}
    return render(request, "retrieval/question_edit.html", context, status=422 if form.errors else 200)


def _page(request: MemberRequest, corpus_id: UUID, form: ImportForm, *, status: int = 200) -> HttpResponse:
    corpus, index, job = services.question_index_get(organization=request.organization, corpus_id=corpus_id)
    filter_form = FilterForm(request.GET)
    filters = filter_form.cleaned_data if filter_form.is_valid() else {}
    questions = services.question_list(organization=request.organization, corpus_id=corpus_id, **filters)
    page = Paginator(questions, QUESTIONS_A_PAGE).get_page(request.GET.get("page"))
    context = index_page(organization=request.organization, corpus=corpus, index=index, job=job) | {
        "form": form,
        "filters": filter_form,
        "is_filtered": any(filters.values()),
        "page_obj": page,
        "rows": question_rows(questions=list(page.object_list), slug=request.organization.slug),
    }
    return render(request, "retrieval/questions.html", context, status=status)
