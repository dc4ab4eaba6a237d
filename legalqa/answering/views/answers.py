"""Pages of questions and answers."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

from csp.constants import SELF
from csp.decorators import csp_replace
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from corpora.models import Corpus
from corpora.selectors import corpus_list
from legalqa.accounts.access import MemberRequest, member_page
from legalqa.accounts.scoping import organization_scope
from legalqa.answering import selectors, services
from legalqa.answering.filters import AnswerFilter
from legalqa.answering.forms import GradeForm, QuestionForm
from legalqa.answering.models import Answer, AnswerState
from legalqa.answering.pages import grades, history, pack, progress
from legalqa.answering.pages.answer import answer_page
from legalqa.answering.pages.conversation import conversation_page
from legalqa.answering.pages.memo import memo_response
from legalqa.answering.pages.panel import question_classed
from legalqa.answering.pages.settings import settings_words
from legalqa.answering.types import Question
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.common.htmx import render_partial
from retrieval.pipelines.presets import PRESETS
from retrieval.services.search import MAX_QUERY_CHARS

ANSWERS_A_PAGE = 30


@member_page(methods=("GET", "POST"), in_scope=False)
def question_ask(request: MemberRequest) -> HttpResponseBase:
    with organization_scope(request.organization, user=request.user):
        last = history.corpus_asked_last(**request.acting)
        initial = {"corpus": last, **history.scope_asked(request), **request.GET.dict()}
        form = QuestionForm(request.POST or None, organization=request.organization, initial=initial)
        is_valid = "look" not in request.POST and form.is_valid()
        if "look" in request.POST:
            return _looked(request)
    if request.method == "POST" and is_valid:
        try:
            question = form.question(**request.acting)
            if "preview" in request.POST:
                return _previewed(request, form, question)
            answer = services.question_start(question=question)
            address = reverse("answer_detail", args=(request.organization.slug, answer.pk))
            return redirect(f"{address}?new=1#answer-body")
        except ApplicationError as error:
            form.add_error("text", error.message)
    with organization_scope(request.organization, user=request.user):
        return _ask_page(request, form, status=422 if request.method == "POST" else 200)


def _looked(request: MemberRequest) -> HttpResponse:
    """The form as it was filled in, with the documents that the words find; nothing is asked."""
    lists = {name: request.POST.getlist(name) for name in ("kind", "documents")}
    form = QuestionForm(organization=request.organization, initial=request.POST.dict() | lists)
    return _ask_page(request, form, status=200)


def _previewed(request: MemberRequest, form: QuestionForm, question: Question) -> HttpResponse:
    """How complex the question looks; nothing is asked."""
    classed = question_classed(question=question)
    if request.htmx:
        return render(request, "answering/_ask_class.html", {"classed": classed})
    with organization_scope(request.organization, user=request.user):
        return _ask_page(request, form, status=200, classed=classed)


def _ask_page(
    request: MemberRequest, form: QuestionForm, *, status: int, classed: dict[str, Any] | None = None
) -> HttpResponse:
    corpora = list(corpus_list(organization=request.organization))
    context = {
        "form": form,
        "like": _like(request, form),
        "classed": classed,
        "corpora": corpora,
        "has_ready_corpus": any(corpus.n_ready for corpus in corpora),  # type: ignore[attr-defined]  # annotated
        "presets": [
            {"name": PRESETS[name].title, "summary": PRESETS[name].description}
            for name, _ in form.methods
            if name in PRESETS
        ],
        "recent": history.recent(**request.acting),
        "examples": history.examples(_selected(form, corpora)),
    }
    return render(request, "answering/question_ask.html", context, status=status)


def _selected(form: QuestionForm, corpora: Sequence[Corpus]) -> Corpus | None:
    """The corpus that the form shows as chosen: the one named, else the first that can be asked."""
    ready = [corpus for corpus in corpora if corpus.n_ready]  # type: ignore[attr-defined]  # annotated
    corpus_id = str(form["corpus"].value() or "")
    return next((corpus for corpus in ready if str(corpus.pk) == corpus_id), ready[0] if ready else None)


def _like(request: MemberRequest, form: QuestionForm) -> dict[str, Any] | None:
    """The answer whose settings the form keeps, with these in words; None where it names none of the person's."""
    with suppress(NotFound, ValidationError):
        answer_id = form.fields["like"].clean(form["like"].value())
        if answer_id:
            answer = selectors.answer_get_own(**request.acting, answer_id=answer_id)
            return {"id": answer.pk, "settings": settings_words(answer)}
    return None


@member_page()
def question_list(request: MemberRequest) -> HttpResponse:
    state, grade = (request.GET.get(name, "") for name in ("state", "grade"))
    is_outdated = request.GET.get("outdated") == "true"
    is_shared = "shared" in request.GET
    shared = selectors.answer_list_shared(**request.acting)
    answers = shared if is_shared else selectors.answer_list(**request.acting)
    selection, words = AnswerFilter(request.GET, answers).qs, request.GET.get("q", "")
    worded = AnswerFilter({"q": words}, answers).qs  # what the chips count and narrow
    page = Paginator(selectors.conversations_of(answers=selection), ANSWERS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "rows": history.conversation_rows(answers=selection, latest=list(page.object_list)),
        "page_obj": page,
        "q": words,
        "narrowed": {} if is_shared else {n: request.GET[n] for n in AnswerFilter.NARROWING if request.GET.get(n)},
        "is_shared": is_shared,
        "n_shared": selectors.conversations_of(answers=shared).count(),
        "filters": []
        if is_shared
        else history.history_filters(worded, active=state, is_graded=bool(grade) or is_outdated, words=words)
        + history.outdated_filter(worded, is_active=is_outdated, words=words),
        "grade_filters": [] if is_shared else history.grade_filters(worded, active=grade, words=words),
    }
    return render(request, "answering/question_list.html", context)


@csp_replace({"frame-src": [SELF]})  # the cited document, beside the answer
@member_page()
def answer_detail(request: MemberRequest, answer_id: UUID) -> HttpResponse:
    answer = selectors.answer_get(**request.acting, answer_id=answer_id)
    if services.answer_settle(answer=answer).state == AnswerState.WORKING:
        return _answer_working(request, answer)
    if request.htmx and request.GET.get("seen") is not None:  # the page has waited for this
        return HttpResponse(status=204, headers={"HX-Refresh": "true"})
    context = _answer_context(request, answer)
    context |= conversation_page(answer=answer, user=request.user, slug=request.organization.slug)
    context["recent"] = history.recent(**request.acting)
    context["said"] = f"{answer.get_state_display()}. {context['promises']['judgment'] or answer.why}"
    return render_partial(request, "answering/answer_detail.html", context, partial="answer-body")


def _answer_context(request: MemberRequest, answer: Answer, *, is_open: bool = False) -> dict[str, Any]:
    context = answer_page(answer=answer, slug=request.organization.slug)
    context["max_question"] = MAX_QUERY_CHARS
    if answer.state == AnswerState.INSUFFICIENT_EVIDENCE:
        context["passages"] = history.nearest(context["passages"])
        context |= history.silence(organization=request.organization, corpus=answer.question.corpus, answer=answer)
    if answer.question.asker_id == request.user.pk:
        context["grading"] = grades.grading_page(
            answer=answer, user=request.user, passages=context["passages"], is_open=is_open
        )
    return context


@member_page(methods=("POST",))
def answer_grade(request: MemberRequest, answer_id: UUID) -> HttpResponseBase:
    answer = selectors.answer_get_own(**request.acting, answer_id=answer_id)
    form = GradeForm(request.POST, passages=_answer_context(request, answer)["passages"])
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        raise ApplicationError(f"The grade was not saved. {field.replace('_', ' ').capitalize()}: {errors[0]}")
    services.answer_grade(**request.acting, answer_id=answer_id, grade=form.cleaned_data["grade"], **form.details())
    return _graded(request, answer, is_open=True)


@member_page(methods=("POST",))
def answer_ungrade(request: MemberRequest, answer_id: UUID) -> HttpResponseBase:
    answer = services.answer_ungrade(**request.acting, answer_id=answer_id)
    return _graded(request, answer, is_open=False)


def _graded(request: MemberRequest, answer: Answer, *, is_open: bool) -> HttpResponseBase:
    """The part of the page that shows the grades; without htmx the page, open there."""
    if not request.htmx:
        return redirect(f"{reverse('answer_detail', args=(request.organization.slug, answer.pk))}#grade")
    context = _answer_context(request, answer, is_open=is_open) | {"is_said": True}
    return render(request, "answering/_grade.html", context)


def _answer_working(request: MemberRequest, answer: Answer) -> HttpResponse:
    context = progress.progress_page(answer=answer, seen=request.GET.get("seen", ""))
    context |= {"answer": answer, "question": answer.question, "corpus": answer.question.corpus}
    if not request.htmx:
        context |= conversation_page(answer=answer, user=request.user, slug=request.organization.slug)
    context["recent"] = history.recent(**request.acting)
    return render_partial(request, "answering/answer_working.html", context, partial="answer-body")


@member_page(methods=("POST",))
def answer_cancel(request: MemberRequest, answer_id: UUID) -> HttpResponse:
    services.answer_cancel(**request.acting, answer_id=answer_id)
    return redirect("answer_detail", request.organization.slug, answer_id)


@member_page(methods=("POST",), in_scope=False)
def answer_again(request: MemberRequest, answer_id: UUID) -> HttpResponse:
    answer = services.question_again(**request.acting, answer_id=answer_id)
    return redirect("answer_detail", request.organization.slug, answer.pk)


@member_page()
def answer_pack(request: MemberRequest, answer_id: UUID) -> HttpResponse:
    answer = services.answer_export(**request.acting, answer_id=answer_id)
    context = pack.pack_page(answer=answer, slug=request.organization.slug)
    return render(request, "answering/evidence_pack.html", context | {"generated_at": timezone.now()})


@member_page()
def answer_pack_json(request: MemberRequest, answer_id: UUID) -> HttpResponse:
    answer = services.answer_export(**request.acting, answer_id=answer_id)
    response = JsonResponse(pack.answer_pack(answer=answer), json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="answer-{answer.pk}.json"'
    return response


@member_page()
def answer_memo(request: MemberRequest, answer_id: UUID, kind: str) -> HttpResponse:
    answer = services.answer_export(**request.acting, answer_id=answer_id)
    return memo_response(answer=answer, kind=kind)
