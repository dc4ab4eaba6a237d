"""The page "Trust in the judge", for those who keep the corpora."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from corpora.selectors import corpus_get
from judging.experiments.trust.forms import GradedAnswersForm, RatingsForm
from judging.experiments.trust.pages import ratings_page, trust_page
from judging.experiments.trust.read import campaign_of_experiment
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.accounts.scoping import organization_scope
from legalqa.common.page_errors import errors_in


@member_page(roles=MANAGERS, methods=("GET", "POST"), in_scope=False)
def trust(request: MemberRequest, corpus_id: UUID) -> HttpResponse:
    if request.method == "GET":
        return _page(request, corpus_id, GradedAnswersForm())
    with organization_scope(request.organization, user=request.user):
        corpus_get(organization=request.organization, corpus_id=corpus_id)
    form = RatingsForm(request.POST, request.FILES)
    rated: dict[str, Any] = {}
    if form.is_valid():
        with errors_in(form, "ratings"):
            rated = ratings_page(text=form.cleaned_data["ratings"], judge=form.cleaned_data["judge"])
    status = 422 if form.errors else 200
    return _page(request, corpus_id, GradedAnswersForm(), status=status, ratings_form=form, **rated)


@member_page(roles=MANAGERS, methods=("POST",))
def trust_campaign(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    corpus_get(organization=request.organization, corpus_id=corpus_id)
    form = GradedAnswersForm(request.POST)
    if form.is_valid():
        with errors_in(form):
            campaign = campaign_of_experiment(**request.acting, corpus_id=corpus_id, **form.wanted())
            return redirect("campaign_detail", request.organization.slug, campaign.pk)
    return _page(request, corpus_id, form, status=422)


def _page(
    request: MemberRequest, corpus_id: UUID, form: GradedAnswersForm, *, status: int = 200, **more: Any
) -> HttpResponse:
    with organization_scope(request.organization, user=request.user):
        context = trust_page(organization=request.organization, corpus_id=corpus_id, query=request.GET.dict())
        context |= {"form": form, "ratings_form": RatingsForm(), **more}
        return render(request, "judging/trust/page.html", context, status=status)
