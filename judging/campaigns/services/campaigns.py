"""Campaigns: made of items, given to graders, ended."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from corpora.models import Corpus
from corpora.selectors import corpus_get
from judging.campaigns.items import ItemRow
from judging.campaigns.orders import drawn_share
from judging.campaigns.rubrics import Form
from judging.models import Campaign, CampaignGrader, CampaignItem
from judging.models.campaigns import ItemKind
from legalqa.accounts.models import Organization, User
from legalqa.accounts.services import audit, reply_note
from legalqa.answering.selectors import reader_list
from legalqa.common.errors import ApplicationError, Conflict, existing

MAX_CAMPAIGNS, MAX_GRADERS = 200, 100  # ours, of a corpus and of a campaign
MAX_NAME, MAX_INSTRUCTIONS = 80, 5_000
# The numbers of a plan that people give, each with its range.
PLAN = {"overlap": (1, 20), "overlap_percent": (0, 100), "repeat_percent": (0, 100), "lease_minutes": (1, 1_440)}


@dataclass(frozen=True, slots=True)
class Plan:
    """How a campaign is given out.

    Attributes:
        overlap: How many people grade the items that are graded by several.
        overlap_percent: The share of the items that are; the others are graded by one person.
        repeat_percent: The share of a grader's items that they are given a second time, unmarked, at the end.
        lease_minutes: How long an opened item is kept for one grader.
        seed: Of all random orders; None draws one.
    """

    overlap: int = 1
    overlap_percent: int = 100
    repeat_percent: int = 0
    lease_minutes: int = 30
    seed: int | None = None

    def check(self) -> None:
        """Raises ApplicationError where a number is out of its range."""
        for name, (low, high) in PLAN.items():
            if not low <= getattr(self, name) <= high:
                raise ApplicationError(f"{name} must be a number from {low} to {high}.", code="bad_plan")


def campaign_list(*, organization: Organization, corpus_id: UUID) -> QuerySet[Campaign]:
    """The campaigns of a corpus, newest first.

    Raises:
        NotFound: no such corpus, or you have no access to it.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    return _campaigns(organization).filter(corpus=corpus).order_by("-created_at", "name")


def campaign_get(*, organization: Organization, campaign_id: UUID) -> Campaign:
    """A campaign with its corpus.

    Raises:
        NotFound: there is none, or you have no access to its corpus.
    """
    return existing(_campaigns(organization).filter(pk=campaign_id).select_related("corpus").first(), "campaign")


def campaign_create(
    *,
    organization: Organization,
    user: User,
    corpus_id: UUID,
    name: str,
    form: Form,
    rows: Sequence[ItemRow],
    graders: Collection[UUID] = (),
    plan: Plan | None = None,
    instructions: str = "",
) -> Campaign:
    """Make a campaign of items and give it to graders.

    Args:
        organization: Whose campaign it is.
        user: Who leads it.
        corpus_id: The corpus whose wall it is behind.
        name: Of at most MAX_NAME characters, once in the corpus.
        form: What is asked; it cannot be changed later.
        rows: The items, in their order.
        graders: Ids of people who may see the corpus.
        plan: How items are given out.
        instructions: What graders read first.

    Raises:
        NotFound: no such corpus.
        ApplicationError: the name, the plan or the instructions do not fit, or a grader may not see the corpus.
        Conflict: the name is taken, or the corpus has MAX_CAMPAIGNS already.
    """
    corpus = corpus_get(organization=organization, corpus_id=corpus_id)
    plan = plan or Plan()
    plan.check()
    if len(instructions) > MAX_INSTRUCTIONS:
        raise ApplicationError(
            f"The instructions have {len(instructions):,} characters; {MAX_INSTRUCTIONS:,} are kept. Shorten them.",
            code="too_long",
        )
    campaign = campaign_row(
        campaign=Campaign(
            organization=organization,
            corpus=corpus,
            created_by=user,
            name=name,
            form=form.key,
            rubric_version=form.version,
            instructions=instructions.strip(),
            seed=secrets.randbelow(2**31) if plan.seed is None else plan.seed,
            repeat_percent=plan.repeat_percent,
            lease_minutes=plan.lease_minutes,
        )
    )
    CampaignItem.objects.bulk_create(_items(campaign, rows, plan), batch_size=1000)
    graders_add(campaign=campaign, user_ids=graders)
    reply_note(subject_id=campaign.pk)
    audit(organization=organization, actor=user, action="campaign.created", subject_id=corpus.pk, items=len(rows))
    return campaign


def campaign_row(*, campaign: Campaign) -> Campaign:
    """Store the row of a campaign under a name that is free.

    Raises:
        ApplicationError: the name does not fit.
        Conflict: it is taken, or the corpus has MAX_CAMPAIGNS already.
    """
    campaign.name = " ".join(campaign.name.split())
    if not campaign.name or len(campaign.name) > MAX_NAME or "\x00" in campaign.name:
        raise ApplicationError(f"Give the campaign a name of 1 to {MAX_NAME} characters.", code="bad_name")
    if Campaign.objects.filter(corpus_id=campaign.corpus_id).count() >= MAX_CAMPAIGNS:
        raise Conflict(
            f"The corpus has {MAX_CAMPAIGNS} campaigns, which is the limit. Remove one first.",
            code="too_many_campaigns",
        )
    try:
        with transaction.atomic():
            campaign.save(force_insert=True)
    except IntegrityError:
        raise Conflict(
            f"The corpus already has a campaign called {campaign.name!r}. Choose another name.", code="name_taken"
        ) from None
    return campaign


def graders_add(*, campaign: Campaign, user_ids: Collection[UUID]) -> None:
    """Let more people grade. They get the next free pseudonyms, G1, G2, …; who grades already is left as they are.

    Raises:
        ApplicationError: somebody is not a member of the organisation who may see the corpus.
    """
    allowed = {membership.user_id for membership in reader_list(corpus=campaign.corpus)}
    if not set(user_ids) <= allowed:
        raise ApplicationError(
            "Graders must be members who may see the corpus. Give them access first, or choose others.",
            code="bad_grader",
        )
    graders = CampaignGrader.objects.filter(campaign=campaign)
    names = set(graders.values_list("name", flat=True))
    new = sorted(set(user_ids) - set(graders.values_list("user_id", flat=True)))
    if len(names) + len(new) > MAX_GRADERS:
        raise ApplicationError(
            f"A campaign has at most {MAX_GRADERS} graders. Remove some first.", code="too_many_graders"
        )
    free = (f"G{number}" for number in range(1, MAX_GRADERS + len(names) + 1) if f"G{number}" not in names)
    CampaignGrader.objects.bulk_create(
        CampaignGrader(organization_id=campaign.organization_id, campaign=campaign, user_id=user_id, name=name)
        for user_id, name in zip(new, free, strict=False)
    )


def campaign_graders_add(
    *, organization: Organization, user: User, campaign_id: UUID, user_ids: Collection[UUID]
) -> Campaign:
    """As `graders_add`, written into the audit log. Raises also NotFound: no such campaign."""
    campaign = campaign_get(organization=organization, campaign_id=campaign_id)
    graders_add(campaign=campaign, user_ids=user_ids)
    audit(organization=organization, actor=user, action="campaign.graders_added", subject_id=campaign.corpus_id)
    return campaign


def campaign_close(*, organization: Organization, user: User, campaign_id: UUID, is_closed: bool) -> Campaign:
    """End a campaign, so that nobody grades any more, or open it again.

    Raises:
        NotFound: no such campaign, or its corpus is walled off.
    """
    campaign = campaign_get(organization=organization, campaign_id=campaign_id)
    campaign.closed_at = timezone.now() if is_closed else None
    campaign.save(update_fields=["closed_at"])
    action = "campaign.closed" if is_closed else "campaign.reopened"
    audit(organization=organization, actor=user, action=action, subject_id=campaign.corpus_id)
    return campaign


def campaign_remove(*, organization: Organization, user: User, campaign_id: UUID) -> Corpus:
    """Remove a campaign with its grades. Returns its corpus.

    Raises:
        NotFound: no such campaign, or its corpus is walled off.
    """
    campaign = campaign_get(organization=organization, campaign_id=campaign_id)
    corpus: Corpus = campaign.corpus
    campaign.delete()
    audit(organization=organization, actor=user, action="campaign.removed", subject_id=corpus.pk)
    return corpus


def _campaigns(organization: Organization) -> QuerySet[Campaign]:
    return Campaign.objects.filter(organization=organization)


def _items(campaign: Campaign, rows: Sequence[ItemRow], plan: Plan) -> list[CampaignItem]:
    """Of each question type the same share is graded by several people."""
    by_type: dict[str, list[int]] = {}
    for ordinal, row in enumerate(rows, start=1):
        if row.kind == ItemKind.GRADED:
            by_type.setdefault(row.question_type, []).append(ordinal)
    several: set[int] = set()
    for question_type, ordinals in by_type.items():
        parts = (campaign.seed, "overlap", question_type)
        several |= drawn_share(ordinals, percent=plan.overlap_percent, parts=parts)
    return [
        CampaignItem(
            organization_id=campaign.organization_id,
            campaign=campaign,
            ordinal=ordinal,
            external_id=row.external_id,
            kind=row.kind,
            question_type=row.question_type,
            content=dict(row.content),
            sources=list(row.sources),
            known=dict(row.known),
            feedback=row.feedback,
            needed=plan.overlap if ordinal in several else 1,
        )
        for ordinal, row in enumerate(rows, start=1)
    ]
