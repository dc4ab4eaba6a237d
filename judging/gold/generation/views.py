"""Pages of generations of gold questions, for those who keep the corpora."""

from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from django.shortcuts import redirect, render

from corpora.selectors import corpus_get
from judging.gold.generation import services
from judging.gold.generation.forms import GenerationForm
from judging.gold.generation.pages import generation_page, generations_page
from judging.gold.services.kinds import kinds_all
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.accounts.steps import step_page, work_pages
from legalqa.common.page_errors import errors_in


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def generation_start(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    types = [(kind.name, kind.label) for kind in kinds_all(organization=request.organization)]
    form = GenerationForm(request.POST if request.method == "POST" else None, types=types)
    if request.method == "POST" and form.is_valid():
        with errors_in(form):
            run = services.generation_start(**request.acting, corpus_id=corpus_id, **form.cleaned_data)
            return redirect("generation_detail", request.organization.slug, run.pk)
    context = generations_page(corpus=corpus) | {"form": form}
    return render(request, "judging/generations.html", context, status=422 if form.errors else 200)


def _shown(request: MemberRequest, generation_id: UUID) -> dict[str, Any]:
    run, job = services.generation_get(organization=request.organization, generation_id=generation_id)
    return generation_page(run=run, job=job)


generation_detail, generation_state = work_pages("judging/generation.html", _shown)
generation_cancel = step_page(services.generation_cancel, back="generation_detail")
generation_resume = step_page(services.generation_resume, back="generation_detail")
