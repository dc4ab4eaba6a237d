"""Pages of feedback: the queue and the threshold of a corpus, for those who keep it, and a person's own grades."""

import json
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from corpora.selectors import corpus_get
from judging.gold.feedback.forms import ThresholdForm
from judging.gold.feedback.pages import feedback_filters, feedback_rows
from judging.gold.feedback.selectors import STATES, WAITING, feedback_list, grades_given
from judging.gold.feedback.services import MAX_NOTE, feedback_get, feedback_review
from judging.gold.feedback.threshold import threshold_report, threshold_set
from judging.gold.files import MAX_CHARS
from judging.gold.lines import ANSWERS, KINDS, training_lines
from judging.models import Outcome
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.downloads import download
from legalqa.common.errors import ApplicationError, NotFound

ROWS_A_PAGE = 25
FORM = {"outcomes": Outcome.choices, "max_note": MAX_NOTE, "max_chars": MAX_CHARS, "exports": KINDS.items()}


@member_page(roles=MANAGERS)
def queue(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    state = request.GET.get("state", WAITING)
    of: dict[str, Any] = {"organization": request.organization, "corpus_id": corpus.pk}
    of["state"] = state if state in STATES else WAITING
    page = Paginator(feedback_list(**of), ROWS_A_PAGE).get_page(request.GET.get("page"))
    rows = feedback_rows(list(page.object_list))
    context = {"corpus": corpus, "rows": rows, "page_obj": page, "filters": feedback_filters(**of)}
    return render(request, "judging/feedback/queue.html", context | FORM)


@member_page(roles=MANAGERS, methods=("POST",))
def review(request: MemberRequest, grade_id: UUID) -> HttpResponseBase:
    grade = feedback_get(organization=request.organization, grade_id=grade_id)
    fields = {name: request.POST.get(name, "") for name in ("outcome", "note", "reference")}
    try:
        with transaction.atomic():
            verdict = feedback_review(**request.acting, grade_id=grade.pk, **fields)
        messages.success(request, f"{verdict.get_outcome_display()}. The person who graded sees this.")
    except NotFound:
        raise
    except ApplicationError as error:
        rows = [row | {"typed": fields, "problem": error.message} for row in feedback_rows([grade])]
        context = {"corpus": grade.corpus, "rows": rows}
        return render(request, "judging/feedback/queue.html", context | FORM, status=422)
    return redirect("feedback_list", request.organization.slug, grade.corpus_id)


@member_page()
def mine(request: MemberRequest) -> HttpResponse:
    grades = grades_given(**request.acting)
    page = Paginator(grades, ROWS_A_PAGE).get_page(request.GET.get("page"))
    rows = feedback_rows(list(page.object_list))
    return render(request, "judging/feedback/mine.html", {"rows": rows, "page_obj": page})


@member_page(roles=MANAGERS)
def export(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    lines = training_lines(**request.acting, corpus_id=corpus_id, kind=request.GET.get("kind", ANSWERS))
    body = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    name = f"{request.GET.get('kind', ANSWERS)}.jsonl"
    return download(body, name=name, kind="application/x-ndjson; charset=utf-8")


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def threshold(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    of: dict[str, Any] = {"organization": request.organization, "corpus_id": corpus_id}
    form = ThresholdForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        corpus = threshold_set(user=request.user, risk=form.cleaned_data["risk"], **of)
        used = "usual one" if corpus.answer_threshold is None else f"new one, {corpus.answer_threshold:.2f}"
        messages.success(request, f"The threshold of {corpus.name} is the {used}.")
        return redirect("threshold_page", request.organization.slug, corpus_id)
    context = {"corpus": corpus_get(**of), "report": threshold_report(**of)}
    return render(request, "judging/feedback/threshold.html", context, status=422 if form.is_bound else 200)
