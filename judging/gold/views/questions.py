"""Pages of single gold questions."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from judging.gold import pages as presentation
from judging.gold.forms import GoldQuestionForm, ReviewForm, question_initial
from judging.gold.services import reviewing
from judging.gold.services.sets import gold_references
from judging.gold.taxonomy import CRITERIA
from judging.models import GoldQuestion
from legalqa.accounts.access import MANAGERS, REVIEWERS, MemberRequest, member_page
from legalqa.common.errors import ApplicationError
from legalqa.common.page_errors import errors_in


def _question(request: MemberRequest, question_id: UUID) -> GoldQuestion:
    return reviewing.gold_question_get(organization=request.organization, question_id=question_id)


@member_page(roles=REVIEWERS)
def gold_question(request: MemberRequest, gold_question_id: UUID) -> HttpResponse:
    question = _question(request, gold_question_id)
    return _page(request, question, _edit_form(question))


def _edit_form(question: GoldQuestion) -> GoldQuestionForm:
    references = gold_references(questions=[question]).get(question.pk, [])
    return GoldQuestionForm(initial=question_initial(question, references))


def _page(
    request: MemberRequest,
    question: GoldQuestion,
    form: GoldQuestionForm,
    *,
    typed: ReviewForm | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page of a question; `typed` is a review that was refused, `problem` says why."""
    slug = request.organization.slug
    context = presentation.gold_question_page(organization=request.organization, question=question, slug=slug)
    context |= {"form": form, "may_edit": request.membership.role in MANAGERS, "problem": problem}
    grades = typed.grades() if typed else {}
    context["grading"] = [(criterion, str(grades.get(criterion.name, ""))) for criterion in CRITERIA]
    context["typed_note"] = typed.data.get("note", "") if typed else ""
    return render(request, "judging/gold_question.html", context, status=status)


@member_page(roles=MANAGERS, methods=("POST",))
def gold_question_edit(request: MemberRequest, gold_question_id: UUID) -> HttpResponseBase:
    question, form = _question(request, gold_question_id), GoldQuestionForm(request.POST)
    if form.is_valid():
        with errors_in(form):
            reviewing.gold_question_edit(**request.acting, question_id=question.pk, changes=form.changes())
            return redirect("gold_question", request.organization.slug, question.pk)
    return _page(request, question, form, status=422)


@member_page(roles=REVIEWERS, methods=("POST",))
def gold_question_review(request: MemberRequest, gold_question_id: UUID) -> HttpResponseBase:
    form = ReviewForm(request.POST)
    _question(request, gold_question_id)
    try:
        fields = form.cleaned_data if form.is_valid() else {"state": ""}
        reviewing.gold_question_review(**request.acting, question_id=gold_question_id, grades=form.grades(), **fields)
    except ApplicationError as error:
        question = _question(request, gold_question_id)
        shown = _edit_form(question)
        return _page(request, question, shown, typed=form, problem=error.message, status=422)
    return redirect("gold_question", request.organization.slug, gold_question_id)


@member_page(roles=REVIEWERS, methods=("POST",))
def gold_question_report(request: MemberRequest, gold_question_id: UUID) -> HttpResponseBase:
    _question(request, gold_question_id)
    try:
        reviewing.reference_report(**request.acting, question_id=gold_question_id, note=request.POST.get("note", ""))
    except ApplicationError as error:
        messages.error(request, error.message)
    return redirect("gold_question", request.organization.slug, gold_question_id)


@member_page(roles=MANAGERS, methods=("POST",))
def gold_report_decide(request: MemberRequest, gold_report_id: UUID) -> HttpResponseBase:
    report = reviewing.report_decide(
        **request.acting,
        report_id=gold_report_id,
        state=request.POST.get("state", ""),
        note=request.POST.get("note", ""),
    )
    return redirect("gold_question", request.organization.slug, report.question_id)
