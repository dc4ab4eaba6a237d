"""Who grades which item next: overlap, leases, training first, and nothing twice but where that is meant."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from judging.campaigns.orders import answer_order, drawn_share, item_order
from judging.models import Assignment, Campaign, CampaignGrader, CampaignItem
from judging.models.campaigns import AssignmentState, ItemKind
from legalqa.accounts.models import Organization, User
from legalqa.common.errors import Conflict, existing


def grader_list(*, organization: Organization, user: User) -> QuerySet[CampaignGrader]:
    """The campaigns that a person grades in, open ones first, then by name."""
    graders = CampaignGrader.objects.filter(organization=organization, user=user, campaign__organization=organization)
    return graders.select_related("campaign__corpus").order_by("-campaign__closed_at", "campaign__name")


def grader_get(*, organization: Organization, user: User, campaign_id: UUID) -> CampaignGrader:
    """The person as a grader of a campaign.

    Raises:
        NotFound: no such campaign, its corpus is walled off, or the person does not grade in it.
    """
    return existing(grader_list(organization=organization, user=user).filter(campaign=campaign_id).first(), "campaign")


def assignment_get(
    *, organization: Organization, user: User, assignment_id: UUID, is_locked: bool = False
) -> Assignment:
    """One of the person's own assignments, with its item and its campaign; locked where it is to be changed.

    Raises:
        NotFound: they have none, or its corpus is walled off.
    """
    mine = Assignment.objects.filter(organization=organization, grader__user=user, pk=assignment_id)
    if is_locked:
        mine = mine.select_for_update(of=("self",))
    return existing(mine.select_related("item", "campaign__corpus", "grader").first(), "item")


def open_check(*, campaign: Campaign) -> None:
    """Raise Conflict where a campaign has ended."""
    if campaign.closed_at is not None:
        raise Conflict("This campaign has ended. Ask its lead to open it again.", code="campaign_closed")


def assignment_next(*, organization: Organization, user: User, campaign_id: UUID) -> Assignment | None:
    """The next item of a grader: one that they left open, else a new one; None where nothing is left.

    Training items come first, then the others in the grader's random order, hidden checks among them, then the share
    that is graded a second time. An item is free while fewer people than it needs have submitted it or hold a lease on
    it. A grader who comes back after their lease has run out still finds their drafts: one grade too many is better
    than a lost one.

    Raises:
        NotFound: as `grader_get`.
        Conflict: the campaign has ended.
    """
    grader = grader_get(organization=organization, user=user, campaign_id=campaign_id)
    # One person at a time per campaign, so that two people are not given the last place of an item.
    campaign = Campaign.objects.select_for_update().get(pk=grader.campaign_id)
    open_check(campaign=campaign)
    assignments = Assignment.objects.filter(grader=grader)
    assignment = assignments.filter(state=AssignmentState.OPEN).order_by("place").first()
    if assignment is not None:
        return assignment_lease(assignment=assignment, campaign=campaign)
    item, is_repeat = _free_item(campaign, grader)
    if item is None:
        return None
    order = answer_order(
        seed=campaign.seed,
        grader=grader.name,
        ordinal=item.ordinal,
        n_answers=len(item.content["answers"]),
        is_repeat=is_repeat,
    )
    place = assignments.aggregate(last=Max("place"))["last"] or 0
    return Assignment.objects.create(
        organization=organization,
        campaign=campaign,
        item=item,
        grader=grader,
        place=place + 1,
        is_repeat=is_repeat,
        answer_order=order,
        leased_until=_lease_end(campaign),
        opened_at=timezone.now(),
    )


def assignment_lease(*, assignment: Assignment, campaign: Campaign) -> Assignment:
    """Renew the grader's lease on the item; nothing else is written, because another tab may have ended the item."""
    assignment.leased_until = _lease_end(campaign)
    assignment.save(update_fields=["leased_until"])
    return assignment


def _lease_end(campaign: Campaign) -> datetime:
    return timezone.now() + timedelta(minutes=campaign.lease_minutes)


def items_left(*, grader: CampaignGrader) -> int:
    """How many items the grader may still be given, what they left open included; repeats are not told."""
    n_open = Assignment.objects.filter(grader=grader, state=AssignmentState.OPEN, is_repeat=False).count()
    return n_open + len(_free(grader.campaign, grader))


def is_done(*, grader: CampaignGrader) -> bool:
    """Whether the grader has nothing left to grade, items that they are to grade a second time included."""
    is_open = Assignment.objects.filter(grader=grader, state=AssignmentState.OPEN).exists()
    return not is_open and not _free(grader.campaign, grader) and _repeat(grader.campaign, grader) is None


def _free_item(campaign: Campaign, grader: CampaignGrader) -> tuple[CampaignItem | None, bool]:
    free = {item.ordinal: item for item in _free(campaign, grader)}
    every = list(CampaignItem.objects.filter(campaign=campaign).only("ordinal", "question_type", "kind"))
    ordered = item_order(every, seed=campaign.seed, grader=grader.name)
    for item in sorted(ordered, key=lambda item: item.kind != ItemKind.TRAINING):
        if item.ordinal in free:
            return free[item.ordinal], False
    return _repeat(campaign, grader), True


def _free(campaign: Campaign, grader: CampaignGrader) -> Sequence[CampaignItem]:
    """Items that the grader has not had and whose places are not all taken by others."""
    condition = Q(state=AssignmentState.SUBMITTED) | Q(state=AssignmentState.OPEN, leased_until__gt=timezone.now())
    assignments = Assignment.objects.filter(campaign=campaign)
    had = set(assignments.filter(grader=grader).values_list("item_id", flat=True))
    counts = assignments.filter(condition, is_repeat=False).order_by().values("item_id").annotate(n=Count("pk"))
    n_taken = {row["item_id"]: row["n"] for row in counts}
    items = CampaignItem.objects.filter(campaign=campaign).exclude(pk__in=had).defer("content", "sources")
    return [
        item
        for item in items.order_by("ordinal")
        if item.kind != ItemKind.GRADED or n_taken.get(item.pk, 0) < item.needed
    ]


def _repeat(campaign: Campaign, grader: CampaignGrader) -> CampaignItem | None:
    """The next of the items that the grader graded once and is to grade again."""
    assignments = Assignment.objects.filter(grader=grader, item__kind=ItemKind.GRADED)
    once = assignments.filter(is_repeat=False, state=AssignmentState.SUBMITTED).values_list("item__ordinal", flat=True)
    again = set(assignments.filter(is_repeat=True).values_list("item__ordinal", flat=True))
    ordinals = drawn_share(sorted(once), percent=campaign.repeat_percent, parts=(campaign.seed, "again", grader.name))
    waiting = CampaignItem.objects.filter(campaign=campaign, ordinal__in=ordinals - again)
    ordered = item_order(list(waiting), seed=campaign.seed + 1, grader=grader.name)
    return ordered[0] if ordered else None
