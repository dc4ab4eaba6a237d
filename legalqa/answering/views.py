"""Pages of questions and answers."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from corpora.selectors import corpus_list
from legalqa.accounts.access import MemberRequest, member_page
from legalqa.accounts.scoping import organization_scope
from legalqa.accounts.services import audit
from legalqa.answering import presentation, selectors, services
from legalqa.answering.forms import QuestionForm
from legalqa.answering.models import AnswerState
from legalqa.common.errors import ApplicationError
from legalqa.common.htmx import render_partial
from retrieval.presets import DEFAULT_PRESET, PRESETS
from retrieval.saved_presets import preset_resolve

ANSWERS_A_PAGE = 30


@member_page(methods=("GET", "POST"), in_scope=False)
def question_ask(request: MemberRequest) -> HttpResponseBase:
    with organization_scope(request.organization, user=request.user):
        form = QuestionForm(request.POST or None, organization=request.organization, initial=request.GET.dict())
        is_valid = form.is_valid()
    if request.method == "POST" and is_valid:
        try:
            return _answered(request, form)
        except ApplicationError as error:
            form.add_error("text", error.message)
    with organization_scope(request.organization, user=request.user):
        return _ask_page(request, form, status=422 if request.method == "POST" else 200)


def _answered(request: MemberRequest, form: QuestionForm) -> HttpResponseBase:
    data = form.cleaned_data
    overrides = {"k": str(data["k"])} if data["k"] else {}
    answer = services.question_ask(
        organization=request.organization,
        user=request.user,
        corpus_id=UUID(data["corpus"]),
        text=data["text"],
        preset=preset_resolve(
            organization=request.organization,
            user=request.user,
            corpus_id=UUID(data["corpus"]),
            name=data["preset"] or DEFAULT_PRESET,
            overrides=overrides,
        ),
    )
    return redirect("answer_detail", request.organization.slug, answer.pk)


def _ask_page(request: MemberRequest, form: QuestionForm, *, status: int) -> HttpResponse:
    corpora = list(corpus_list(organization=request.organization))
    context = {
        "form": form,
        "corpora": corpora,
        "has_ready_corpus": any(corpus.n_ready for corpus in corpora),  # type: ignore[attr-defined]
        "presets": [{"name": p.title, "summary": p.description} for p in PRESETS.values()],
        "recent": presentation.recent(organization=request.organization, user=request.user),
        "examples": presentation.examples(corpora),
    }
    return render(request, "answering/question_ask.html", context, status=status)


@member_page()
def question_list(request: MemberRequest) -> HttpResponse:
    state = request.GET.get("state", "")
    answers = selectors.answer_list(organization=request.organization, user=request.user)
    shown = answers.filter(state=state) if state in AnswerState.values else answers
    page = Paginator(shown, ANSWERS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "rows": presentation.history_rows(list(page.object_list)),
        "page_obj": page,
        "filters": presentation.history_filters(answers, active=state),
    }
    return render(request, "answering/question_list.html", context)


@member_page()
def answer_detail(request: MemberRequest, answer_id: UUID) -> HttpResponse:
    answer = selectors.answer_get(organization=request.organization, user=request.user, answer_id=answer_id)
    context = presentation.answer_page(answer=answer, slug=request.organization.slug)
    context["recent"] = presentation.recent(organization=request.organization, user=request.user)
    if answer.state == AnswerState.INSUFFICIENT_EVIDENCE:
        context["passages"] = presentation.nearest(context["passages"])
        context |= presentation.silence(organization=request.organization, corpus=answer.question.corpus, answer=answer)
    return render_partial(request, "answering/answer_detail.html", context, partial="answer-body")


@member_page()
def answer_pack(request: MemberRequest, answer_id: UUID) -> HttpResponse:
    answer = selectors.answer_get(organization=request.organization, user=request.user, answer_id=answer_id)
    context = presentation.answer_page(answer=answer, slug=request.organization.slug)
    audit(organization=request.organization, actor=request.user, action="answer.exported", subject_id=answer.pk)
    return render(request, "answering/evidence_pack.html", context | {"generated_at": timezone.now()})


@member_page()
def answer_pack_json(request: MemberRequest, answer_id: UUID) -> HttpResponse:
    answer = selectors.answer_get(organization=request.organization, user=request.user, answer_id=answer_id)
    response = JsonResponse(presentation.answer_pack(answer=answer), json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="answer-{answer.pk}.json"'
    audit(organization=request.organization, actor=request.user, action="answer.exported", subject_id=answer.pk)
    return response
