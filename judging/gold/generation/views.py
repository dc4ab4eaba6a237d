"""Pages of generations of gold questions, for those who keep the corpora."""

from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from django.shortcuts import redirect, render

from corpora.runs.views import run_pages
from corpora.selectors import corpus_get
from judging.gold.generation import services
from judging.gold.generation.forms import GenerationForm
from judging.gold.generation.pages import generation_page, generations_page
from judging.gold.services.kinds import kinds_all
from judging.models import GoldGeneration
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.page_errors import errors_in
from legalqa.jobs.models import Job


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


def _shown(_request: MemberRequest, run: GoldGeneration, job: Job | None) -> dict[str, Any]:
    return generation_page(run=run, job=job)


generation_detail, generation_state = run_pages(services.GENERATIONS, "judging/generation.html", _shown)
