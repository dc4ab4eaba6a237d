"""Pages of those who lead campaigns."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify

from judging.campaigns import lead
from judging.campaigns.exports import campaign_lines, long_table, wide_table
from judging.campaigns.forms import CampaignForm, OutcomeForm
from judging.campaigns.rubrics import form_get
from judging.campaigns.services import campaigns
from judging.campaigns.services.adjudication import Dispute, grade_adjudicate
from judging.models import Campaign
from legalqa.accounts.access import MANAGERS, MemberRequest, member_page
from legalqa.answering.selectors import reader_list
from legalqa.common.downloads import csv_response, download
from legalqa.common.errors import ApplicationError, NotFound
from legalqa.common.page_errors import errors_in

TABLES = {"long": long_table, "wide": wide_table}


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def campaign_list(request: MemberRequest, corpus_id: UUID) -> HttpResponseBase:
    context = lead.list_page(organization=request.organization, corpus_id=corpus_id)
    form = CampaignForm(request.POST or None, request.FILES or None, members=context["members"])
    if request.method != "POST":
        return render(request, "judging/campaigns/list.html", context | {"form": form})
    if form.is_valid():
        with errors_in(form):
            campaign = lead.campaign_make(**request.acting, corpus_id=corpus_id, wish=form.wish())
            return redirect("campaign_detail", request.organization.slug, campaign.pk)
    return render(request, "judging/campaigns/list.html", context | {"form": form}, status=422)


@member_page(roles=MANAGERS)
def campaign_detail(request: MemberRequest, campaign_id: UUID) -> HttpResponse:
    campaign = campaigns.campaign_get(organization=request.organization, campaign_id=campaign_id)
    document = lead.campaign_document(**request.acting, campaign_id=campaign_id)
    form = form_get(campaign.form)
    context = {"campaign": campaign, "corpus": campaign.corpus, "found": document, "form": form}
    context["members"] = reader_list(corpus=campaign.corpus)
    return render(request, "judging/campaigns/detail.html", context)


@member_page(roles=MANAGERS, methods=("POST",))
def campaign_graders(request: MemberRequest, campaign_id: UUID) -> HttpResponseBase:
    campaign = campaigns.campaign_get(organization=request.organization, campaign_id=campaign_id)
    allowed = {str(m.user_id): m.user_id for m in reader_list(corpus=campaign.corpus)}
    chosen = [allowed[one] for one in request.POST.getlist("graders") if one in allowed]
    campaigns.campaign_graders_add(**request.acting, campaign_id=campaign_id, user_ids=chosen)
    return redirect("campaign_detail", request.organization.slug, campaign_id)


@member_page(roles=MANAGERS, methods=("POST",))
def campaign_close(request: MemberRequest, campaign_id: UUID) -> HttpResponseBase:
    is_closed = request.POST.get("is_closed") == "yes"
    campaigns.campaign_close(**request.acting, campaign_id=campaign_id, is_closed=is_closed)
    return redirect("campaign_detail", request.organization.slug, campaign_id)


@member_page(roles=MANAGERS, methods=("POST",))
def campaign_remove(request: MemberRequest, campaign_id: UUID) -> HttpResponseBase:
    corpus = campaigns.campaign_remove(**request.acting, campaign_id=campaign_id)
    messages.success(request, "The campaign and its grades were removed.")
    return redirect("campaign_list", request.organization.slug, corpus.pk)


@member_page(roles=MANAGERS)
def campaign_file(request: MemberRequest, campaign_id: UUID) -> HttpResponseBase:
    """`?table=long` or `wide` as CSV; the whole campaign as JSONL without it."""
    campaign = lead.campaign_export(**request.acting, campaign_id=campaign_id)
    table, name = request.GET.get("table", ""), slugify(campaign.name) or "campaign"
    if table in TABLES:
        header, rows = TABLES[table](campaign=campaign)
        return csv_response(name=f"{name}-{table}.csv", header=header, rows=rows)
    lines = "".join(campaign_lines(campaign=campaign))
    return download(lines, name=f"{name}.jsonl", kind="application/x-ndjson; charset=utf-8")


@member_page(roles=MANAGERS, methods=("GET", "POST"))
def campaign_adjudication(request: MemberRequest, campaign_id: UUID) -> HttpResponseBase:
    campaign, disputes = lead.disputes_of(**request.acting, campaign_id=campaign_id)
    if request.method != "POST":
        return _adjudication(request, campaign, disputes)
    form = OutcomeForm(request.POST)
    try:
        if not form.is_valid():
            raise ApplicationError("Choose a value and give the reason.")
        decided = form.cleaned_data
        grade_adjudicate(**request.acting, campaign_id=campaign_id, item=decided["item"], decided=decided)
    except NotFound:
        raise
    except ApplicationError as error:
        return _adjudication(request, campaign, disputes, problem=error.message, status=422)
    return redirect("campaign_adjudication", request.organization.slug, campaign_id)


def _adjudication(
    request: MemberRequest, campaign: Campaign, disputes: list[Dispute], *, problem: str = "", status: int = 200
) -> HttpResponse:
    waiting = [dispute for dispute in disputes if dispute.outcome is None]
    context = {
        "campaign": campaign,
        "corpus": campaign.corpus,
        "dispute": waiting[0] if waiting else None,
        "n_waiting": len(waiting),
        "decided": [dispute for dispute in disputes if dispute.outcome is not None],
        "problem": problem,
    }
    return render(request, "judging/campaigns/adjudication.html", context, status=status)
