"""The page on which a corpus is removed: what goes, what stays, and the way back until it begins."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone

from corpora import removal, selectors, services
from corpora.models import Corpus
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.common.errors import ApplicationError


@member_page(roles=MANAGERS, methods=("GET", "POST"), fresh="remove a corpus")
def corpus_removal(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    corpus = selectors.corpus_get(organization=request.organization, corpus_id=corpus_id, even_leaving=True)
    if request.method != "POST":
        return _page(request, corpus)
    name = request.POST.get("name", "")
    try:
        services.corpus_remove(**request.acting, corpus_id=corpus_id, name=name)
    except ApplicationError as error:
        return _page(request, corpus, problem=error.message, typed=name, status=error.status)
    messages.success(request, f"{corpus.name} will be removed. Until the removal starts, you can cancel it here.")
    return redirect("corpus_list", request.organization.slug)


def _page(
    request: MemberRequest, corpus: Corpus, *, problem: str = "", typed: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "corpus": corpus,
        "goes": removal.goes_in_words(counts=removal.removal_counts(corpus=corpus)),
        "removal": removal.removals(organization=request.organization).get(corpus.pk),
        "begins_at": timezone.now() + services.removal_delay(),
        "problem": problem,
        "typed": typed,
    }
    return render(request, "corpora/corpus_removal.html", context, status=status)


@member_page(roles=MANAGERS, methods=("POST",))
def corpus_removal_cancel(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    corpus = services.corpus_removal_cancel(**request.acting, corpus_id=corpus_id)
    messages.success(request, f"{corpus.name} is kept. Nothing was removed.")
    return redirect("corpus_detail", request.organization.slug, corpus_id)
