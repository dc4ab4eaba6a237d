"""The page of a corpus's contradictions."""

from uuid import UUID

from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from corpora.selectors import corpus_get
from legalqa.accounts.access import REVIEWERS, MemberRequest, member_page
from legalqa.answering.pages.contradictions import contradictions_page
from legalqa.answering.services import contradictions
from legalqa.common.htmx import render_partial


@member_page(roles=REVIEWERS, methods=("GET", "POST"))
def contradiction_list(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    if request.method == "POST":
        contradictions.contradictions_start(**request.acting, corpus_id=corpus_id)
        return redirect("contradiction_list", request.organization.slug, corpus_id)
    corpus = corpus_get(organization=request.organization, corpus_id=corpus_id)
    state, number = request.GET.get("state", ""), request.GET.get("page")
    context = contradictions_page(organization=request.organization, corpus=corpus, state=state, number=number)
    return render_partial(request, "answering/contradiction_list.html", context, partial="contradictions")


@member_page(roles=REVIEWERS, methods=("POST",))
def contradiction_review(request: MemberRequest, contradiction_id: UUID) -> HttpResponseBase:
    row = contradictions.contradiction_review(
        **request.acting, contradiction_id=contradiction_id, state=request.POST.get("state", "")
    )
    there = reverse("contradiction_list", args=(request.organization.slug, row.corpus_id))
    return redirect(f"{there}?{request.GET.urlencode()}")
