"""What the lead of a campaign sees, and how a campaign is made of what a page or a program sends."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count

from corpora.selectors import corpus_get
from judging.campaigns.exports import campaign_import, is_campaign_file
from judging.campaigns.figures import agreement_rows, grader_rows, progress_rows, submitted_grades
from judging.campaigns.items import item_rows_of_gold, item_rows_read
from judging.campaigns.rubrics import FORMS, form_get
from judging.campaigns.services.adjudication import Dispute, dispute_list
from judging.campaigns.services.asked import campaign_of_asked
from judging.campaigns.services.campaigns import Plan, campaign_create, campaign_get, campaign_list, graders_add
from judging.campaigns.services.queue import is_done
from judging.gold.services.sets import gold_set_get, gold_set_list
from judging.models import Assignment, Campaign, CampaignGrader, CampaignItem
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit
from legalqa.answering.selectors import reader_list
from legalqa.common.errors import ApplicationError, Conflict


@dataclass(frozen=True, slots=True)
class Wish:
    """What a campaign is to be made of: one of a gold set, a file (of items, or of a whole campaign), graded answers.

    Attributes:
        form: A key of FORMS; a whole campaign and graded answers bring their own.
        plan, instructions: A whole campaign brings its own, too.
        is_with_drafts: Take the questions of a gold set that are not approved yet as well.
        is_of_asked: Of the answers that people graded on the ask page.
    """

    name: str
    form: str
    gold_set_id: UUID | None = None
    is_with_drafts: bool = False
    file: str = ""
    is_of_asked: bool = False
    graders: Sequence[UUID] = ()
    plan: Plan = field(default_factory=Plan)
    instructions: str = ""


@transaction.atomic
def campaign_make(*, organization: Organization, user: User, corpus_id: UUID, wish: Wish) -> Campaign:
    """Make the campaign that a lead wants, all of it or nothing.

    Raises:
        NotFound: no such corpus or gold set.
        ApplicationError: not exactly one source, or as the service that makes it.
        Conflict: as `campaign_create`.
    """
    acting: dict[str, Any] = {"organization": organization, "user": user, "corpus_id": corpus_id, "name": wish.name}
    if sum((wish.gold_set_id is not None, bool(wish.file), wish.is_of_asked)) != 1:
        raise ApplicationError("Choose one source: a gold set, a file, or graded answers.", code="one_source")
    if wish.file and is_campaign_file(wish.file):
        campaign = campaign_import(**acting, text=wish.file)
        graders_add(campaign=campaign, user_ids=wish.graders)
        return campaign
    details: dict[str, Any] = {"graders": wish.graders, "plan": wish.plan, "instructions": wish.instructions}
    if wish.is_of_asked:
        return campaign_of_asked(**acting, **details)
    form = form_get(wish.form)
    if wish.gold_set_id is None:
        rows = item_rows_read(wish.file, form=form)
    else:
        gold_set = gold_set_get(organization=organization, gold_set_id=wish.gold_set_id, corpus_id=corpus_id)
        rows = item_rows_of_gold(gold_set=gold_set, form=form, is_with_drafts=wish.is_with_drafts)
    return campaign_create(**acting, **details, form=form, rows=rows)


def campaign_rows(*, organization: Organization, corpus_id: UUID) -> list[dict[str, Any]]:
    """The campaigns of a corpus for a list, each with its items, graders and grades."""
    campaigns = list(campaign_list(organization=organization, corpus_id=corpus_id))
    items = _counted(CampaignItem, campaigns)
    graders = _counted(CampaignGrader, campaigns)
    counts = _counted(Assignment, campaigns, submissions__gt=0)
    return [
        {
            "campaign": campaign,
            "form": FORMS[campaign.form].name,
            "is_closed": campaign.closed_at is not None,
            "n_items": items.get(campaign.pk, 0),
            "n_graders": graders.get(campaign.pk, 0),
            "n_done": counts.get(campaign.pk, 0),
        }
        for campaign in campaigns
    ]


def list_page(*, organization: Organization, corpus_id: UUID) -> dict[str, Any]:
    """The campaigns of a corpus, and what a new one can be made of."""
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return {
        "corpus": corpus,
        "rows": campaign_rows(organization=organization, corpus_id=corpus_id),
        "forms": FORMS.values(),
        "gold_sets": gold_set_list(organization=organization, corpus_id=corpus_id),
        "members": reader_list(corpus=corpus),
    }


def blinded_check(*, campaign: Campaign, user: User) -> None:
    """Raise Conflict for a lead who grades in the campaign and has not finished: others' grades would unblind them.

    They have finished once the items that they grade a second time are graded as well.
    """
    if campaign.closed_at is not None:
        return
    grader = CampaignGrader.objects.filter(campaign=campaign, user=user).select_related("campaign").first()
    if grader is not None and not is_done(grader=grader):
        raise Conflict(
            "You grade in this campaign yourself. Others' grades are shown once you have graded your items, or the "
            "campaign has ended.",
            code="still_grading",
        )


def campaign_export(*, organization: Organization, user: User, campaign_id: UUID) -> Campaign:
    """A campaign whose grades leave the product, which the audit log keeps.

    Raises:
        NotFound: there is none, or its corpus is closed to you.
        Conflict: the lead still grades in it.
    """
    campaign = campaign_get(organization=organization, campaign_id=campaign_id)
    blinded_check(campaign=campaign, user=user)
    audit(organization=organization, actor=user, action="campaign.exported", subject_id=campaign.corpus_id)
    return campaign


def campaign_document(*, organization: Organization, user: User, campaign_id: UUID) -> dict[str, Any]:
    """A campaign for its lead: progress, and, unless they still grade in it, agreement, graders and flagged items.

    Raises:
        NotFound: no such campaign, or its corpus is walled off.
    """
    campaign = campaign_get(organization=organization, campaign_id=campaign_id)
    document: dict[str, Any] = vars(campaign) | {
        "is_closed": campaign.closed_at is not None,
        "progress": progress_rows(campaign=campaign),
        "agreement": [],
        "graders": [],
        "flagged": [],
        "waits": 0,
        "hidden": "",
    }
    try:
        blinded_check(campaign=campaign, user=user)
    except Conflict as error:
        return document | {"hidden": error.message}
    grades = submitted_grades(campaign=campaign)
    return document | {
        "agreement": agreement_rows(campaign=campaign, grades=grades),
        "graders": grader_rows(campaign=campaign, grades=grades),
        "flagged": flagged_rows(campaign=campaign),
        "waits": sum(dispute.outcome is None for dispute in dispute_list(campaign=campaign)),
    }


def flagged_rows(*, campaign: Campaign) -> list[dict[str, Any]]:
    """Items that a grader flagged, or whose reference answer they say is wrong, with their words."""
    assignments = Assignment.objects.filter(campaign=campaign).select_related("item", "grader")
    rows = assignments.order_by("item__ordinal", "grader__name")
    return [
        {
            "item": row.item.ordinal,
            "question": row.item.content["question"],
            "grader": row.grader.name,
            "is_flagged": row.is_flagged,
            "note": row.note,
            "reference_note": row.reference_note,
        }
        for row in rows
        if row.is_flagged or row.reference_note
    ]


def disputes_of(*, organization: Organization, user: User, campaign_id: UUID) -> tuple[Campaign, list[Dispute]]:
    """A campaign with what people differ on.

    Raises:
        NotFound: no such campaign.
        Conflict: as `blinded_check`.
    """
    campaign = campaign_get(organization=organization, campaign_id=campaign_id)
    blinded_check(campaign=campaign, user=user)
    return campaign, dispute_list(campaign=campaign)


def _counted(model: Any, campaigns: Sequence[Campaign], **only: Any) -> dict[UUID, int]:
    rows = model.objects.filter(campaign__in=campaigns, **only).order_by().values_list("campaign_id")
    return dict(rows.annotate(n=Count("pk")))
