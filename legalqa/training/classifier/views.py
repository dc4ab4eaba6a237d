"""The pages on which managers train classifiers of question complexity, read their reports and put them into use."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from corpora.selectors import corpus_get
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.common.htmx import render_partial
from legalqa.training.classifier import pages as presentation
from legalqa.training.classifier import services
from legalqa.training.classifier.forms import TrainingForm
from retrieval.complexity.selectors import classifier_get
from retrieval.complexity.types import MAX_CLASSES, MIN_CLASSES

CLASSES = {str(n) for n in range(MIN_CLASSES, MAX_CLASSES + 1)}
STOP_POLLING = 286  # htmx: swap, and do not ask again


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def complexity_training(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    gold_sets = presentation.gold_sets_of(corpus=corpus)
    form = TrainingForm(request.POST or None, request.FILES or None, gold_sets=gold_sets)
    if request.method == "POST" and form.is_valid():
        try:
            _start(request, corpus_id, form)
            return redirect("complexity_training", request.organization.slug, corpus_id)
        except NotFound:
            raise
        except ApplicationError as error:
            form.add_error(None, error.message)
    context: dict[str, Any] = presentation.training_page(organization=request.organization, corpus=corpus)
    context |= {"form": form, "has_gold_sets": bool(gold_sets)}
    return render(request, "judging/complexity_training.html", context, status=422 if form.errors else 200)


def _start(request: MemberRequest, corpus_id: UUID, form: TrainingForm) -> None:
    chosen = form.cleaned_data.get("gold_set")
    rows, source = services.complexity_rows(
        organization=request.organization,
        corpus_id=corpus_id,
        source=form.cleaned_data["source"],
        gold_set_id=UUID(chosen) if chosen else None,
        text=form.text(),
    )
    file = form.cleaned_data.get("file")
    services.complexity_train(
        organization=request.organization,
        user=request.user,
        corpus_id=corpus_id,
        rows=rows,
        source=file.name if file else source,
        wanted=services.settings_checked(form.training()),
    )
    messages.success(request, "Training has begun. Nothing changes for anybody before you put the result into use.")


@member_page(roles=MANAGERS)
def complexity_versions(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    context = presentation.training_page(organization=request.organization, corpus=corpus)
    status = 200 if context["is_working"] else STOP_POLLING
    return render(request, "judging/_complexity_versions.html", context, status=status)


@member_page(roles=MANAGERS)
def complexity_report(request: MemberRequest, corpus_id: UUID, classifier_id: UUID) -> HttpResponse:
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    version = classifier_get(corpus=corpus, classifier_id=classifier_id)
    context = presentation.report_page(
        corpus=corpus, version=version, address=request.path, cell=request.GET.get("cell", "")
    )
    return render_partial(request, "judging/complexity_report.html", context, partial="cell")


@member_page(roles=MANAGERS, methods=("POST",))
def complexity_activate(request: MemberRequest, corpus_id: UUID, classifier_id: UUID) -> HttpResponseBase:
    services.complexity_activate(
        organization=request.organization, user=request.user, corpus_id=corpus_id, classifier_id=classifier_id
    )
    messages.success(request, "The classifier is in use for every question asked from now on.")
    return redirect("complexity_training", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def complexity_roll_back(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    asked = request.POST.get("n_classes", "")
    n_classes = int(asked) if asked in CLASSES else 3
    services.complexity_roll_back(
        organization=request.organization, user=request.user, corpus_id=corpus_id, n_classes=n_classes
    )
    messages.success(request, "The classifier of before is in use again.")
    return redirect("complexity_training", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def complexity_remove(request: MemberRequest, corpus_id: UUID, classifier_id: UUID) -> HttpResponseBase:
    services.complexity_remove(
        organization=request.organization, user=request.user, corpus_id=corpus_id, classifier_id=classifier_id
    )
    messages.success(request, "The classifier is removed, with its questions and its report.")
    return redirect("complexity_training", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def complexity_cancel(request: MemberRequest, corpus_id: UUID, classifier_id: UUID) -> HttpResponseBase:
    services.complexity_cancel(organization=request.organization, corpus_id=corpus_id, classifier_id=classifier_id)
    return redirect("complexity_training", request.organization.slug, corpus_id)


@member_page(roles=MANAGERS, methods=("POST",))
def complexity_resume(request: MemberRequest, corpus_id: UUID, classifier_id: UUID) -> HttpResponseBase:
    services.complexity_resume(organization=request.organization, corpus_id=corpus_id, classifier_id=classifier_id)
    return redirect("complexity_training", request.organization.slug, corpus_id)
