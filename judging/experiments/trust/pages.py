"""What the page "Trust in the judge" shows, and its endpoint."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import F
from django.urls import reverse

from corpora.selectors import corpus_get
from judging.campaigns.services.campaigns import campaign_list
from judging.experiments.plots.drawing import number
from judging.experiments.trust.estimates import estimates
from judging.experiments.trust.figures import DRAWS, GradedItem, disagreements, judges_of, ratings_chart, trust_charts
from judging.experiments.trust.read import criteria_of, graded_items, measures_left_out, scored_alone
from judging.measures.agreement.files import ratings_agreement
from judging.models import Campaign, Experiment
from legalqa.accounts.models import Organization
from legalqa.common.errors import ApplicationError, existing
from legalqa.common.work import Work

SHOWN = 20  # disagreements on a page
RATINGS_STEPS = 10_000_000  # ours: of `judging.measures.agreement.statistics.steps_of`, some 5 seconds


def trust_page(*, organization: Organization, corpus_id: UUID, query: Mapping[str, str]) -> dict[str, Any]:
    """The figures of one campaign, criterion and judge.

    Args:
        organization: Whose corpus it is.
        corpus_id: The corpus.
        query: `campaign`, `criterion`, `judge`; default: the newest campaign, and the first of each of the others.

    Raises:
        NotFound: no such corpus or campaign, or it is walled off.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    campaigns = list(campaign_list(organization=organization, corpus_id=corpus_id))
    experiments = Experiment.objects.filter(organization=organization, corpus=corpus_id).exclude(report={})
    context = {
        "corpus": corpus,
        "campaigns": campaigns,
        "cells": [
            {"value": f"{pk} {cell['key']}", "label": f"{name}: {cell['key']}"}
            for pk, name, cells in experiments.order_by("-created_at").values_list("pk", "name", F("report__cells"))[
                :10
            ]
            for cell in cells
        ],
    }
    campaign = _chosen(campaigns, query.get("campaign", ""))
    return context if campaign is None else context | _campaign_page(campaign, organization.slug, query)


def _campaign_page(campaign: Campaign, slug: str, query: Mapping[str, str]) -> dict[str, Any]:
    criteria = criteria_of(campaign)
    if not criteria:
        return {"campaign": campaign, "criteria": []}
    criterion = next((one for one in criteria if one.key == query.get("criterion")), criteria[0])
    items = graded_items(campaign=campaign, criterion=criterion, slug=slug)
    judges = judges_of(items)
    name = query.get("judge", "")
    judge = name if name in judges else next(iter(judges), "")
    scale, seed = criterion.values, campaign.seed
    apart = disagreements(items, judge=judge)
    return {
        "campaign": campaign,
        "criteria": criteria,
        "criterion": criterion,
        "judges": judges,
        "judge": judge,
        "left_out": measures_left_out(campaign=campaign, criterion=criterion),
        "n_items": len(items),
        "charts": trust_charts(items, judge=judge, scale=scale, threshold=criterion.passes_at, seed=seed)
        if items
        else [],
        "estimates": estimates(
            items, judge=judge, alone=scored_alone(campaign=campaign, judge=judge, scale=scale) if judge else {}
        ),
        "n_apart": len(apart),
        "apart": [
            {"item": one.item, "human": number(one.human), "judge": number(one.judge), "people": _people(one.item)}
            for one in apart[:SHOWN]
        ],
        "campaign_url": reverse("campaign_detail", args=[slug, campaign.pk]),
    }


def ratings_page(*, text: str, judge: str) -> dict[str, Any]:
    """The agreement of ratings that were given elsewhere, as the command `agreement` measures it.

    Args:
        text: JSONL or CSV, as `judging.measures.agreement.files` reads it.
        judge: The rater that is compared with the others; "" for none.

    Raises:
        ApplicationError: a line that cannot be read, values that are on no scale, or more than RATINGS_STEPS to do.
    """
    try:
        agreement = ratings_agreement(text, judge=judge, draws=DRAWS, work=Work(RATINGS_STEPS))
    except ValueError as error:
        raise ApplicationError(str(error), code="unreadable_ratings") from None
    return {"rated": agreement, "rated_chart": ratings_chart(agreement)}


def _chosen(campaigns: list[Campaign], campaign_id: str) -> Campaign | None:
    if not campaign_id:
        return campaigns[0] if campaigns else None
    return existing(next((one for one in campaigns if str(one.pk) == campaign_id), None), "campaign")


def _people(item: GradedItem) -> str:
    return ", ".join(f"{name} {'/'.join(f'{grade:g}' for grade in grades)}" for name, grades in item.people.items())
